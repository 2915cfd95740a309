// Units of datetimes and timedeltas, as NumPy has them: "D", "ms", "25s" (steps of 25 seconds), "generic" (no unit
// yet).
#ifndef PYARRAY_LIB_SUPPORT_TIME_UNIT_H
#define PYARRAY_LIB_SUPPORT_TIME_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// From coarse to fine. The numbers are those of NPY_DATETIMEUNIT, which has a gap.
typedef enum pa_time_base {
  PA_TIME_YEAR = 0,
  PA_TIME_MONTH = 1,
  PA_TIME_WEEK = 2,
  PA_TIME_DAY = 4,
  PA_TIME_HOUR,
  PA_TIME_MINUTE,
  PA_TIME_SECOND,
  PA_TIME_MILLISECOND,
  PA_TIME_MICROSECOND,
  PA_TIME_NANOSECOND,
  PA_TIME_PICOSECOND,
  PA_TIME_FEMTOSECOND,
  PA_TIME_ATTOSECOND,
  PA_TIME_GENERIC,
} pa_time_base;

typedef struct pa_time_unit {
  pa_time_base base;
  int32_t multiple; // at least 1; 1 for generic
} pa_time_unit;

// What is no number of units: not a time. It takes part in all arithmetic as NaN does.
#define PA_NAT INT64_MIN

enum { PA_TIME_UNIT_SIZE = 20 }; // of a buffer for the text of any unit

// The unit that |text| starts with, up to |length| characters; returns how many characters it has, or 0 where it is
// malformed.
size_t pa_time_unit_parse(const char *text, size_t length, pa_time_unit *out_unit);
void pa_time_unit_print(pa_time_unit unit, char *out_text); // with its NUL
bool pa_time_unit_equal(pa_time_unit a, pa_time_unit b);
// Years and months, whose lengths in the other units differ.
bool pa_time_unit_is_calendar(pa_time_unit unit);

// The coarsest unit of which both are whole multiples; generic takes the other's. |a_fixed|: values of |a| are
// durations, so that its months and years have no common unit with days. NULL, or why there is none.
const char *pa_time_unit_common(pa_time_unit a, bool a_fixed, pa_time_unit b, bool b_fixed, pa_time_unit *out_unit);

// A value of |from| times num, divided by den and rounded down, is one of |to|. False where the factor exceeds int64 or
// there is none: between calendar units and others, and from a unit to generic.
bool pa_time_unit_factor(pa_time_unit from, pa_time_unit to, int64_t *out_num, int64_t *out_den);

// Whether values can be converted at all, by factors or, where they are not |fixed|, through the calendar.
bool pa_time_unit_can_convert(pa_time_unit from, pa_time_unit to, bool fixed);

// NumPy's casting rule "safe": no value is rounded. |fixed| as above, of both.
bool pa_time_unit_can_cast(pa_time_unit from, pa_time_unit to, bool fixed);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_SUPPORT_TIME_UNIT_H
