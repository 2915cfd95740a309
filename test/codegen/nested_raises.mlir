// RUN: pyarray-opt %s --pyarray-cpu | FileCheck %s
// Raises in both branches of an scf.if, within the one that finds the failure, in a try in a loop. That of BaseException is recorded; that of Exception is
// a plain branch to the handler, which asks nothing of it.

// CHECK-LABEL: llvm.func @pyarray_entry
// CHECK: %[[HANDLE:.*]] = llvm.call @pyarray_rt_call_block
// CHECK: %[[FAILED:.*]] = llvm.icmp "ne" %[[HANDLE]]
// CHECK: llvm.cond_br %[[FAILED]], ^[[RAISES:bb[0-9]+]], ^[[GOES_ON:bb[0-9]+]]
// CHECK: ^[[RAISES]]:
// CHECK: %[[FLAG:.*]] = llvm.and %[[HANDLE]]
// CHECK: llvm.cond_br %{{.*}}, ^[[BASE:bb[0-9]+]], ^[[PLAIN:bb[0-9]+]]
// CHECK: ^[[BASE]]:
// CHECK: llvm.call @pyarray_rt_raise_objects
// CHECK-NEXT: llvm.br ^[[HANDLER:bb[0-9]+]]
// CHECK: ^[[PLAIN]]:
// CHECK: llvm.call @pyarray_rt_release
// CHECK: llvm.br ^[[HANDLER]]
// CHECK: ^[[GOES_ON]]:
func.func @f(%n: si64) -> si64 attributes {pyarray.entry, pyarray.options = {boundscheck = true, error_model = "python", fastmath = false, inline = "auto", parallel = false}, pyarray.qualname = "f"} {
  %zero = pyarray.constant 0 : si64 -> si64
  %one = pyarray.constant 1 : si64 -> si64
  %range = pyarray.builtin "builtins.range"(%zero, %n, %one) : (si64, si64, si64) -> !pyarray.range
  %sum = pyarray.for (%i: si64, %s: si64) in %range : !pyarray.range iter(%zero) {
    %r = pyarray.try {
      %y = pyarray.builtin "pyarray.objmode_call"(%i) {callee = "7:q>q"} : (si64) -> si64
      %t = pyarray.binary add %s, %y : (si64, si64) -> si64
      pyarray.yield %t : si64
    } except {
      %is = pyarray.caught ["Exception"]
      %u = scf.if %is -> si64 {
        scf.yield %one : si64
      } else {
        pyarray.reraise
        %x = pyarray.unbound : si64
        scf.yield %x : si64
      }
      pyarray.yield %u : si64
    } : si64
    pyarray.yield %r : si64
  }
  return %sum : si64
}
