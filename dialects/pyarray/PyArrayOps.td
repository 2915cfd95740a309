// Operations of the pyarray dialect, in one file: docs/dialect.md is made of it, and each has its constraints, effects and an example.
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

//===----------------------------------------------------------------------===//
// Iteration
//===----------------------------------------------------------------------===//

def PyArray_ForOp : PyArray_Op<"for", [RecursiveMemoryEffects, PyArray_EffectsByType, SingleBlockImplicitTerminator<"YieldOp">,
                                    DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getRegionIterArgs", "getYieldedValuesMutable",
                                                              "getLoopResults"]>,
                                    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "a for loop that always runs to its end";
  let description = [{
    The body's block arguments are the item and the loop-carried values.

    ```mlir
    %sum = pyarray.for (%i: si64, %acc: f64) in %range : !pyarray.range iter(%zero) {
      ...
      pyarray.yield %next : f64
    }
    ```
  }];
  let arguments = (ins PyArray_Value:$iterable, Variadic<PyArray_Value>:$inits);
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PyArray_YieldOp : PyArray_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["BreakableOp", "ForOp", "ReduceOp", "TryOp", "UfuncOp"]>]> {
  let summary = "ends the body of a for loop, a ufunc or a reduce, or a region of a try";
  let description = [{
    In a loop its operands are the loop-carried values of the next iteration, or the results of the loop after the last; in
    a ufunc they are the outputs of one point, in a reduce what is folded there, in a try its results; a breakable has none.
  }];
  let arguments = (ins Variadic<PyArray_Value>:$values);
  let builders = [OpBuilder<(ins), [{ /* nothing to yield */ }]>];
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def PyArray_IteratorOp : PyArray_Op<"iterator", [PyArray_EffectsByType]> {
  let summary = "what a loop goes over";
  let description = [{
    The operand itself where its items have positions. Of a dict, a set or a view of one: a tuple of the container and the version that it
    has now, so that `pyarray.iter_length` raises RuntimeError where the container has changed its keys since. Gone at level 3.
  }];
  let arguments = (ins PyArray_Value:$iterable);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$iterable attr-dict `:` functional-type($iterable, results)";
}

def PyArray_IterLengthOp : PyArray_Op<"iter_length", [PyArray_EffectsByType]> {
  let summary = "how many items an iteration over the operand yields";
  let description = [{
    For a range, an array (its first extent), a tuple or a list, as long as that is now; an si64 at level 2. Used by loops that can be
    left early.
  }];
  let arguments = (ins PyArray_Value:$iterable);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$iterable attr-dict `:` functional-type(operands, results)";
}

def PyArray_IterItemOp : PyArray_Op<"iter_item", [PyArray_EffectsByType]> {
  let summary = "item number `index` of an iteration, which is within its length";
  let description = [{
    An int64 of a range, an element or row of an array, an element of a tuple whose elements have one type.
  }];
  let arguments = (ins PyArray_Value:$iterable, PyArray_Value:$index);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$iterable `,` $index attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_IterMoreOp : PyArray_Op<"iter_more", [PyArray_EffectsByType]> {
  let summary = "whether an iteration yields an item number `index`";
  let description = [{
    Level 1 only, as the test of a loop that can be left early: `index < iter_length`, read anew for each item, or, where the operand is a
    generator, `pyarray.iter_next`.
  }];
  let arguments = (ins PyArray_Value:$iterable, PyArray_Value:$index);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$iterable `,` $index attr-dict `:` functional-type(operands, results)";
}

def PyArray_IterNextOp : PyArray_Op<"iter_next", [PyArray_EffectsByType]> {
  let summary = "runs a generator on to its next yield";
  let description = [{
    From level 2 on: whether there is a next item, and the item, which is owned, and undefined (owners are 0) where there is none.

    ```mlir
    %more, %x = pyarray.iter_next %g : (!pyarray.generator<f64>) -> (i1, f64)
    ```
  }];
  let arguments = (ins PyArray_Generator:$generator);
  let results = (outs I1:$more, PyArray_Value:$item);
  let assemblyFormat = "$generator attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_SuspendOp : PyArray_Op<"suspend", [PyArray_EffectsByType]> {
  let summary = "gives the generator's next item to whoever asks for it, and waits until the next one is asked for";
  let description = [{
    `yield x`, in a function with the attribute `pyarray.generator`. Calling such a function runs nothing and gives a `!pyarray.generator`; its
    `func.return` gives nothing and ends the iteration. A generator that is dropped raises GeneratorExit here.

    ```mlir
    pyarray.suspend %x : f64
    ```
  }];
  let arguments = (ins PyArray_Value:$item);
  let assemblyFormat = "$item attr-dict `:` type($item)";
  let hasVerifier = 1;
}

def PyArray_BreakableOp : PyArray_Op<"breakable", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "code that a `pyarray.break` in it leaves";
  let description = [{
    What a loop over a generator becomes where the loop can be left early and the generator's body is put in its place. Values go out
    through `pyarray.variable`s; what the code owns is released.

    ```mlir
    pyarray.breakable {
      ...
      scf.if %found { pyarray.break }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$body attr-dict";
}

def PyArray_BreakOp : PyArray_Op<"break", [PyArray_Raises]> {
  let summary = "leaves the innermost `pyarray.breakable`; what follows is never reached";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def PyArray_PrivateOp : PyArray_Op<"private", [AllTypesMatch<["array", "result"]>, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "an array that a loop over `prange` reduces, as one part of its iterations has it";
  let description = [{
    At the top of the loop's body. Where the loop runs on several threads, the result is a copy for each part, of the array's
    shape, whose elements begin with what changes nothing; after the loop the copies are combined with the array, element by
    element, in the order of the parts. Elsewhere it is the array itself. Nobody owns it.

    ```mlir
    %p = pyarray.private "add" %counts : !pyarray.array<?xsi64, C>
    ```
  }];
  let arguments = (ins StrAttr:$kind, Arg<PyArray_Value, "the array", [MemRead<PyArray_Elements>]>:$array);
  let results = (outs Res<PyArray_Value, "the copy", [MemAlloc<PyArray_Elements>]>:$result);
  let assemblyFormat = "$kind $array attr-dict `:` type($array)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Ufuncs
//===----------------------------------------------------------------------===//

def PyArray_UfuncOp : PyArray_Op<"ufunc", [AttrSizedOperandSegments, RecursiveMemoryEffects, PyArray_EffectsByType, SingleBlock]> {
  let summary = "a function applied at every point of the loop dimensions of arrays";
  let description = [{
    The signature names the core dimensions of each operand, as in NumPy's generalised ufuncs; what an operand has besides
    are loop dimensions, which broadcast. The body has an argument for each input, and one for each output if it yields
    nothing: the element where the operand has no core dimensions, else a view of them (layout A, or C where cores are known to
    be contiguous, perhaps with extents; of one element for an array argument without core dimensions). It yields the element
    of each output, or nothing and writes through the views.

    With outputs the operation writes there and has no results; without, its results are new arrays of layout C or F.
    Where `expanded` is set, outputs are given and all arrays have the same loop shape.
    Points are independent of each other and may be computed in any order, unless `carried` is set: then there is one loop
    dimension and one output, and the first input at each point but the first is the output of the point before.
    Where `packed` is set, operands that are not contiguous along the last loop dimension are copied to blocks that are.
    `unit_strides` says that along it inputs are contiguous or constant, and outputs contiguous; `strided` that some are neither.
    `grid` says that the points are for the threads of a GPU (`pyarray-map-grid`).
    `shapes` names the inputs of which the shape is checked, in the order in which an error tells them; the others broadcast to
    it for certain. `assigns` says that the operation stores to part of an array: its inputs broadcast to the output. `reuses` says that the one output is
    the memory of an input, which nothing reads afterwards, has the loop shape for certain, and shares memory with no other input.

    ```mlir
    pyarray.ufunc "(),()->()" ins(%a, %b : !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) outs(%o : !pyarray.array<?xf64, A>) {
    ^bb0(%x: f64, %y: f64):
      %s = pyarray.call @f$0(%x, %y) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
    ```
  }];
  let arguments = (ins StrAttr:$signature, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs,
                       UnitAttr:$packed, UnitAttr:$unit_strides, UnitAttr:$strided,
                       UnitAttr:$carried, UnitAttr:$grid, UnitAttr:$expanded,
                       UnitAttr:$assigns, UnitAttr:$reuses, OptionalAttr<DenseI64ArrayAttr>:$shapes);
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $signature (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    (`packed` $packed^)? (`unit_strides` $unit_strides^)? (`strided` $strided^)? (`carried` $carried^)? (`grid` $grid^)? (`expanded` $expanded^)? $body (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def PyArray_ContractOp : PyArray_Op<"contract", [AttrSizedOperandSegments, PyArray_EffectsByType]> {
  let summary = "sums of products of two arrays over a dimension that both have";
  let description = [{
    Letters name the dimensions of each operand, in order; a letter that the result lacks is summed over, and there is one. `...` stands for
    any number of dimensions before them, which broadcast. Of bools the product is `and`, the sum `or`; integers wrap.

    With an output the operation writes there and has no result; without, its result is a new array of layout C, or a number where no
    dimension is left. ValueError where extents differ.
    Where `expanded` is set, output and inputs have the same dimensions for `...`, and what is contracted is a product of matrices or vectors:
    `mk,kn->mn`, `mk,k->m`, `k,kn->n` or `k,k->`; the output overlaps with no input.

    ```mlir
    %c = pyarray.contract "...mk,...kn->...mn" ins(%a, %b : !pyarray.array<?x?xf64, C>, !pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, C>
    ```
  }];
  let arguments = (ins StrAttr:$contraction, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs, UnitAttr:$expanded);
  let results = (outs Variadic<PyArray_Value>:$results);
  let assemblyFormat = [{
    $contraction `ins` `(` $inputs `:` type($inputs) `)` (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`expanded` $expanded^)?
    (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def PyArray_ReduceOp : PyArray_Op<"reduce", [AttrSizedOperandSegments, RecursiveMemoryEffects, PyArray_EffectsByType, SingleBlock]> {
  let summary = "a function at every point of the loop dimensions of arrays, folded along some of them";
  let description = [{
    Inputs are arrays or numbers, which broadcast to the loop shape. The body has an argument for each input, its element, and yields a
    number for each word. `axes` are the dimensions of the loop shape that are folded, in order; what is left is the shape of each result, a number
    where nothing is left. Words:

    | word | what |
    |---|---|
    | `add` `mul` | sum and product of numbers; `nat_add` of timedeltas, one NaT makes the sum NaT |
    | `min` `max` | NaN where one is, complex numbers by real, then by imaginary part; `nat_min` `nat_max` of times |
    | `and` `or` `xor` | of bits. Where the body has no effects, `and` and `or` of `i1` may stop when nothing can change any more |
    | `argmin` `argmax` | `si64`, the position of the first such element in C order of the folded dimensions, a NaN before all; `nat_argmin` `nat_argmax` of times |

    `init` has the start of each fold, of the type that is yielded; none for positions. Without it a fold starts at what changes nothing, and ValueError is raised where
    `min`, `max` or a position over no element is asked for; `pyarray.name` is the function of which the message tells.

    Sums of floats and complex numbers are those of NumPy to the bit: it steps through the memory of the input, and adds pairwise along the innermost
    dimension where that is folded, elsewhere one row to the next. `order`, "C" or "F", says that the elements lie as in a new array of this layout:
    where a producer is computed in the body that would have been written there. With `buffered` the elements of that array would have been cast, which NumPy does
    8192 at a time.

    With `outs` results are written there. Where `expanded` is set, all arrays have the same loop shape, outputs that of the result, and results are numbers.
    `shapes` names the inputs of which the loop shape is checked; all without it.

    ```mlir
    %s = pyarray.reduce ["add"] axes [1] ins(%a, %b : !pyarray.array<?x?xf64, C>, !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64, %y: f64):
      %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
      pyarray.yield %p : f64
    } -> !pyarray.array<?xf64, C>
    ```
  }];
  let arguments = (ins StrArrayAttr:$words, DenseI64ArrayAttr:$axes, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$initial,
                       Variadic<PyArray_Value>:$outputs, OptionalAttr<StrAttr>:$order, UnitAttr:$buffered, OptionalAttr<DenseI64ArrayAttr>:$shapes, UnitAttr:$expanded);
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $words `axes` $axes `ins` `(` $inputs `:` type($inputs) `)` (`init` `(` $initial^ `:` type($initial) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`order` $order^)? (`buffered` $buffered^)? (`expanded` $expanded^)? $body (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def PyArray_UfuncShapeOp : PyArray_Op<"ufunc_shape", [AttrSizedOperandSegments, PyArray_Raises]> {
  let summary = "the loop dimensions to which operands of a ufunc broadcast, then the sizes of its core dimensions";
  let description = [{
    One result for each loop dimension and one for each name in the signature, in order of appearance. ValueError where
    shapes do not fit. Outputs, where given, must have the loop shape already. With `assigns` the loop shape is that of the output,
    to which the inputs broadcast.
  }];
  let arguments = (ins StrAttr:$signature, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs,
                       UnitAttr:$assigns);
  let results = (outs Variadic<PyArray_Value>:$sizes);
  let assemblyFormat = [{
    $signature (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict (`:` type($sizes)^)?
  }];
  let hasVerifier = 1;
}

def PyArray_BroadcastToOp : PyArray_Op<"broadcast_to", [Pure]> {
  let summary = "a view with these loop dimensions before the array's core dimensions";
  let description = [{
    Loop dimensions that the array lacks, or in which it has extent 1, get stride 0. The array's last axes beyond the result's
    loop dimensions are core dimensions and stay. The shape is that of `pyarray.ufunc_shape`.
  }];
  let arguments = (ins PyArray_Value:$array, Variadic<PyArray_Value>:$extents);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$array `to` `(` $extents `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_InsertAxesOp : PyArray_Op<"insert_axes", [Pure]> {
  let summary = "a view with more axes, of extent 1";
  let description = [{
    `axes` are their places among those of the result, in order.

    ```mlir
    %b = pyarray.insert_axes %a [1] : (!pyarray.array<?xf64, A>) -> !pyarray.array<?x?xf64, A>
    ```
  }];
  let arguments = (ins PyArray_Value:$array, DenseI64ArrayAttr:$axes);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$array $axes attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_TransposeOp : PyArray_Op<"transpose", [Pure]> {
  let summary = "a view with the axes in another order";
  let description = [{
    Axis `i` of the result is the array's axis `axes[i]`.

    ```mlir
    %b = pyarray.transpose %a [0, 2, 1] : (!pyarray.array<?x?x?xf64, C>) -> !pyarray.array<?x?x?xf64, A>
    ```
  }];
  let arguments = (ins PyArray_Value:$array, DenseI64ArrayAttr:$axes);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$array $axes attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_OrderDimensionsOp : PyArray_Op<"order_dimensions", [Pure]> {
  let summary = "views of the same elements whose loop dimensions are merged and sorted by stride";
  let description = [{
    The arrays have the same loop shape. Dimensions that can be stepped through as one for all arrays are merged, the others
    sorted so that the smallest strides come last, and dimensions that all arrays run through backwards are reversed.
    Dimensions left over come first, with extent 1.
  }];
  let arguments = (ins Variadic<PyArray_Value>:$arrays, I64Attr:$loop_rank);
  let results = (outs Variadic<PyArray_Value>:$results);
  let assemblyFormat = "$arrays `rank` $loop_rank attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_IndependentOp : PyArray_Op<"independent", [AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "whether no output shares memory with another point of an input";
  let description = [{
    True where each output is apart from each input, or, unless `apart` is set, is the same array with the same strides.
    May be false without need, for arrays that are interleaved.
  }];
  let arguments = (ins Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs, UnitAttr:$apart);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`apart` $apart^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def PyArray_InnerStridesOp : PyArray_Op<"inner_strides", [AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "whether inputs are contiguous or constant along their last axis, and outputs contiguous";
  let description = "An input may have stride 0 or 1 there, in elements, an output 1.";
  let arguments = (ins Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Exceptions and ownership
//===----------------------------------------------------------------------===//

def PyArray_TryOp : PyArray_Op<"try", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "runs its first region; where that raises, the second one handles the exception";
  let description = [{
    The results are what the region yields that ran to its end. The second region uses only values from before the try and
    `pyarray.variable`s. Where it ends, the exception is forgotten; `pyarray.reraise` hands it on.

    ```mlir
    %r = pyarray.try {
      pyarray.yield %a : f64
    } except {
      %is = pyarray.caught ["ZeroDivisionError"]
      ...
      pyarray.yield %b : f64
    } : f64
    ```
  }];
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$handler);
  let assemblyFormat = "$body `except` $handler (`:` type($results)^)? attr-dict";
  let hasVerifier = 1;
}

def PyArray_CaughtOp : PyArray_Op<"caught", [PyArray_AsksException, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "whether the exception being handled is an instance of one of the classes";
  let description = "In the second region of a `pyarray.try`. Classes are named as those of `pyarray.raise`.";
  let arguments = (ins StrArrayAttr:$classes);
  let results = (outs I1:$result);
  let assemblyFormat = "$classes attr-dict";
  let hasVerifier = 1;
}

def PyArray_ExceptionOp : PyArray_Op<"exception", [PyArray_AsksException]> {
  let summary = "the exception being handled";
  let description = [{
    In the second region of a `pyarray.try`, and valid within it. `classes` are those that it is caught as. At level 2 the type says
    what types its arguments have.
  }];
  let arguments = (ins StrArrayAttr:$classes);
  let results = (outs PyArray_Handled:$result);
  let assemblyFormat = "$classes attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def PyArray_ReraiseOp : PyArray_Op<"reraise", [PyArray_Raises]> {
  let summary = "raises the exception being handled again; what follows is never reached";
  let description = [{
    Its traceback is kept. With an operand that exception is raised, and its traceback gets this place too: `raise e`. Outside of a handler it is what a
    caller handles, and a RuntimeError where that is nothing.
  }];
  let arguments = (ins Variadic<PyArray_Handled>:$exception);
  let assemblyFormat = "(`(` $exception^ `:` type($exception) `)`)? attr-dict";
}

def PyArray_RaiseOp : PyArray_Op<"raise", [PyArray_Raises]> {
  let summary = "raises a Python exception; what follows is never reached";
  let description = [{
    `exception` is the name of a builtin class or `module:qualname`; of the latter, `bases` are the names of its base classes.
  }];
  let arguments = (ins StrAttr:$exception, Variadic<PyArray_Value>:$arguments, OptionalAttr<StrArrayAttr>:$bases);
  let assemblyFormat = "$exception `(` $arguments `)` (`bases` $bases^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_CauseOp : PyArray_Op<"cause", [PyArray_Raises]> {
  let summary = "what the raise that follows names after `from`";
  let description = [{
    An exception that is being handled, a new one of class `exception`, or None, which has neither class nor operand.

    ```mlir
    pyarray.cause (%e) : (!pyarray.any) -> ()
    pyarray.raise "ValueError"() : () -> ()
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$exception, Variadic<PyArray_Value>:$arguments, OptionalAttr<StrArrayAttr>:$bases);
  let assemblyFormat = "($exception^)? `(` $arguments `)` (`bases` $bases^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Variables in memory
//===----------------------------------------------------------------------===//

def PyArray_VariableOp : PyArray_Op<"variable"> {
  let summary = "stack memory for a variable";
  let description = [{
    For a variable that a `pyarray.try` assigns and its handler reads. Holds nothing at first; what is stored is retained, and released
    with the last use. At level 2 a `!pyarray.variable` of the joined type of all that is stored.
  }];
  let results = (outs Res<PyArray_VariableMemory, "the memory", [MemAlloc<PyArray_Variables>, MemAlloc<PyArray_Headers>]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def PyArray_LoadOp : PyArray_Op<"load", [PyArray_EffectsByType]> {
  let summary = "what a `pyarray.variable` holds";
  let arguments = (ins PyArray_VariableMemory:$variable);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$variable attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def PyArray_StoreOp : PyArray_Op<"store", [PyArray_EffectsByType]> {
  let summary = "assigns to a `pyarray.variable`";
  let arguments = (ins PyArray_Value:$value, PyArray_VariableMemory:$variable);
  let assemblyFormat = "$value `,` $variable attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def PyArray_RetainOp : PyArray_Op<"retain"> {
  let summary = "takes one more reference to the memory of an array";
  let description = "Level 3. Of a tuple: to each array in it.";
  let arguments = (ins Arg<PyArray_Managed, "what is held", [MemWrite<PyArray_Headers>]>:$array);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

def PyArray_ReleaseOp : PyArray_Op<"release", [PyArray_EffectsByType]> {
  let summary = "gives a reference up; the last one frees the memory";
  let description = "Level 3. Of a tuple: of each array in it. Arguments are borrowed and never freed by compiled code.";
  let arguments = (ins PyArray_Managed:$array);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

#endif // PYARRAY_OPS_TD
