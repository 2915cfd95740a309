// Names and texts of the driver's results.
#include "error_texts.h"

typedef struct row {
  int number;
  const char *name, *text, *advice;
} row;

static const row rows[] = {
#define PA_CU_RESULT(name, number, text, advice) {number, "CUDA_" #name, text, advice},
#include "driver_results.def"
#undef PA_CU_RESULT
};

static const row *find(CUresult result) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].number == (int)result) return &rows[i];
  static const row unknown = {-1, NULL, "unknown result", NULL};
  return &unknown;
}

const char *pa_cu_known_name(CUresult result) { return find(result)->name; }
const char *pa_cu_known_text(CUresult result) { return find(result)->text; }
const char *pa_cu_advice(CUresult result) { return find(result)->advice; }
