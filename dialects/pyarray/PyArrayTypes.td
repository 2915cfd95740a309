// Types and enumerations of the pyarray dialect.
#ifndef PYARRAY_TYPES_TD
#define PYARRAY_TYPES_TD

include "PyArrayDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class PyArray_Type<string name, string typeMnemonic> : TypeDef<PyArray_Dialect, name> {
  let mnemonic = typeMnemonic;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class PyArray_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pyarray";
}

def PyArray_Layout : PyArray_Enum<"Layout", "memory layout of an array", [
  I32EnumAttrCase<"C", 0>, I32EnumAttrCase<"F", 1>, I32EnumAttrCase<"A", 2>]> {
  let genSpecializedAttr = 0;
}

def PyArray_BinaryKindAttr : PyArray_Enum<"BinaryKind", "Python's binary operators", [
  I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Sub", 1, "sub">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"TrueDiv", 3, "truediv">, I32EnumAttrCase<"FloorDiv", 4, "floordiv">, I32EnumAttrCase<"Mod", 5, "mod">,
  I32EnumAttrCase<"Pow", 6, "pow">, I32EnumAttrCase<"LShift", 7, "lshift">, I32EnumAttrCase<"RShift", 8, "rshift">,
  I32EnumAttrCase<"And", 9, "and">, I32EnumAttrCase<"Or", 10, "or">, I32EnumAttrCase<"Xor", 11, "xor">,
  I32EnumAttrCase<"MatMul", 12, "matmul">]>;

def PyArray_UnaryKindAttr : PyArray_Enum<"UnaryKind", "Python's unary operators", [
  I32EnumAttrCase<"Neg", 0, "neg">, I32EnumAttrCase<"Pos", 1, "pos">, I32EnumAttrCase<"Invert", 2, "invert">,
  I32EnumAttrCase<"Not", 3, "not">]>;

def PyArray_CompareKindAttr : PyArray_Enum<"CompareKind", "Python's comparison operators", [
  I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">, I32EnumAttrCase<"Lt", 2, "lt">,
  I32EnumAttrCase<"Le", 3, "le">, I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">,
  I32EnumAttrCase<"Is", 6, "is">, I32EnumAttrCase<"IsNot", 7, "isnot">, I32EnumAttrCase<"In", 8, "in">,
  I32EnumAttrCase<"NotIn", 9, "notin">]>;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def PyArray_AnyType : PyArray_Type<"Any", "any"> {
  let summary = "a Python value whose type is not known yet";
  let description = "The type of every value at the untyped level.";
}

def PyArray_NoneType : PyArray_Type<"None", "none"> {
  let summary = "the type of None";
  let description = "A value of it occupies nothing.";
}

def PyArray_StrType : PyArray_Type<"Str", "str"> {
  let summary = "a Python str";
  let description = "Immutable text of code points, on the heap or a literal of the program.";
}

def PyArray_BytesType : PyArray_Type<"Bytes", "bytes"> {
  let summary = "a Python bytes";
  let description = "Immutable bytes, on the heap or a literal of the program.";
}

def PyArray_BytearrayType : PyArray_Type<"Bytearray", "bytearray"> {
  let summary = "a Python bytearray";
  let description = "Bytes that change, laid out as a list of them; items are int64 to compiled code.";
}

def PyArray_RangeType : PyArray_Type<"Range", "range"> {
  let summary = "a Python range over int64";
  let description = "Start, stop and step, all `si64`.";
}

def PyArray_CallableType : PyArray_Type<"Callable", "callable"> {
  let summary = "one particular function";
  let description = [{
    `!pyarray.callable<"math.sqrt">` is a builtin by its canonical name, `!pyarray.callable<@f>` a compiled function. The
    type says which function it is, so a value of it occupies nothing.
  }];
  let parameters = (ins "::mlir::Attribute":$name);
  let assemblyFormat = "`<` $name `>`";
  let genVerifyDecl = 1;
}

def PyArray_SliceType : PyArray_Type<"Slice", "slice"> {
  let summary = "a Python slice";
  let description = "`!pyarray.slice<si64, si64, !pyarray.none>` is the type of `a:b`; absent parts have type none.";
  let parameters = (ins "::mlir::Type":$start, "::mlir::Type":$stop, "::mlir::Type":$step);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $start `,` $stop `,` $step `>`";
}

def PyArray_ArrayType : PyArray_Type<"Array", "array"> {
  let summary = "a NumPy array that is memory";
  let description = [{
    `!pyarray.array<?x?xf64, C>`: extents (`?` when known at run time only), element type, and memory layout as in NumPy's flags:
    `C` row-major, `F` column-major, `A` any strides. `!pyarray.array<?xsi32, A, readonly>` refuses stores. Element types: `i1`,
    `si8..si64`, `ui8..ui64`, `bf16 f16 f32 f64`, `complex<f32>`, `complex<f64>`, datetimes and timedeltas. Two values of array type may name overlapping memory.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::pyarray::Layout":$layout, "bool":$readonly);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    static bool isValidElementType(::mlir::Type type);
  }];
}

class PyArray_TimeType<string name, string typeMnemonic> : PyArray_Type<name, typeMnemonic> {
  let parameters = (ins StringRefParameter<>:$unit);
  let assemblyFormat = "`<` $unit `>`";
  let genVerifyDecl = 1;
}

def PyArray_DatetimeType : PyArray_TimeType<"Datetime", "datetime"> {
  let summary = "a NumPy datetime64";
  let description = [{
    `!pyarray.datetime<"D">` counts days from 1970-01-01 in the proleptic Gregorian calendar, as an int64 whose least value is NaT.
    Units are NumPy's: `Y M W D h m s ms us ns ps fs as`, with a multiple as in `"25s"`, and `generic`.
  }];
}

def PyArray_TimedeltaType : PyArray_TimeType<"Timedelta", "timedelta"> {
  let summary = "a NumPy timedelta64";
  let description = "`!pyarray.timedelta<\"ms\">` is a number of milliseconds. Units and NaT are those of `!pyarray.datetime`.";
}

def PyArray_PointerType : PyArray_Type<"Pointer", "pointer"> {
  let summary = "a C pointer to numbers";
  let description = [{
    `!pyarray.pointer<f64>` is `double *`, `!pyarray.pointer<!pyarray.none>` is `void *`. Pointees are the element types of arrays;
    while types are inferred also records, a pointer to which is emitted as `void *`.
    A value of it comes from a C caller; nothing is known of the memory that it points to, and nobody here owns it.
  }];
  let parameters = (ins "::mlir::Type":$pointee);
  let assemblyFormat = "`<` $pointee `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = "static bool isValidPointee(::mlir::Type type);";
}

class PyArray_HolderType<string name, string typeMnemonic> : PyArray_Type<name, typeMnemonic> {
  let parameters = (ins "::mlir::Type":$item);
  let assemblyFormat = "`<` $item `>`";
  let genVerifyDecl = 1;
}

def PyArray_ListType : PyArray_HolderType<"List", "list"> {
  let summary = "a Python list whose items have one type";
  let description = [{
    `!pyarray.list<si64>`, on the heap and shared by all that hold it. During type inference `!pyarray.list<!pyarray.any>` is a list of
    which no item is known yet.
  }];
}

def PyArray_SetType : PyArray_HolderType<"Set", "set"> {
  let summary = "a Python set whose items have one type";
  let description = "`!pyarray.set<si64>`. Items are hashable: numbers, text, bytes, and tuples of these.";
}

def PyArray_FrozenSetType : PyArray_HolderType<"FrozenSet", "frozenset"> {
  let summary = "a Python frozenset whose items have one type";
  let description = "`!pyarray.frozenset<si64>`: a set that does not change, and that is hashable.";
}

def PyArray_DequeType : PyArray_HolderType<"Deque", "deque"> {
  let summary = "a collections.deque whose items have one type";
  let description = "`!pyarray.deque<si64>`: laid out as a list, with room before its first item, and perhaps with a most length.";
}

def PyArray_DictType : PyArray_Type<"Dict", "dict"> {
  let summary = "a Python dict whose keys have one type and whose values have one";
  let description = "`!pyarray.dict<!pyarray.str, f64>`, in order of insertion. Keys are hashable.";
  let parameters = (ins "::mlir::Type":$key, "::mlir::Type":$value);
  let assemblyFormat = "`<` $key `,` $value `>`";
  let genVerifyDecl = 1;
}

def PyArray_OptionalType : PyArray_HolderType<"Optional", "optional"> {
  let summary = "a value or None";
  let description = "`!pyarray.optional<f64>`: a float64, or None.";
}

def PyArray_TaggedType : PyArray_Type<"Tagged", "tagged"> {
  let summary = "during type inference, a value that means more than its representation says";
  let description = [{
    `!pyarray.tagged<"zip", unit, tuple<!pyarray.list<si64>, !pyarray.range>>` is represented by that tuple, and so it is from level 2 on.
    Kinds: `enumerate`, `zip` and `reversed` hold what they iterate over; `function` what it captured, and its tag is the symbol; `namedtuple`
    its fields, `enum` the member's number, `int enum` and `flag` its value, and their tags name the class; `vector` its elements; `record` and `records` their bytes,
    and the tag of these three is the type code of an item: `!pyarray.tagged<"records", "{16,x@0:d,y@8:q}", !pyarray.array<?x16xui8, C>>`.
  }];
  let parameters = (ins StringRefParameter<>:$kind, "::mlir::Attribute":$tag, "::mlir::Type":$item);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $kind `,` $tag `,` $item `>`";
}

def PyArray_GeneratorType : PyArray_HolderType<"Generator", "generator"> {
  let summary = "a function that has stopped at a yield, or has not begun";
  let description = [{
    `!pyarray.generator<si64>` yields int64, whichever function made it. What it holds, parameters and local variables, lies in its frame on the
    heap.
  }];
}

def PyArray_CellType : PyArray_HolderType<"Cell", "cell"> {
  let summary = "a variable that several functions share";
  let description = "`!pyarray.cell<si64>`: what `nonlocal` assigns to.";
}

def PyArray_VariableType : PyArray_HolderType<"Variable", "variable"> {
  let summary = "stack memory of one function for a variable";
  let description = "`!pyarray.variable<f64>`: what `pyarray.variable` makes.";
}

def PyArray_ExceptionType : PyArray_Type<"Exception", "exception"> {
  let summary = "an exception that is being handled";
  let description = [{
    `!pyarray.exception<tuple<si64, f64>>`: `args` has that type; `!pyarray.none` where it is not known. Valid within the handler.
  }];
  let parameters = (ins "::mlir::Type":$arguments);
  let assemblyFormat = "`<` $arguments `>`";
}

def PyArray_ObjectType : PyArray_Type<"Object", "object"> {
  let summary = "an instance of a compiled class";
  let description = [{
    `!pyarray.object<"module:Class#0">`: the class of that name in the module's attribute `pyarray.classes`, which has its fields, so that
    a class may have fields of its own type. The number tells classes of one name apart.
  }];
  let parameters = (ins StringRefParameter<>:$name);
  let assemblyFormat = "`<` $name `>`";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class PyArray_Attr<string name, string attrMnemonic> : AttrDef<PyArray_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def PyArray_TicksAttr : PyArray_Attr<"Ticks", "ticks"> {
  let summary = "a datetime or timedelta";
  let description = "`#pyarray.ticks<18262 : !pyarray.datetime<\"D\">>` is 2020-01-01: how many units it is.";
  let parameters = (ins "int64_t":$count, "::mlir::Type":$type);
  let assemblyFormat = "`<` $count `:` $type `>`";
  let genVerifyDecl = 1;
}

def PyArray_OpaqueAttr : PyArray_Attr<"Opaque", "opaque"> {
  let summary = "a default argument that is no compile-time constant";
  let description = "A call that leaves the argument out cannot be compiled.";
}

#endif // PYARRAY_TYPES_TD
