// Private to lib/runtime: functions of libm for several lanes at a time (vector_math.def), which vectorised loops call.
//
//   pyarray_rt_exp_v4(x)         four float64 in a register, as the x86-64 ABI passes them; pyarray_rt_expf_v8: eight
//   float32 pyarray_rt_exp_v4m(x, mask)  only lanes whose mask has its lowest bit set count; the mask is 16 bytes,
//   shared by the lanes
//
// Values are within 4 ULP of the exact ones, special values those of libm; no floating-point exception but underflow
// and inexact is raised where libm raises none. Where libmvec lacks a function, libm is called for each lane.
#ifndef PYARRAY_LIB_RUNTIME_VECTOR_MATH_H
#define PYARRAY_LIB_RUNTIME_VECTOR_MATH_H

typedef struct pa_vector_symbol {
  const char *name;
  void *address;
  const char *mvec; // libmvec's function of the same lanes, NULL for code of ours
  void *slot;       // where the address of that function is kept: at first libm's, lane by lane
} pa_vector_symbol;

// The tables of each instruction set, float64 and float32, ended by a row of NULL. A name says type and lanes.
extern const pa_vector_symbol pa_vectors_sse2[], pa_vectors_avx2[], pa_vectors_avx512[];
extern const pa_vector_symbol pa_vectors_sse2_f32[], pa_vectors_avx2_f32[], pa_vectors_avx512_f32[];

enum { PA_LOG_ROWS = 128 };

// A number and its logarithm (vector_log_rows.c); 16 bytes are loaded at a time.
typedef struct pa_log_row {
  _Alignas(32) double inverse;
  double unused;
  double high, low;
} pa_log_row;

extern const pa_log_row pa_log_rows[PA_LOG_ROWS];

// The function so named, ready to be called on a CPU that has its instructions, or NULL.
void *pa_vector_math_lookup(const char *name);

#endif // PYARRAY_LIB_RUNTIME_VECTOR_MATH_H
