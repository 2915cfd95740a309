// CHECK(condition): a test program reports what failed and exits with 1 at its end.
#ifndef PYARRAY_TEST_CAPI_CHECK_H
#define PYARRAY_TEST_CAPI_CHECK_H

#include <stdio.h>

static int check_failures;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition);                                           \
      check_failures++;                                                                                                \
    }                                                                                                                  \
  } while (0)

#define CHECK_RESULT() (check_failures ? 1 : 0)

#endif // PYARRAY_TEST_CAPI_CHECK_H
