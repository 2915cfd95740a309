// Checks for the C tests of lib/support and lib/runtime; they stay on in release builds, unlike assert.
#ifndef PYARRAY_TEST_RUNTIME_CHECK_H
#define PYARRAY_TEST_RUNTIME_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static int checks_passed, checks_failed;

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (condition) {                                                                                                   \
      ++checks_passed;                                                                                                 \
    } else {                                                                                                           \
      ++checks_failed;                                                                                                 \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                          \
    }                                                                                                                  \
  } while (0)

// For what the rest of a test cannot do without.
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: cannot go on: %s\n", __FILE__, __LINE__, #condition);                                    \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

static inline int report_checks(void) {
  printf("%d passed, %d failed\n", checks_passed, checks_failed);
  return checks_failed != 0 || checks_passed == 0;
}

#endif // PYARRAY_TEST_RUNTIME_CHECK_H
