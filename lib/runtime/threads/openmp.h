// LLVM's OpenMP runtime (libomp, and Intel's libiomp5, which has the same binary interface), opened when first needed.
#ifndef PYARRAY_LIB_RUNTIME_OPENMP_H
#define PYARRAY_LIB_RUNTIME_OPENMP_H

#include <stdbool.h>
#include <stdint.h>

// What each thread of a team runs: its number within the process's OpenMP threads and within the team, and |argument|.
typedef void pa_team_body(int32_t *global, int32_t *number, void *argument);

// True where there is one; opens it on the first call. Searched: PYARRAY_OPENMP_LIBRARY, if set, alone; else what the
// process has loaded already, the folder of this code, the system. Thread-safe.
bool pa_openmp_open(void);

// Why there is none; "" where there is. Static text, valid after pa_openmp_open.
const char *pa_openmp_problem(void);

// |notify| is called once, in any thread, when a search finds none. NULL: nobody.
void pa_openmp_on_missing(void (*notify)(void));

// Runs |body| in a team of |threads|, of which the caller is number 0, and waits for all of them. The team may be
// smaller (OMP_THREAD_LIMIT, a call from within another's parallel region). Only after pa_openmp_open.
void pa_openmp_run(int64_t threads, pa_team_body *body, void *argument);
int32_t pa_openmp_team_size(void); // within |body|

#endif // PYARRAY_LIB_RUNTIME_OPENMP_H
