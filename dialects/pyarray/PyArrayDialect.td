// The pyarray dialect: Python functions over NumPy arrays, before and after type inference.
#ifndef PYARRAY_DIALECT_TD
#define PYARRAY_DIALECT_TD

include "mlir/IR/OpBase.td"

def PyArray_Dialect : Dialect {
  let name = "pyarray";
  let cppNamespace = "::pyarray";
  let summary = "Python functions over NumPy arrays";
  let description = [{
    The dialect holds a Python function at two levels. Untyped, every value is `!pyarray.any` and operations say what the
    source says. Typed, every value has a concrete type; whole-array semantics (broadcasting, views, indexing) are still
    single operations. Control flow is structured: `scf.if`, `scf.while`, `pyarray.for`. Integers carry their sign
    (`si64`, `ui8`); they become signless when the dialect is lowered.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::func::FuncDialect", "::mlir::complex::ComplexDialect"];
}

#endif // PYARRAY_DIALECT_TD
