// RUN: pyarray-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{invalid array element type 'i32'}}
func.func private @signless(!pyarray.array<?xi32, C>)

// -----

// expected-error@+1 {{expected layout C, F or A}}
func.func private @layout(!pyarray.array<?xf64, B>)

// -----

// expected-error@+1 {{invalid array element type '!pyarray.any'}}
func.func private @element(!pyarray.array<?x!pyarray.any, C>)

// -----

// expected-error@+1 {{a callable is named by a string or a symbol}}
func.func private @callable(!pyarray.callable<3 : i64>)

// -----

// expected-error@+1 {{expected 'readonly'}}
func.func private @flag(!pyarray.array<?xf64, C, constant>)

// -----

// expected-error@+1 {{invalid pointee type '!pyarray.any'}}
func.func private @pointee(!pyarray.pointer<!pyarray.any>)

// -----

// expected-error@+1 {{invalid pointee type 'i32'}}
func.func private @signless_pointee(!pyarray.pointer<i32>)

// -----

// expected-error@+1 {{invalid unit of time 'x'}}
func.func private @unit(!pyarray.datetime<"x">)

// -----

// expected-error@+1 {{invalid unit of time '1s'}}
func.func private @multiple(!pyarray.timedelta<"1s">)

// -----

// expected-error@+1 {{invalid unit of time ''}}
func.func private @no_unit(!pyarray.timedelta<"">)

// -----

// expected-error@+1 {{invalid pointee type '!pyarray.datetime<"D">'}}
func.func private @time_pointee(!pyarray.pointer<!pyarray.datetime<"D">>)

// -----

func.func @ticks() {
  // expected-error@+1 {{ticks are those of a datetime or timedelta, not of 'f64'}}
  %0 = pyarray.constant #pyarray.ticks<3 : f64> -> !pyarray.any
  return
}
