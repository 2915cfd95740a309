#include "support/stop.h"

#include "check.h"

static int asked;

static bool answer(void *data) {
  ++asked;
  return asked >= *(int *)data;
}

static void nobody_is_asked(void) {
  for (int i = 0; i < 1000; ++i) CHECK(!pa_must_stop());
  CHECK(!pa_check_stop());
}

// However often it is called, the question is asked from time to time alone, and not again once the answer was yes.
static void the_answer_stays(void) {
  int third = 3;
  asked = 0;
  pa_stop_listener before = pa_stop_listen((pa_stop_listener){answer, &third});
  CHECK(!before.ask);
  int calls = 0;
  while (!pa_must_stop()) ++calls;
  CHECK(asked == 3);
  CHECK(calls >= 3 * 63);
  for (int i = 0; i < 1000; ++i) CHECK(pa_must_stop());
  CHECK(asked == 3);
  pa_status status = pa_check_stop();
  CHECK(status && pa_status_code(status) == PA_CODE_INTERRUPTED);
  pa_status_free(status);
}

static void listeners_are_nested(void) {
  int never = 1 << 30, data = never;
  pa_stop_listener outer = pa_stop_listen((pa_stop_listener){answer, &data});
  CHECK(outer.ask == answer); // of the test before, which said yes
  CHECK(!pa_must_stop());
  CHECK(pa_stop_listen((pa_stop_listener){NULL, NULL}).data == &data);
  nobody_is_asked();
}

int main(void) {
  nobody_is_asked();
  the_answer_stays();
  listeners_are_nested();
  return CHECK_RESULT();
}
