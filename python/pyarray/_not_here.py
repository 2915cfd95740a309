"""What Numba has and this package has not, with what to use instead: the text of the error where it is asked for."""

import sys

from ._placeholders import placeholder_of, spec_of

_GENERATED = (
    "it makes LLVM IR with llvmlite, which nothing here does; use overload() of pyarray.extending, or intrinsic()",
    "lower_builtin lower_cast lower_constant lower_getattr lower_getattr_generic lower_setattr lower_setattr_generic "
    "type_callable infer infer_getattr infer_global impl_ret_borrowed impl_ret_new_ref impl_ret_untracked cgutils "
    "imputils npydecl ctypes_utils arrayobj npyimpl AbstractTemplate AttributeTemplate CallableTemplate "
    "ConcreteTemplate bound_function Registry call_conv",
)
_TYPED = (
    "it describes a type to Numba's code generation; use structref or jitclass of pyarray.experimental, or an "
    "overload() over tuples and arrays",
    "box unbox reflect NativeValue make_attribute_wrapper StructModel OpaqueModel PrimitiveModel datamodel "
    "register_default default_manager MemInfoPointer EphemeralPointer BoundFunction Dummy Module ExternalFunction "
    "VarArg StarArgTuple StarArgUniTuple DTypeSpec SimpleIteratorType slice2_type",
)
_WORKINGS = (
    "it is part of how Numba compiles; what a compiled function has to show is in its inspect_mlir() and "
    "inspect_types()",
    "compiler compiler_machinery CompilerBase DefaultPassBuilder register_pass FunctionPass ir ir_utils ssa typeinfer "
    "interpreter bytecode analysis postproc rewrites untyped_passes typed_passes object_mode_passes pythonapi lowering "
    "codegen cpu base options sigutils targetconfig target_extension boxing parfors parfor event cpu_target Context "
    "_nrt_python nrt fold_arguments _OverloadAttributeTemplate make_overload_attribute_template ReduceMixin tbbpool "
    "_backend_init_process_lock _raise_driver_not_found",
)
_LIBRARY = (
    "it is how Numba writes these types and functions; compiled code has them without it (docs/language.md)",
    "unicode unicode_support charseq hashing listobj setobj dictobject listobject tupleobj rangeobj mathimpl cmathimpl "
    "randomimpl numbers builtins slicing arraymath array_methods",
)
_OBJECTS = ("every value of compiled code has a type of its own; a block of objmode() has Python's objects", "pyobject")
_AHEAD = ("pyarray.aot and pyarray.pycc.CC compile ahead of time", "pycc CC")
_CACHE = (
    "the cache is one folder for all functions, PYARRAY_CACHE_DIR; functions have stats and are cached by default",
    "_CacheLocator _UserProvidedCacheLocator _InTreeCacheLocator FunctionCache NullCache IndexDataCacheFile",
)
_LINEAR = (
    "call NumPy's functions, np.linalg.solve and so on, in compiled code; for others of LAPACK see "
    "get_cython_function_address()",
    "_BLAS ensure_blas ensure_lapack _copy_to_fortran_order _check_finite_matrix _check_linalg_matrix "
    "_inv_err_handler _handle_err_maybe_convergence_problem _lapack_work_size numba_xxgetrf numba_ez_xxgetri "
    "numba_xxpotrf numba_ez_rgeev numba_ez_cgeev numba_ez_xxxevd numba_ez_gesdd numba_ez_geqrf numba_ez_xxgqr "
    "numba_ez_gelsd",
)

_ADVICE = {
    **dict.fromkeys(("gdb", "gdb_init", "gdb_breakpoint"), "compile with debug=True, and break at lines of the source"),
    "generated_jit": "use overload() of pyarray.extending, whose function also chooses an implementation by types",
    "autojit": "use jit()",
}
for _advice, _names in (_GENERATED, _TYPED, _WORKINGS, _LIBRARY, _OBJECTS, _AHEAD, _CACHE, _LINEAR):
    _ADVICE.update(dict.fromkeys(_names.split(), _advice))


def missing(module, name):
    """Raise for a name that a module lacks.

    ``from module import name`` gets an ImportError with the advice, where Python would only say that it cannot; all
    others an AttributeError, as `hasattr` needs. After `install_as_numba` there are placeholders of what Numba has.
    """
    text = f"module {module!r} has no attribute {name!r}"
    advice = _ADVICE.get(name)
    if advice is None:
        raise AttributeError(text, name=name)
    placeholder = placeholder_of(module, name, advice)
    if placeholder is not None:
        return placeholder
    asking = sys._getframe(2)
    while asking.f_code.co_name == "__getattr__":  # of the module `numba` (_as_numba.py)
        asking = asking.f_back
    from opcode import opmap

    code = asking.f_code.co_code
    if 0 <= asking.f_lasti < len(code) and code[asking.f_lasti] == opmap["IMPORT_FROM"]:
        raise ImportError(f"cannot import name {name!r} from {module!r}: {advice}", name=module)
    raise AttributeError(f"{text}: {advice}", name=name)


def check_module(name):
    """The spec of a placeholder for a module that Numba has and this package has not; most often it raises."""
    own = name.split(".")[1:]
    advice = next((_ADVICE[part] for part in own if part in _ADVICE), None)
    if advice is None:
        return None
    spec = spec_of(name, advice)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}: {advice}", name=name)
    return spec
