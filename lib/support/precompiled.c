#include "precompiled.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const unsigned char *) offered;

static uint32_t count_in(const unsigned char *bytes) {
  pa_precompiled_header header;
  memcpy(&header, bytes, sizeof header);
  return header.count;
}

static pa_precompiled_entry entry_in(const unsigned char *bytes, uint32_t number) {
  pa_precompiled_entry entry;
  memcpy(&entry, bytes + sizeof(pa_precompiled_header) + number * sizeof entry, sizeof entry);
  return entry;
}

static bool is_within(pa_precompiled_part part, size_t size) {
  return part.start <= size && part.size <= size - part.start;
}

static bool is_whole(const unsigned char *bytes, size_t size) {
  pa_precompiled_header header;
  if (size < sizeof header) return false;
  memcpy(&header, bytes, sizeof header);
  if (memcmp(header.magic, "PALIB001", sizeof header.magic) != 0 || header.size != size) return false;
  if (header.count > (size - sizeof header) / sizeof(pa_precompiled_entry)) return false;
  for (uint32_t i = 0; i < header.count; ++i) {
    pa_precompiled_entry entry = entry_in(bytes, i);
    if (!is_within(entry.key, size) || !is_within(entry.result, size) || !is_within(entry.sites, size) ||
        !is_within(entry.object, size))
      return false;
  }
  return true;
}

bool pa_precompiled_offer(const void *bytes, size_t size) {
  const unsigned char *none = NULL;
  if (atomic_load(&offered) == bytes) return true;
  return is_whole(bytes, size) && atomic_compare_exchange_strong(&offered, &none, (const unsigned char *)bytes);
}

uint64_t pa_precompiled_digest(void) {
  const unsigned char *bytes = atomic_load(&offered);
  pa_precompiled_header header = {0};
  if (bytes) memcpy(&header, bytes, sizeof header);
  return header.digest;
}

uint32_t pa_precompiled_count(void) {
  const unsigned char *bytes = atomic_load(&offered);
  return bytes ? count_in(bytes) : 0;
}

int64_t pa_precompiled_find(const char *key, size_t length) {
  const unsigned char *bytes = atomic_load(&offered);
  for (uint32_t i = 0; bytes && i < count_in(bytes); ++i) {
    pa_precompiled_part part = entry_in(bytes, i).key;
    if (part.size == length && memcmp(bytes + part.start, key, length) == 0) return i;
  }
  return -1;
}

bool pa_precompiled_has(const char *prefix, size_t length) {
  const unsigned char *bytes = atomic_load(&offered);
  for (uint32_t i = 0; bytes && i < count_in(bytes); ++i) {
    pa_precompiled_part part = entry_in(bytes, i).key;
    if (part.size >= length && memcmp(bytes + part.start, prefix, length) == 0) return true;
  }
  return false;
}

pa_precompiled pa_precompiled_at(uint32_t number) {
  const unsigned char *bytes = atomic_load(&offered);
  if (!bytes || number >= count_in(bytes)) return (pa_precompiled){0};
  pa_precompiled_entry entry = entry_in(bytes, number);
  const char *text = (const char *)bytes;
  return (pa_precompiled){text + entry.result.start, text + entry.sites.start, text + entry.object.start,
                          entry.result.size,         entry.sites.size,         entry.object.size};
}

int64_t pa_precompiled_numbered(const char *symbol) {
  const size_t length = sizeof PA_PRECOMPILED_SYMBOL - 1;
  if (strncmp(symbol, PA_PRECOMPILED_SYMBOL, length) != 0) return -1;
  char *end;
  unsigned long number = strtoul(symbol + length, &end, 10);
  return *end || end == symbol + length || number >= pa_precompiled_count() ? -1 : (int64_t)number;
}
