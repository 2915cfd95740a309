// Two dialects in one function: a wave, and Python's max() of it and 0.
func.func @ring(%time: f64) -> f64 attributes {pyarray.entry, pyarray.entry_name = "ring"} {
  %0 = wave.sine %time amplitude 2.0
  %1 = arith.constant 0.0 : f64
  %2 = pyarray.builtin "builtins.max"(%0, %1) : (f64, f64) -> f64
  func.return %2 : f64
}
