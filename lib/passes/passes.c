#include "passes.h"

const pa_pass_row pa_passes[] = {
#define PA_PASS(room, stem) {&pa_pass_##stem, #room "/" #stem ".c"},
#include "passes.def"
#undef PA_PASS
    {NULL, NULL}};
