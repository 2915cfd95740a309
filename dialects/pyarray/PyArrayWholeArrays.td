// Operations on whole arrays: ufuncs, products, reductions, views. Part of PyArrayOps.td.

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
    `unit_strides` says that along it inputs are contiguous or constant, and outputs contiguous; `strided` that some are neither; `seldom` that another copy
    of the operation is what mostly runs, so that this one is to be small.
    `grid` says that the points are for the threads of a GPU (`pyarray-map-grid`).
    `shapes` names the inputs of which the shape is checked, in the order in which an error tells them; the others broadcast to
    it for certain. `assigns` says that the operation stores to part of an array: its inputs broadcast to the output. `reuses` says that the one output is
    the memory of an input, which nothing reads afterwards, has the loop shape for certain, and shares memory with no other input. `independent` says of given outputs
    that each shares memory with no other operand, or is one.

    ```mlir
    pyarray.ufunc "(),()->()" ins(%a, %b : !pyarray.array<?xf64, A>, !pyarray.array<?xf64, A>) outs(%o : !pyarray.array<?xf64, A>) {
    ^bb0(%x: f64, %y: f64):
      %s = pyarray.call @f$0(%x, %y) : (f64, f64) -> f64
      pyarray.yield %s : f64
    }
    ```
  }];
  let arguments = (ins StrAttr:$signature, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs,
                       UnitAttr:$packed, UnitAttr:$unit_strides, UnitAttr:$strided, UnitAttr:$seldom,
                       UnitAttr:$carried, UnitAttr:$grid, UnitAttr:$expanded,
                       UnitAttr:$assigns, UnitAttr:$reuses, UnitAttr:$independent, OptionalAttr<DenseI64ArrayAttr>:$shapes);
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $signature (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    (`packed` $packed^)? (`unit_strides` $unit_strides^)? (`strided` $strided^)? (`seldom` $seldom^)? (`carried` $carried^)? (`grid` $grid^)? (`expanded` $expanded^)? $body (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def PyArray_LaunchOp : PyArray_Op<"launch", [PyArray_EffectsByType, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel on a GPU, over arrays that lie there";
  let description = [{
    Level 3, in functions with the option `offload`. The kernel is a function of the module with `pyarray.kernel`, whose parameters are the operands; it is
    enqueued, and nobody waits for it. Operands from number `outputs` on are written. Its grid is made for the points of operand `points`; with `fold`
    each of them takes a team of threads, otherwise a thread. With `sized` the first two operands are how many blocks there are, which may be
    none, and the threads of each.

    ```mlir
    pyarray.launch @f$0.kernel0(%a, %s, %o) outputs 2 points 2 : !pyarray.array<?xf64, C>, f64, !pyarray.array<?xf64, C>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<PyArray_Value>:$operands, I64Attr:$outputs, I64Attr:$points, UnitAttr:$fold, UnitAttr:$sized);
  let assemblyFormat = "$kernel `(` $operands `)` `outputs` $outputs `points` $points (`fold` $fold^)? (`sized` $sized^)? attr-dict `:` type($operands)";
}

def PyArray_ContractOp : PyArray_Op<"contract", [AttrSizedOperandSegments, PyArray_EffectsByType]> {
  let summary = "sums of products of two arrays over a dimension that both have";
  let description = [{
    Letters name the dimensions of each operand, in order; a letter that the result lacks is summed over, and there is one. `...` stands for
    any number of dimensions before them, which broadcast. Of bools the product is `and`, the sum `or`; integers wrap.

    With an output the operation writes there and has no result; without, its result is a new array of layout C, or a number where no
    dimension is left. ValueError where extents differ.
    Where `expanded` is set, output and inputs have the same dimensions for `...`, and what is contracted is a product of matrices or vectors:
    `mk,kn->mn`, `mk,k->m`, `k,kn->n` or `k,k->`; the output overlaps with no input. Where `adds` is set, too, each sum, once it is complete,
    is added to what the output has there; with `negated` it is subtracted from that.

    ```mlir
    %c = pyarray.contract "...mk,...kn->...mn" ins(%a, %b : !pyarray.array<?x?xf64, C>, !pyarray.array<?x?xf64, C>) -> !pyarray.array<?x?xf64, C>
    ```
  }];
  let arguments = (ins StrAttr:$contraction, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs, UnitAttr:$expanded,
    UnitAttr:$adds, UnitAttr:$negated);
  let results = (outs Variadic<PyArray_Value>:$results);
  let assemblyFormat = [{
    $contraction `ins` `(` $inputs `:` type($inputs) `)` (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`expanded` $expanded^)?
    (`adds` $adds^ (`negated` $negated^)?)? (`->` type($results)^)? attr-dict
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
    `grid` says that a GPU's threads fold together. Outputs have one more dimension then, the first: the parts that what is folded is cut into.
    Sums of `f32` may be stored to outputs of `f16` and `bf16` then, rounded.

    ```mlir
    %s = pyarray.reduce ["add"] axes [1] ins(%a, %b : !pyarray.array<?x?xf64, C>, !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64, %y: f64):
      %p = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
      pyarray.yield %p : f64
    } -> !pyarray.array<?xf64, C>
    ```
  }];
  let arguments = (ins StrArrayAttr:$words, DenseI64ArrayAttr:$axes, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$initial,
                       Variadic<PyArray_Value>:$outputs, OptionalAttr<StrAttr>:$order, UnitAttr:$buffered, OptionalAttr<DenseI64ArrayAttr>:$shapes, UnitAttr:$grid, UnitAttr:$expanded);
  let results = (outs Variadic<PyArray_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $words `axes` $axes `ins` `(` $inputs `:` type($inputs) `)` (`init` `(` $initial^ `:` type($initial) `)`)?
    (`outs` `(` $outputs^ `:` type($outputs) `)`)? (`order` $order^)? (`buffered` $buffered^)? (`grid` $grid^)? (`expanded` $expanded^)? $body (`->` type($results)^)? attr-dict
  }];
  let hasVerifier = 1;
}

def PyArray_UfuncShapeOp : PyArray_Op<"ufunc_shape", [AttrSizedOperandSegments, PyArray_Raises]> {
  let summary = "the loop dimensions to which operands of a ufunc broadcast, then the sizes of its core dimensions";
  let description = [{
    One result for each loop dimension and one for each name in the signature, in order of appearance. ValueError where
    shapes do not fit. Outputs, where given, must have the loop shape already. With `assigns` the loop shape is that of the output,
    to which the inputs broadcast. With `indices` the inputs are those of a subscript, and IndexError tells of them.
  }];
  let arguments = (ins StrAttr:$signature, Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs,
                       UnitAttr:$assigns, UnitAttr:$indices);
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

def PyArray_RowsApartOp : PyArray_Op<"rows_apart", [AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "how many rows of the outputs are computed before the first one is stored";
  let description = [{
    Of outputs of two or more dimensions: `independent` is what `pyarray.independent` says. `rows` are rows of the first dimension, 1 or more. Where the
    outputs are cut into parts of that many, each may be stored when the next one is computed: nothing that comes later reads it. They are all
    rows where outputs are independent, and where that is not known.
  }];
  let arguments = (ins Variadic<PyArray_Value>:$inputs, Variadic<PyArray_Value>:$outputs);
  let results = (outs I1:$independent, SI64:$rows);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? (`outs` `(` $outputs^ `:` type($outputs) `)`)? attr-dict `:` type($independent) `,` type($rows)
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
// Tensors of other dialects
//===----------------------------------------------------------------------===//

def PyArray_ToTensorOp : PyArray_Op<"to_tensor", [PyArray_EffectsByType]> {
  let summary = "the elements of an array as a tensor";
  let description = [{
    Levels 2 and 3. An array of numbers; the tensor says no more of its extents than its type does, and has integers without signs. Nothing is copied: the array's
    memory must not be written as long as the tensor is used, nor is it written by those who use it. `pyarray-lower` makes
    `bufferization.to_tensor` of it. The array lives as long as the block runs that it is made in.

    ```mlir
    %t = pyarray.to_tensor %a : !pyarray.array<?x3xf64, A> to tensor<?x3xf64>
    ```
  }];
  let arguments = (ins PyArray_Value:$array);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$array attr-dict `:` type($array) `to` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def PyArray_FromTensorOp : PyArray_Op<"from_tensor", [PyArray_EffectsByType]> {
  let summary = "a new array with the elements of a tensor";
  let description = [{
    Levels 2 and 3. The array has layout C and may be written. `pyarray-lower` allocates it, and makes `bufferization.materialize_in_destination`, by
    which bufferization has the tensor computed in the array's memory where it can.

    ```mlir
    %a = pyarray.from_tensor %t : tensor<?x3xf64> to !pyarray.array<?x3xf64, C>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tensor);
  let results = (outs PyArray_Value:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor) `to` type($result)";
  let hasVerifier = 1;
}
