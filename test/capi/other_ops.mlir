// For test_capi_ops: operations that no test of the dialect has.
!A = !pyarray.array<?xf64, C>
func.func @kernel(%a: !A, %s: f64, %o: !A) attributes {pyarray.kernel} {
  return
}
func.func @f(%a: !A, %s: f64, %o: !A) -> !pyarray.any {
  pyarray.launch @kernel(%a, %s, %o) outputs 2 points 2 : !A, f64, !A
  pyarray.launch @kernel(%a, %s, %o) outputs 2 points 2 fold : !A, f64, !A
  %l = pyarray.frozen "bytes" : !pyarray.tagged<"frozen", unit, !pyarray.list<si64>> -> !pyarray.any
  return %l : !pyarray.any
}
