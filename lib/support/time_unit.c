#include "time_unit.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  int32_t finer; // how many of the next base in this table one has; 0 where that varies
} bases[] = {
    [PA_TIME_YEAR] = {"Y", 12},          [PA_TIME_MONTH] = {"M", 0},           [PA_TIME_WEEK] = {"W", 7},
    [PA_TIME_DAY] = {"D", 24},           [PA_TIME_HOUR] = {"h", 60},           [PA_TIME_MINUTE] = {"m", 60},
    [PA_TIME_SECOND] = {"s", 1000},      [PA_TIME_MILLISECOND] = {"ms", 1000}, [PA_TIME_MICROSECOND] = {"us", 1000},
    [PA_TIME_NANOSECOND] = {"ns", 1000}, [PA_TIME_PICOSECOND] = {"ps", 1000},  [PA_TIME_FEMTOSECOND] = {"fs", 1000},
    [PA_TIME_ATTOSECOND] = {"as", 0},    [PA_TIME_GENERIC] = {"generic", 0},
};
enum { BASES = sizeof bases / sizeof *bases };

//===-- Text --------------------------------------------------------------------------------------===//

// The base with the longest name that |text| starts with: "ms" is no "m".
static int find_base(const char *text, size_t length) {
  int found = -1;
  size_t longest = 0;
  for (int base = 0; base < BASES; ++base) {
    size_t size = bases[base].name ? strlen(bases[base].name) : 0;
    if (size <= longest || size > length || memcmp(text, bases[base].name, size) != 0) continue;
    longest = size;
    found = base;
  }
  return found;
}

size_t pa_time_unit_parse(const char *text, size_t length, pa_time_unit *out_unit) {
  size_t digits = 0;
  int64_t multiple = 0;
  for (; digits < length && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    multiple = 10 * multiple + (text[digits] - '0');
    if (multiple > INT32_MAX) return 0;
  }
  int base = find_base(text + digits, length - digits);
  if (base < 0 || (digits && (text[0] == '0' || multiple < 2 || base == PA_TIME_GENERIC))) return 0;
  *out_unit = (pa_time_unit){(pa_time_base)base, digits ? (int32_t)multiple : 1};
  return digits + strlen(bases[base].name);
}

void pa_time_unit_print(pa_time_unit unit, char *out_text) {
  if (unit.multiple > 1)
    snprintf(out_text, PA_TIME_UNIT_SIZE, "%d%s", (int)unit.multiple, bases[unit.base].name);
  else
    snprintf(out_text, PA_TIME_UNIT_SIZE, "%s", bases[unit.base].name);
}

bool pa_time_unit_equal(pa_time_unit a, pa_time_unit b) { return a.base == b.base && a.multiple == b.multiple; }
bool pa_time_unit_is_calendar(pa_time_unit unit) { return unit.base <= PA_TIME_MONTH; }

//===-- Factors -----------------------------------------------------------------------------------===//

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// How many |fine| one |coarse| has; 0 where that varies or has more than 56 bits, which is NumPy's limit.
static uint64_t base_factor(pa_time_base coarse, pa_time_base fine) {
  uint64_t factor = 1;
  for (int base = coarse; base < (int)fine && factor; ++base)
    if (bases[base].name) {
      factor *= (uint64_t)bases[base].finer;
      if (factor >> 56) return 0;
    }
  return factor;
}

const char *pa_time_unit_common(pa_time_unit a, bool a_fixed, pa_time_unit b, bool b_fixed, pa_time_unit *out_unit) {
  if (a.base == PA_TIME_GENERIC) return *out_unit = b, NULL;
  if (b.base == PA_TIME_GENERIC) return *out_unit = a, NULL;
  uint64_t a_count = (uint64_t)a.multiple, b_count = (uint64_t)b.multiple;
  pa_time_base fine = a.base > b.base ? a.base : b.base;
  bool varies = pa_time_unit_is_calendar(a) != pa_time_unit_is_calendar(b);
  if (varies && (pa_time_unit_is_calendar(a) ? a_fixed : b_fixed))
    return "years and months have no fixed number of days";
  // Where a calendar unit meets another one, any unit that is fine enough would do; NumPy takes years and months for
  // weeks here.
  uint64_t a_factor = base_factor(varies && pa_time_unit_is_calendar(a) ? PA_TIME_WEEK : a.base, fine);
  uint64_t b_factor = base_factor(varies && pa_time_unit_is_calendar(b) ? PA_TIME_WEEK : b.base, fine);
  bool overflow = !a_factor || !b_factor || __builtin_mul_overflow(a_count, a_factor, &a_count) ||
                  __builtin_mul_overflow(b_count, b_factor, &b_count);
  uint64_t multiple = overflow ? 0 : greatest_divisor(a_count, b_count);
  if (!multiple || multiple > INT32_MAX) return "the factor between them is too large";
  *out_unit = (pa_time_unit){fine, (int32_t)multiple};
  return NULL;
}

bool pa_time_unit_factor(pa_time_unit from, pa_time_unit to, int64_t *out_num, int64_t *out_den) {
  *out_num = *out_den = 1;
  if (from.base == PA_TIME_GENERIC) return true;
  if (to.base == PA_TIME_GENERIC || pa_time_unit_is_calendar(from) != pa_time_unit_is_calendar(to)) return false;
  bool finer = to.base >= from.base;
  uint64_t factor = finer ? base_factor(from.base, to.base) : base_factor(to.base, from.base);
  uint64_t num = (uint64_t)from.multiple, den = (uint64_t)to.multiple, *scaled = finer ? &num : &den;
  if (!factor || __builtin_mul_overflow(*scaled, factor, scaled)) return false;
  uint64_t common = greatest_divisor(num, den);
  num /= common;
  den /= common;
  if (num > INT64_MAX || den > INT64_MAX) return false;
  *out_num = (int64_t)num;
  *out_den = (int64_t)den;
  return true;
}

bool pa_time_unit_can_convert(pa_time_unit from, pa_time_unit to, bool fixed) {
  int64_t num, den;
  const pa_time_unit month = {PA_TIME_MONTH, 1}, day = {PA_TIME_DAY, 1};
  if (pa_time_unit_factor(from, to, &num, &den)) return true;
  if (fixed || to.base == PA_TIME_GENERIC || pa_time_unit_is_calendar(from) == pa_time_unit_is_calendar(to))
    return false;
  bool widens = pa_time_unit_is_calendar(from);
  return pa_time_unit_factor(from, widens ? month : day, &num, &den) &&
         pa_time_unit_factor(widens ? day : month, to, &num, &den);
}

bool pa_time_unit_can_cast(pa_time_unit from, pa_time_unit to, bool fixed) {
  if (from.base == PA_TIME_GENERIC) return true;
  if (to.base == PA_TIME_GENERIC) return false;
  bool varies = pa_time_unit_is_calendar(from) != pa_time_unit_is_calendar(to);
  if (varies) return !fixed && from.base <= to.base;
  int64_t num, den;
  return from.base <= to.base && pa_time_unit_factor(from, to, &num, &den) && den == 1;
}
