"""The C header of functions that were compiled ahead of time."""

from . import types

_NUMBERS = {
    "?": "bool", "b": "int8_t", "h": "int16_t", "i": "int32_t", "q": "int64_t", "B": "uint8_t", "H": "uint16_t",
    "I": "uint32_t", "Q": "uint64_t", "e": "_Float16", "f": "float", "d": "double", "F": "float _Complex",
    "D": "double _Complex", "M": "int64_t", "m": "int64_t", "n": "void",
}  # fmt: skip

_RUNTIME = """\
#ifndef PYARRAY_C_RUNTIME_H /* of pyarray-c/Runtime.h, which says more */
enum {
  PYARRAY_NO_ERROR = 0,
  PYARRAY_EXCEPTION = 1,
  PYARRAY_ZERO_DIVISION_ERROR = 2,
  PYARRAY_INDEX_ERROR = 3,
  PYARRAY_VALUE_ERROR = 4,
  PYARRAY_OVERFLOW_ERROR = 5,
  PYARRAY_MEMORY_ERROR = 6,
  PYARRAY_KEY_ERROR = 7,
  PYARRAY_TYPE_ERROR = 8,
  PYARRAY_ASSERTION_ERROR = 9,
  PYARRAY_RUNTIME_ERROR = 10,
  PYARRAY_ARGUMENT_ERROR = 11, /* an array does not fit its declared type; nothing was run */
};
#define PYARRAY_C_RUNTIME_H
#endif

/* Of the last function that failed in this thread: "ZeroDivisionError", "division by zero", "file.py:12, in mean". */
const char *{0}_error_name(void);
const char *{0}_error_message(void);
const char *{0}_error_place(void);
/* Gives up the memory of a result, or holds it once more: its `owner`, which may be NULL. */
void {0}_release(void *owner);
void {0}_retain(void *owner);
"""


def _number(kind):
    return _NUMBERS[kind.code[0]]


def _array_name(kind):
    item = kind.code[1:].lstrip("0123456789")
    name = str(kind.dtype).partition("[")[0] if item[0] not in "Mm" else "int64"
    return f"pyarray_{name}_{kind.ndim}d{'_const' if kind.code[0:2][1:].islower() else ''}"


class _Writer:
    def __init__(self):
        self.structs = {}

    def array(self, kind):
        readonly = kind.code[1].islower()
        name = _array_name(kind)
        extents = f"  int64_t shape[{kind.ndim}];\n  int64_t strides[{kind.ndim}]; /* in elements */\n"
        item = _NUMBERS[kind.code[2:].lstrip("0123456789")[0]]
        self.structs[name] = (
            f"#ifndef {name.upper()}\n#define {name.upper()}\ntypedef struct {name} {{\n"
            f"  {'const ' if readonly else ''}{item} *data;\n{extents if kind.ndim else ''}"
            f"  void *owner; /* of a result; not read in arguments */\n}} {name};\n#endif\n"
        )
        return name

    def pieces(self, kind, name):
        """(type, name) of the parameters of an argument, or of what a result is stored to."""
        if kind.code == "n":
            return []
        if isinstance(kind, types.Array):
            return [(self.array(kind), name)]
        if kind.code[0] == "(":
            elements = list(kind)
            return [
                piece for number, element in enumerate(elements) for piece in self.pieces(element, f"{name}_{number}")
            ]
        if isinstance(kind, types.CPointer):
            return [(f"{_NUMBERS.get(kind.dtype.code, 'void')} *", name)]
        return [(_number(kind), name)]

    def function(self, export):
        parameters = []
        for name, kind in zip(export.parameters, export.signature.args):
            for piece, piece_name in self.pieces(kind, name):
                array = piece.startswith("pyarray_")
                parameters.append(f"const {piece} *{piece_name}" if array else _join(piece, piece_name))
        for piece, piece_name in self.pieces(export.signature.return_type, "out"):
            parameters.append(_join(f"{piece} *", piece_name))
        return f"/* {export.signature} */\nint32_t {export.name}({', '.join(parameters) or 'void'});\n"


def _join(kind, name):
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}"


def header_text(file, exports, prefix):
    """The header, of functions whose signatures are complete. `prefix`: of the runtime's functions, or None."""
    writer = _Writer()
    functions = [writer.function(export) for export in exports]
    guard = "".join(c if c.isalnum() else "_" for c in file).upper()
    runtime = _RUNTIME.replace("{0}", prefix or "pyarray")
    if not prefix:
        runtime = runtime.replace("_H\n#endif\n\n", "_H\n\n") + "#endif\n"  # all of it is that of Runtime.h
    parts = [
        "/* Made by pyarray. Functions give 0, or the code of an error; results go behind the last pointers. */",
        f"#ifndef {guard}\n#define {guard}\n\n#include <stdbool.h>\n#include <stdint.h>\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        runtime,
        *writer.structs.values(),
        *functions,
        f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n",
    ]
    return "\n".join(parts)
