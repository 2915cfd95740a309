// lib/runtime/numbers/datetime.c
#include "../../lib/runtime/runtime.h"
#include "../../lib/support/time_unit.h"
#include "test_runtime_check.h"

// Against counting day by day over 800 years.
static void test_calendar(void) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t day = pyarray_rt_months_to_days(-4800), month = -4800;
  CHECK(day == -146097 && pyarray_rt_months_to_days(0) == 0 && pyarray_rt_months_to_days(1) == 31);
  for (; month < 4800; ++month) {
    int64_t year = 1970 + (month >= 0 ? month / 12 : -((11 - month) / 12));
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int index = (int)(((month % 12) + 12) % 12), length = lengths[index] + (index == 1 && leap);
    CHECK(pyarray_rt_months_to_days(month) == day);
    CHECK(pyarray_rt_days_to_months(day) == month && pyarray_rt_days_to_months(day + length - 1) == month);
    day += length;
  }
  CHECK(pyarray_rt_months_to_days(PA_NAT) == PA_NAT && pyarray_rt_days_to_months(PA_NAT) == PA_NAT);
  CHECK(pyarray_rt_days_to_months(INT64_MAX) > 0 && pyarray_rt_days_to_months(PA_NAT + 1) < 0);
}

int main(void) {
  test_calendar();
  return report_checks();
}
