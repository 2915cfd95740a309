// --pyarray-infer-types
"builtin.module"() ({
  "func.func"() <{f64 = (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any, sym_name = "grid"}> ({
  ^bb0(%arg0: !pyarray.any, %arg1: !pyarray.any, %arg2: !pyarray.any):
    %0 = "pyarray.getitem"(%arg0, %arg1, %arg2) : (!pyarray.any, !pyarray.any, !pyarray.any) -> !pyarray.any
  }) {pyarray.instantiate = [(!pyarray.dict<tuple<>, f64>, si64, si64) -> ()], pyarray.params = ["d", "i", "j"]} : () -> ()
}) : () -> ()