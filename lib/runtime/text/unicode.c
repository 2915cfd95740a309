#include "unicode.h"

typedef struct record {
  uint16_t properties;
  int8_t decimal;
  int32_t mappings[4]; // distances, or places in |more|
} record;

enum { WIDE = 1 << 30, BLOCK_SHIFT = 7 };

#include "pa_unicode_tables.inc"

static const record *find(uint32_t code) {
  if (code > 0x10ffff) code = 0x10ffff;
  return &records[numbers[blocks[code >> BLOCK_SHIFT]][code & ((1 << BLOCK_SHIFT) - 1)]];
}

int pa_properties(uint32_t code) { return find(code)->properties; }
int pa_decimal(uint32_t code) { return find(code)->decimal; }

int pa_map_case(uint32_t code, pa_case mapping, uint32_t out[3]) {
  int32_t to = find(code)->mappings[mapping];
  if (to < WIDE) return out[0] = (uint32_t)((int32_t)code + to), 1;
  int count = to & 3;
  for (int i = 0; i < count; ++i) out[i] = more[((to - WIDE) >> 2) + i];
  return count;
}
