// RUN: pyarray-opt %s --pyarray-infer-types | FileCheck %s
// RUN: pyarray-opt %s --pyarray-infer-types | pyarray-opt

// Whether there is an attribute or a method is known by the type: the branch that is not taken is gone.
// CHECK-LABEL: func.func @f$0(%arg0: !pyarray.array<?xf64, C>) -> si64
// CHECK-NOT: pyarray.getattr %arg0 "length"
// CHECK-NOT: scf.if
// CHECK: pyarray.getattr %arg0 "size" : (!pyarray.array<?xf64, C>) -> si64
func.func @f(%a: !pyarray.any) -> !pyarray.any attributes {pyarray.instantiate = [(!pyarray.array<?xf64, C>) -> ()]} {
  %no = pyarray.getattr %a "length" {pyarray.probe} : (!pyarray.any) -> !pyarray.any
  %c = pyarray.truth %no : !pyarray.any
  %r = scf.if %c -> !pyarray.any {
    %x = pyarray.getattr %a "length" : (!pyarray.any) -> !pyarray.any
    scf.yield %x : !pyarray.any
  } else {
    %method = pyarray.getattr %a "copy" {pyarray.probe} : (!pyarray.any) -> !pyarray.any
    %m = pyarray.truth %method : !pyarray.any
    %s = scf.if %m -> !pyarray.any {
      %x = pyarray.getattr %a "size" : (!pyarray.any) -> !pyarray.any
      scf.yield %x : !pyarray.any
    } else {
      scf.yield %a : !pyarray.any
    }
    scf.yield %s : !pyarray.any
  }
  return %r : !pyarray.any
}
