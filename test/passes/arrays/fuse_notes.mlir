// RUN: pyarray-opt %s --pyarray-fuse | FileCheck %s

// What became of each operation, where the module asks for it.
// CHECK: pyarray.fusion = ["7\09f.py\09np.multiply: computed where it is read, in sum (line 8)"
module attributes {pyarray.fusion = []} {
  func.func @f(%a: !pyarray.array<?xf64, C>) -> f64 {
    %t = pyarray.ufunc "(),()->()" ins(%a, %a : !pyarray.array<?xf64, C>, !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64, %y: f64):
      %0 = pyarray.builtin "numpy.multiply"(%x, %y) : (f64, f64) -> f64
      pyarray.yield %0 : f64
    } -> !pyarray.array<?xf64, C> {pyarray.name = "multiply"} loc("f.py":7:0)
    %s = pyarray.reduce ["add"] axes [0] ins(%t : !pyarray.array<?xf64, C>) {
    ^bb0(%x: f64):
      pyarray.yield %x : f64
    } -> f64 loc("f.py":8:0)
    return %s : f64
  }
}
