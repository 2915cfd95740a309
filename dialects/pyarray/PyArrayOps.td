// Operations of the pyarray dialect: docs/dialect.md is made of this file and those that it includes at its end. Each has its constraints, effects
// and an example.
#ifndef PYARRAY_OPS_TD
#define PYARRAY_OPS_TD

include "PyArrayConstraints.td"
include "PyArrayEffects.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class PyArray_Op<string mnemonic, list<Trait> traits = []> : Op<PyArray_Dialect, mnemonic, traits>;

def PyArray_CallableName : AnyAttrOf<[StrAttr, FlatSymbolRefAttr]>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

def PyArray_ConstantOp : PyArray_Op<"constant", [Pure, ConstantLike]> {
  let summary = "a literal of the source or a frozen global";
  let description = [{
    The attribute's type is the type that Numba gives the literal: `si64` (or `ui64`) for int, `f64` for float, `i1` for bool,
    `#complex.number` for complex, `#pyarray.ticks` for datetimes and timedeltas, a string for str, `unit` for None.

    ```mlir
    %0 = pyarray.constant 3 : si64 -> !pyarray.any
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PyArray_CallableOp : PyArray_Op<"callable", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function as a value";
  let description = [{
    A string names a builtin by its canonical name (a row of lib/ir/builtins.def), a symbol a compiled function. At
    level 2 the result's type says the same, and the value occupies nothing; a function of which there are only instances then is
    `"compiled:f"`.
  }];
  let arguments = (ins PyArray_CallableName:$name);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$name attr-dict `->` type($result)";
}

def PyArray_FrozenArrayOp : PyArray_Op<"frozen_array", [Pure]> {
  let summary = "a global array with the contents it had at compile time";
  let description = [{
    The elements in C order. The result is readonly. Those of datetimes and timedeltas are `si64`, and `of` says what they count:

    ```mlir
    %0 = pyarray.frozen_array dense<[0, 31]> : tensor<2xsi64> of !pyarray.datetime<"D"> -> !pyarray.any
    ```
  }];
  let arguments = (ins ElementsAttr:$value, OptionalAttr<TypeAttr>:$element);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$value (`of` $element^)? attr-dict `->` type($result)";
  let hasVerifier = 1;
}

def PyArray_FrozenOp : PyArray_Op<"frozen", [Pure]> {
  let summary = "a global list, dict or set with the contents it had at compile time";
  let description = [{
    The contents are bytes that the runtime makes the object of, once for the compiled code (lib/runtime/objects/frozen.c). The type says that nothing
    may change it:

    ```mlir
    %0 = pyarray.frozen "..." : !pyarray.tagged<"frozen", unit, !pyarray.list<si64>> -> !pyarray.any
    ```
  }];
  let arguments = (ins StrAttr:$contents, TypeAttr:$type);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$contents `:` $type attr-dict `->` type($result)";
}

def PyArray_UnboundOp : PyArray_Op<"unbound", [Pure]> {
  let summary = "the value of a variable that is not bound";
  let description = "Never read: a check that raises UnboundLocalError, or a raise, comes first. Bottom for type inference.";
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def PyArray_CastOp : PyArray_Op<"cast", [Pure]> {
  let summary = "conversion between number, array-layout or tuple types";
  let description = [{
    Integers wrap; a float becomes an integer by truncation (saturating, NaN is 0); bool is 0 or 1; anything to bool is
    a comparison with 0. An array may lose its layout (`C` to `A`), static extents, or become readonly; an extent that is not in its
    type may become the one that it is known to have.
  }];
  let arguments = (ins PyArray_Value:$operand);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

def PyArray_BinaryOp : PyArray_Op<"binary", [PyArray_EffectsByType]> {
  let summary = "a binary operator of Python";
  let description = [{
    `inplace` marks augmented assignment. On typed numbers both operands have the type of the result (shifts and `pow`: the
    left one). Integer overflow wraps. Division by zero raises ZeroDivisionError unless the function's `error_model` is "numpy".
    On arrays: elementwise with broadcasting.

    ```mlir
    %2 = pyarray.binary add %0, %1 : (f64, f64) -> f64
    ```
  }];
  let arguments = (ins PyArray_BinaryKindAttr:$kind, PyArray_Value:$lhs, PyArray_Value:$rhs, UnitAttr:$inplace);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs (`inplace` $inplace^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PyArray_UnaryOp : PyArray_Op<"unary", [PyArray_EffectsByType]> {
  let summary = "a unary operator of Python";
  let description = [{
    On typed numbers the operand has the type of the result. `not` gives i1 for any operand that has a truth value;
    `invert` of a bool is `not`, as in NumPy.
  }];
  let arguments = (ins PyArray_UnaryKindAttr:$kind, PyArray_Value:$operand);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$kind $operand attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PyArray_CompareOp : PyArray_Op<"compare", [PyArray_EffectsByType]> {
  let summary = "a comparison of Python";
  let description = [{
    On typed numbers the result is i1; with NaN everything but `ne` is false. Operands of two types, such as si64 and
    ui64 or f64, compare by their exact values. C pointers compare with pointers and with None, which is NULL. `is`, `isnot`,
    `in` and `notin` occur at level 1 only: type inference decides or expands them.
  }];
  let arguments = (ins PyArray_CompareKindAttr:$kind, PyArray_Value:$lhs, PyArray_Value:$rhs);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PyArray_TruthOp : PyArray_Op<"truth", [PyArray_EffectsByType, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Python's truth value, as an i1";
  let description = "Zero, None, the empty string and the empty tuple are false; NaN is true. An array has none.";
  let arguments = (ins PyArray_Value:$operand);
  let results = (outs I1:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Tuples, slices, elements, attributes
//===----------------------------------------------------------------------===//

def PyArray_TupleOp : PyArray_Op<"tuple", [Pure]> {
  let summary = "builds a tuple";
  let description = [{
    `%t = pyarray.tuple %a, %b : (f64, si64) -> tuple<f64, si64>`. The elements of a typed tuple are the types of the
    operands.
  }];
  let arguments = (ins Variadic<PyArray_Value>:$elements);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$elements attr-dict `:` functional-type($elements, results)";
  let hasVerifier = 1;
}

def PyArray_ListOp : PyArray_Op<"list"> {
  let summary = "builds a list";
  let description = [{
    A new list with these items. At level 2 they have the type of its items.

    ```mlir
    %l = pyarray.list %a, %b : (f64, f64) -> !pyarray.list<f64>
    ```
  }];
  let arguments = (ins Variadic<PyArray_Value>:$items);
  let results = (outs Res<PyArray_Value, "the new list", [MemAlloc<PyArray_Items>, MemAlloc<PyArray_Headers>]>:$result);
  let assemblyFormat = "$items attr-dict `:` functional-type($items, results)";
  let hasVerifier = 1;
}

def PyArray_DictOp : PyArray_Op<"dict", [PyArray_EffectsByType]> {
  let summary = "builds a dict";
  let description = [{
    A new dict; keys and values take turns among the operands. At level 2 they have the types of its keys and values.

    ```mlir
    %d = pyarray.dict %k, %v : (si64, f64) -> !pyarray.dict<si64, f64>
    ```
  }];
  let arguments = (ins Variadic<PyArray_Value>:$items);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$items attr-dict `:` functional-type($items, results)";
  let hasVerifier = 1;
}

def PyArray_SetOp : PyArray_Op<"set", [PyArray_EffectsByType]> {
  let summary = "builds a set";
  let arguments = (ins Variadic<PyArray_Value>:$items);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$items attr-dict `:` functional-type($items, results)";
  let hasVerifier = 1;
}

def PyArray_UnpackOp : PyArray_Op<"unpack", [PyArray_EffectsByType]> {
  let summary = "takes a tuple or one-dimensional array apart into as many values as there are results";
  let description = [{
    ValueError when an array has another number of elements; a tuple of another length is a typing error.
  }];
  let arguments = (ins PyArray_Value:$operand);
  let results = (outs Variadic<PyArray_Value>:$elements);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_SliceOp : PyArray_Op<"slice", [Pure]> {
  let summary = "a slice start:stop:step; absent parts are None";
  let description = [{
    A typed slice keeps in its type which parts are absent; the others are `si64`. Bounds are clamped where the slice
    is used; a step of 0 raises ValueError there.
  }];
  let arguments = (ins PyArray_Value:$start, PyArray_Value:$stop, PyArray_Value:$step);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$start `,` $stop `,` $step attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_GetItemOp : PyArray_Op<"getitem", [PyArray_EffectsByType]> {
  let summary = "subscript: an element, or a view where an index is a slice or is missing";
  let description = [{
    One index operand per element of the subscript tuple. A negative index counts from the end. IndexError when out of
    bounds, unless the function's `boundscheck` option is off. A C pointer takes one index, which is used as it is.

    ```mlir
    %2 = pyarray.getitem %a[%i, %j] : (!pyarray.array<?x?xf64, C>, si64, si64) -> f64
    ```
  }];
  let arguments = (ins PyArray_Value:$object, Variadic<PyArray_Value>:$indices);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$object `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_SetItemOp : PyArray_Op<"setitem", [PyArray_EffectsByType]> {
  let summary = "store to an element or, by broadcasting, to a view";
  let arguments = (ins PyArray_Value:$object, Variadic<PyArray_Value>:$indices, PyArray_Value:$value);
  let assemblyFormat = "$object `[` $indices `]` `=` $value attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_DelItemOp : PyArray_Op<"delitem", [PyArray_EffectsByType]> {
  let summary = "removes the item or items at an index, key or slice";
  let arguments = (ins PyArray_Value:$object, Variadic<PyArray_Value>:$indices);
  let assemblyFormat = "$object `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_GetAttrOp : PyArray_Op<"getattr", [PyArray_EffectsByType]> {
  let summary = "attribute of a value";
  let description = [{
    Level 2 knows shape, strides (in bytes), ndim, size, nbytes, itemsize, T and dtype of arrays, and real and imag of
    numbers. Attributes of modules are resolved by the frontend; fields of instances of classes become `pyarray.getfield`.
  }];
  let arguments = (ins PyArray_Value:$object, StrAttr:$name);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$object $name attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_FieldOp : PyArray_Op<"field", [Pure]> {
  let summary = "a view of a field of one record, or of all records of an array";
  let description = [{
    The operand holds the bytes of records, its last axis, whose extent is known. The result has its other axes, those of `extents`, which
    the field has where it is a sub-array, and, where it is made of items that are bytes, their bytes as a last axis of known extent.
    Elements lie at multiples of their alignment, and of their size from each other.

    ```mlir
    %x = pyarray.field %a at 8 : !pyarray.array<?x16xui8, C> -> !pyarray.array<?xf64, A>
    %m = pyarray.field %r at 0 shape [2, 3] : !pyarray.array<48xui8, C> -> !pyarray.array<?x?xf64, C>
    ```
  }];
  let arguments = (ins PyArray_Value:$record, I64Attr:$offset, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$extents);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$record `at` $offset (`shape` $extents^)? attr-dict `:` type($record) `->` type($result)";
  let hasVerifier = 1;
}

def PyArray_GetFieldOp : PyArray_Op<"getfield", [PyArray_EffectsByType]> {
  let summary = "field of an instance of a class";
  let description = [{
    From level 2 on. AttributeError where the field holds an object, an array or text, and was never set. From level 3 on the result is owned, unless it is
    `borrowed`: then the instance holds it until behind its last use.

    ```mlir
    %x = pyarray.getfield %p "x" : (!pyarray.object<"m:Point#0">) -> f64
    ```
  }];
  let arguments = (ins PyArray_Instance:$object, StrAttr:$name, UnitAttr:$borrowed);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$object $name (`borrowed` $borrowed^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_SetAttrOp : PyArray_Op<"setattr", [PyArray_EffectsByType]> {
  let summary = "store to a field of an instance of a class";
  let description = [{
    At level 2 the value has the field's type. At level 1 it may also be a property with a setter.

    ```mlir
    pyarray.setattr %p "x" = %v : (!pyarray.object<"m:Point#0">, f64) -> ()
    ```
  }];
  let arguments = (ins PyArray_Value:$object, StrAttr:$name, PyArray_Value:$value);
  let assemblyFormat = "$object $name `=` $value attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_NewOp : PyArray_Op<"new"> {
  let summary = "a new instance of a class, whose fields are zero";
  let description = [{
    The name is one of the module's attribute `pyarray.classes`. Fields that hold objects raise AttributeError until they are set.

    ```mlir
    %p = pyarray.new "m:Point#0" : !pyarray.object<"m:Point#0">
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let results = (outs Res<PyArray_Instance, "the new instance", [MemAlloc<PyArray_Fields>, MemAlloc<PyArray_Headers>]>:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def PyArray_ApplyOp : PyArray_Op<"apply", [PyArray_EffectsByType]> {
  let summary = "an untyped call; the last operands are keyword arguments named by `kw`";
  let description = [{
    Level 1 only: type inference binds the arguments to parameters and makes it a `pyarray.call` or `pyarray.builtin`. `spread`
    numbers those operands (the callee is number 0) that are tuples whose elements are arguments: `f(x, *t)`.
  }];
  let arguments = (ins PyArray_Untyped:$callee, Variadic<PyArray_Untyped>:$arguments, DefaultValuedAttr<StrArrayAttr, "{}">:$kw,
                       OptionalAttr<DenseI64ArrayAttr>:$spread);
  let results = (outs PyArray_Untyped:$result);
  let assemblyFormat = "$callee `(` $arguments `)` (`kw` $kw^)? (`spread` $spread^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_MethodOp : PyArray_Op<"method", [PyArray_EffectsByType]> {
  let summary = "an untyped method call";
  let description = "Level 1 only: `%a.copy()` becomes the builtin `array.copy` with the object as its first operand.";
  let arguments = (ins PyArray_Untyped:$object, StrAttr:$name, Variadic<PyArray_Untyped>:$arguments, DefaultValuedAttr<StrArrayAttr, "{}">:$kw,
                       OptionalAttr<DenseI64ArrayAttr>:$spread);
  let results = (outs PyArray_Untyped:$result);
  let assemblyFormat = "$object $name `(` $arguments `)` (`kw` $kw^)? (`spread` $spread^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_ClosureOp : PyArray_Op<"closure", [Pure]> {
  let summary = "a nested function or lambda with the values that it captures";
  let description = [{
    Level 1 only. The captured values are the function's first parameters. Type inference makes of it the tuple of these.

    ```mlir
    %f = pyarray.closure @outer.f(%a) : (!pyarray.any) -> !pyarray.any
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$function, Variadic<PyArray_Untyped>:$captured);
  let results = (outs PyArray_Untyped:$result);
  let assemblyFormat = "$function `(` $captured `)` attr-dict `:` functional-type(operands, results)";
}

def PyArray_CallOp : PyArray_Op<"call", [PyArray_EffectsByType, DeclareOpInterfaceMethods<CallOpInterface, ["resolveCallable", "resolveCallableInTable"]>,
                                      DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a call of a typed instance";
  let description = "The callee is a function of the module whose type is exactly that of operands and result.";
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<PyArray_Value>:$arguments);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    // Arguments and results have no attributes.
    ::mlir::ArrayAttr getArgAttrsAttr() { return {}; }
    ::mlir::ArrayAttr getResAttrsAttr() { return {}; }
    void setArgAttrsAttr(::mlir::ArrayAttr) {}
    void setResAttrsAttr(::mlir::ArrayAttr) {}
    ::mlir::Attribute removeArgAttrsAttr() { return {}; }
    ::mlir::Attribute removeResAttrsAttr() { return {}; }
  }];
}

def PyArray_BuiltinOp : PyArray_Op<"builtin", [PyArray_EffectsByType]> {
  let summary = "a typed call of a builtin";
  let description = [{
    Operands are in the order and types that the typing rule of the row of lib/ir/builtins.def gives; `builtins.range`
    has always three.
  }];
  let arguments = (ins StrAttr:$name, Variadic<PyArray_Value>:$arguments);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$name `(` $arguments `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

include "PyArrayControlFlow.td"
include "PyArrayWholeArrays.td"

#endif // PYARRAY_OPS_TD
