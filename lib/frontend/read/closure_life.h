// What closure_life.c and closure_keeping.c share.
#ifndef PYARRAY_LIB_FRONTEND_CLOSURE_LIFE_H
#define PYARRAY_LIB_FRONTEND_CLOSURE_LIFE_H

#include "reader.h"

typedef struct pa_life_walk {
  pa_importer *importer;
  pa_function *function;
  const pa_statement *loop; // the outermost one around
  const pa_block *until;    // what is used up here may be called until this block ends; NULL: it is used up at once
  const pa_block *block;    // around
  int now;                  // a number for each event
  int finally;              // how many bodies with a finally are around
} pa_life_walk;

static inline pa_keeping pa_longer_kept(pa_keeping a, pa_keeping b) { return a > b ? a : b; }

// Numbers the events of a function, once.
void pa_walk_function(pa_importer *importer, pa_function *function);
// What |function|, and those within that capture the variable, do with its value.
pa_keeping pa_keeping_of_name(const pa_function *function, const pa_name *name);

// closure_keeping.c

// What a callee does with its arguments: those of |function| where that is not NULL, else the same with those before
// number |from|, and keeps the others.
typedef struct pa_callee {
  pa_function *function;
  pa_keeping all;
  int from;
} pa_callee;

pa_callee pa_keeping_all(void); // of all its arguments
pa_callee pa_callee_of(pa_life_walk *w, const pa_expression *call);
// What |function| does with its parameter number |k|, for which |argument| is given.
pa_keeping pa_keeping_of_parameter(pa_life_walk *w, pa_function *function, int k, const pa_expression *argument);
int pa_parameter_named(const pa_function *function, const char *name); // -1: none
bool pa_is_used_keyword(const char *name);                             // of a builtin: its value is called or gone over
bool pa_is_generator_definition(const pa_expression *x);

#endif // PYARRAY_LIB_FRONTEND_CLOSURE_LIFE_H
