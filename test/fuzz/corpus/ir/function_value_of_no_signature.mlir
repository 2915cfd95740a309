// --pyarray-infer-types
func.func @number(%f: !pyarray.any, %x: !pyarray.any) -> !pyarray.any attributes {pyarray.params = [], pyarray.instantiate = [(!pyarray.tagged<"function value", "x", !pyarray.pointer<!pyarray.none>>, si64) -> ()]} {
  %0 = pyarray.apply %f(%x) : (!pyarray.any, !pyarray.any) -> !pyarray.any
  func.return %0 : !pyarray.any
}