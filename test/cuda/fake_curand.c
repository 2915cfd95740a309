// Stands in for cuRAND (fake_library.h): the functions that have its place where the CPU plays the device
// (rand_host.c).
//
//   PYARRAY_FAKE_CURAND_LOG    a file that gets a line for each generator that is made and freed, and each call
#include "fake_library.h"

#include "../../lib/runtime/cuda/rand.h"

#include <stdio.h>

#define PA_LIBRARY_CALL(name, symbol, parameters) pa_library_result symbol parameters;
#include "../../lib/runtime/cuda/curand.def"
#undef PA_LIBRARY_CALL

enum { MOST = 256 };
static struct {
  void *generator;
  CUstream stream;
} streams[MOST];

static void note(const char *what, const void *generator) {
  const char *path = getenv("PYARRAY_FAKE_CURAND_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  int has_stream = 0;
  for (int i = 0; i < MOST; ++i)
    if (streams[i].generator == generator) has_stream = streams[i].stream != NULL;
  fprintf(file, "%s stream=%d\n", what, has_stream);
  fclose(file);
}

EXPORT int curandGetVersion(int *version) { return pa_curand_host.GetVersion(version); }

EXPORT int curandCreateGenerator(void **generator, int type) {
  FAIL("curandCreateGenerator");
  int result = pa_curand_host.Create(generator, type);
  if (!result) note("create", *generator);
  return result;
}

EXPORT int curandDestroyGenerator(void *generator) {
  note("destroy", generator);
  for (int i = 0; i < MOST; ++i)
    if (streams[i].generator == generator) streams[i].generator = NULL;
  return pa_curand_host.Destroy(generator);
}

EXPORT int curandSetStream(void *generator, CUstream stream) {
  FAIL("curandSetStream");
  int found = 0;
  while (found < MOST && streams[found].generator != generator) ++found;
  if (found == MOST)
    for (found = 0; found < MOST && streams[found].generator;) ++found;
  if (found < MOST) streams[found].generator = generator, streams[found].stream = stream;
  return pa_curand_host.SetStream(generator, stream);
}

#define FORWARD(symbol, name, parameters, arguments)                                                                   \
  EXPORT int symbol parameters {                                                                                       \
    FAIL(#symbol);                                                                                                     \
    note(#symbol, generator);                                                                                          \
    return pa_curand_host.name arguments;                                                                              \
  }
FORWARD(curandSetPseudoRandomGeneratorSeed, SetSeed, (void *generator, unsigned long long seed), (generator, seed))
FORWARD(curandSetGeneratorOffset, SetOffset, (void *generator, unsigned long long offset), (generator, offset))
FORWARD(curandSetGeneratorOrdering, SetOrdering, (void *generator, int ordering), (generator, ordering))
FORWARD(curandSetQuasiRandomGeneratorDimensions, SetDimensions, (void *generator, unsigned dimensions),
        (generator, dimensions))
FORWARD(curandGenerate, Generate, (void *generator, unsigned *out, size_t count), (generator, out, count))
FORWARD(curandGenerateLongLong, GenerateLongLong, (void *generator, unsigned long long *out, size_t count),
        (generator, out, count))
FORWARD(curandGenerateUniform, GenerateUniform, (void *generator, float *out, size_t count), (generator, out, count))
FORWARD(curandGenerateUniformDouble, GenerateUniformDouble, (void *generator, double *out, size_t count),
        (generator, out, count))
FORWARD(curandGenerateNormal, GenerateNormal, (void *generator, float *out, size_t count, float mean, float sigma),
        (generator, out, count, mean, sigma))
FORWARD(curandGenerateNormalDouble, GenerateNormalDouble,
        (void *generator, double *out, size_t count, double mean, double sigma), (generator, out, count, mean, sigma))
FORWARD(curandGenerateLogNormal, GenerateLogNormal,
        (void *generator, float *out, size_t count, float mean, float sigma), (generator, out, count, mean, sigma))
FORWARD(curandGenerateLogNormalDouble, GenerateLogNormalDouble,
        (void *generator, double *out, size_t count, double mean, double sigma), (generator, out, count, mean, sigma))
FORWARD(curandGeneratePoisson, GeneratePoisson, (void *generator, unsigned *out, size_t count, double lambda),
        (generator, out, count, lambda))
