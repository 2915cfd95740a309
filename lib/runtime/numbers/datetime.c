// Months and days since 1970-01 in the proleptic Gregorian calendar. The least int64 is NaT, which stays NaT; what is
// beyond int64 wraps.
//
// Counted from 0000-03-01, so that the leap day is the last of a year: then the months from March on have 31 30 31 30
// 31 days over and over, and whole years, centuries and 400 years differ by one day each time.
#include "runtime.h"

#include "time_unit.h"

enum { DAYS_OF_ERA = 146097, DAYS_TO_1970 = 719468, MONTHS_OF_ERA = 4800, MONTHS_TO_1970 = 23638 };

static int64_t floor_divide(int64_t a, int64_t b, int64_t *out_rest) {
  int64_t quotient = a / b, rest = a % b;
  if (rest < 0) rest += b, --quotient;
  *out_rest = rest;
  return quotient;
}

int64_t pyarray_rt_months_to_days(int64_t months) {
  if (months == PA_NAT) return PA_NAT;
  int64_t rest, era = floor_divide(months, MONTHS_OF_ERA, &rest), more;
  era += floor_divide(rest + MONTHS_TO_1970, MONTHS_OF_ERA, &more);
  int64_t year = more / 12, month = more % 12;
  int64_t day = year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5;
  return (int64_t)((uint64_t)era * DAYS_OF_ERA + (uint64_t)(day - DAYS_TO_1970));
}

int64_t pyarray_rt_days_to_months(int64_t days) {
  if (days == PA_NAT) return PA_NAT;
  int64_t rest, era = floor_divide(days, DAYS_OF_ERA, &rest), day;
  era += floor_divide(rest + DAYS_TO_1970, DAYS_OF_ERA, &day);
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  int64_t month = (5 * (day - (365 * year + year / 4 - year / 100)) + 2) / 153;
  return era * MONTHS_OF_ERA + 12 * year + month - MONTHS_TO_1970;
}
