// Loops and generators, exceptions, and variables in memory. Part of PyArrayOps.td.

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
    In the second region of a `pyarray.try`; its traceback is kept. With an operand that exception is raised, and its traceback gets this place too:
    `raise e`. With `of_caller` it is what a caller handles, and a RuntimeError where that is nothing: `raise` outside of a handler.
  }];
  let arguments = (ins Variadic<PyArray_Handled>:$exception, UnitAttr:$of_caller);
  let assemblyFormat = "(`(` $exception^ `:` type($exception) `)`)? (`of_caller` $of_caller^)? attr-dict";
  let hasVerifier = 1;
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
