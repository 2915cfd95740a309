// Of pyarray-lower: the functions of cmath, and NumPy's of complex numbers.
//
//   %0 = pyarray.builtin "cmath.phase"(%z) : (complex<f64>) -> f64
// becomes a call of atan2 with the parts of %z.
#include <math.h>
#include <string.h>

#include "lower_numbers.h"

static MlirType part_type(const pa_lowering *lower, const pa_builtin_call *call) {
  return call->scalar == PA_C64 || call->scalar == PA_F32 ? lower->f32 : lower->f64;
}

static void get_parts(pa_lowering *lower, MlirValue z, MlirValue out[2]) {
  out[0] = pa_real_part(lower, z);
  out[1] = pa_imag_part(lower, z);
}

// As far as the row has errors, which are those of cmath alone.
static void check(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *results, int result_count,
                  const MlirValue *arguments, int count) {
  if (pa_raises_strictly(lower, call) && call->row->errors != PA_ERRORS_NONE)
    pa_check_result(lower, call, results, result_count, arguments, count);
}

//===-- Functions of the runtime ------------------------------------------------------------------===//

void pa_lower_complex_function(pa_lowering *lower, const pa_builtin_call *call) {
  const char *dialect = strchr(call->row->target, '.'), *name = dialect ? dialect + 1 : call->row->target;
  MlirValue z = pa_argument(lower, call, 0), parts[2], results[2];
  MlirValue result = pa_call_complex(lower, name, &z, 1, NULL);
  get_parts(lower, z, parts);
  get_parts(lower, result, results);
  check(lower, call, results, 2, parts, 2);
  pa_finish(lower, call, result);
}

// Without a base it has a pole at 0; with one, only the base is looked at: it may be neither 0 nor 1.
static void lower_log(pa_lowering *lower, const pa_builtin_call *call) {
  if (call->count == 1) {
    pa_lower_complex_function(lower, call);
    return;
  }
  MlirValue logs[2], base = pa_argument(lower, call, 1);
  for (int i = 0; i < 2; ++i) {
    MlirValue z = pa_argument(lower, call, i);
    logs[i] = pa_call_complex(lower, "log", &z, 1, NULL);
  }
  if (pa_raises_strictly(lower, call)) {
    MlirValue usable = pa_and(lower, pa_truth(lower, base, call->scalar), pa_truth(lower, logs[1], call->scalar));
    pa_raise_if(lower, pa_not(lower, usable), "ValueError", "math domain error");
  }
  pa_finish(lower, call, pa_divide(lower, logs[0], logs[1], call->scalar));
}

//===-- Polar coordinates -------------------------------------------------------------------------===//

static MlirValue phase_of(pa_lowering *lower, const pa_builtin_call *call, const MlirValue parts[2]) {
  return pa_call_libm(lower, "atan2", part_type(lower, call), (MlirValue[]){parts[1], parts[0]}, 2);
}

static void lower_phase(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue parts[2];
  get_parts(lower, pa_argument(lower, call, 0), parts);
  pa_finish(lower, call, phase_of(lower, call, parts));
}

static void lower_polar(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue parts[2], polar[2];
  get_parts(lower, pa_argument(lower, call, 0), parts);
  polar[0] = pa_call_libm(lower, "hypot", part_type(lower, call), parts, 2);
  polar[1] = phase_of(lower, call, parts);
  check(lower, call, polar, 1, parts, 2);
  pa_set(lower, pa_result(call->op), polar, 2);
}

static void lower_rect(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue polar[] = {pa_argument(lower, call, 0), pa_argument(lower, call, 1)}, results[2];
  MlirValue z = pa_complex(lower, polar[0], polar[1]);
  MlirValue result = pa_call_complex(lower, call->row->target, &z, 1, NULL);
  get_parts(lower, result, results);
  check(lower, call, results, 2, polar, 2);
  pa_finish(lower, call, result);
}

//===-- NumPy's sign and reciprocal ---------------------------------------------------------------===//

// z / |z|, and 0 of 0. An infinite part alone is all that counts; two have no direction that is known.
void pa_lower_complex_sign(pa_lowering *lower, const pa_builtin_call *call) {
  MlirType type = part_type(lower, call);
  MlirValue parts[2], infinite[2], zero = pa_real(lower, type, 0), one = pa_real(lower, type, 1);
  get_parts(lower, pa_argument(lower, call, 0), parts);
  MlirValue size = pa_call_libm(lower, "hypot", type, parts, 2), none = pa_compare_real(lower, PA_OEQ, size, zero);
  for (int i = 0; i < 2; ++i) infinite[i] = pa_is_infinite(lower, parts[i]);
  MlirValue any = pa_or(lower, infinite[0], infinite[1]), both = pa_and(lower, infinite[0], infinite[1]);
  MlirValue nan = pa_real(lower, type, NAN);
  for (int i = 0; i < 2; ++i) {
    MlirValue far = pa_select(lower, infinite[i], pa_binary(lower, "math.copysign", one, parts[i]), zero);
    MlirValue near = pa_select(lower, none, zero, pa_binary(lower, "arith.divf", parts[i], size));
    parts[i] = pa_select(lower, both, nan, pa_select(lower, any, far, near));
  }
  pa_finish(lower, call, pa_complex(lower, parts[0], parts[1]));
}

// Smith's (Comm. ACM 5, 1962): of z = large (1 + small/large i), or with the parts exchanged. That of 0 is NaN.
void pa_lower_complex_reciprocal(pa_lowering *lower, const pa_builtin_call *call) {
  MlirValue z[2];
  get_parts(lower, pa_argument(lower, call, 0), z);
  MlirValue one = pa_real(lower, part_type(lower, call), 1), minus_one = pa_real(lower, part_type(lower, call), -1);
  MlirValue size = pa_unary(lower, "math.absf", z[0]), other = pa_unary(lower, "math.absf", z[1]);
  MlirValue by_real = pa_compare_real(lower, PA_OLE, other, size);
  MlirValue large = pa_select(lower, by_real, z[0], z[1]), small = pa_select(lower, by_real, z[1], z[0]);
  MlirValue ratio = pa_binary(lower, "arith.divf", small, large);
  MlirValue scale = pa_binary(lower, "arith.addf", large, pa_binary(lower, "arith.mulf", small, ratio));
  MlirValue real = pa_select(lower, by_real, one, ratio);
  MlirValue imag = pa_select(lower, by_real, pa_unary(lower, "arith.negf", ratio), minus_one);
  real = pa_binary(lower, "arith.divf", real, scale);
  pa_finish(lower, call, pa_complex(lower, real, pa_binary(lower, "arith.divf", imag, scale)));
}

//===-- NumPy's order -----------------------------------------------------------------------------===//

// By the real parts, then by the imaginary ones; false where a part that counts is NaN.
static MlirValue precedes(pa_lowering *lower, pa_fcmp strictly, pa_fcmp or_equal, const MlirValue a[2],
                          const MlirValue b[2]) {
  MlirValue ordered = pa_compare_real(lower, PA_ORD, a[1], b[1]);
  MlirValue by_real = pa_and(lower, pa_compare_real(lower, strictly, a[0], b[0]), ordered);
  MlirValue by_imag = pa_compare_real(lower, or_equal, a[1], b[1]);
  return pa_or(lower, by_real, pa_and(lower, pa_compare_real(lower, PA_OEQ, a[0], b[0]), by_imag));
}

// maximum and minimum give the first operand with a NaN, fmax and fmin the first without.
void pa_lower_complex_extreme(pa_lowering *lower, const pa_builtin_call *call) {
  static const struct {
    const char *target;
    pa_fcmp strictly, or_equal;
    int decided_by; // the operand whose NaN makes the first one the result
  } rows[] = {{"maximum", PA_OGT, PA_OGE, 0},
              {"minimum", PA_OLT, PA_OLE, 0},
              {"fmax", PA_OGT, PA_OGE, 1},
              {"fmin", PA_OLT, PA_OLE, 1}};
  size_t row = 0;
  while (strcmp(rows[row].target, call->row->target)) ++row;
  MlirValue z[] = {pa_argument(lower, call, 0), pa_argument(lower, call, 1)}, parts[2][2];
  for (int i = 0; i < 2; ++i) get_parts(lower, z[i], parts[i]);
  const MlirValue *decides = parts[rows[row].decided_by];
  MlirValue odd = pa_compare_real(lower, PA_UNO, decides[0], decides[1]);
  MlirValue first = pa_or(lower, odd, precedes(lower, rows[row].strictly, rows[row].or_equal, parts[0], parts[1]));
  MlirValue real = pa_select(lower, first, parts[0][0], parts[1][0]);
  pa_finish(lower, call, pa_complex(lower, real, pa_select(lower, first, parts[0][1], parts[1][1])));
}

const pa_builtin_rule_row pa_complex_rules[] = {
    {PA_LOWERING_CMATH_LOG, lower_log},
    {PA_LOWERING_PHASE, lower_phase},
    {PA_LOWERING_POLAR, lower_polar},
    {PA_LOWERING_RECT, lower_rect},
    {0, NULL},
};
