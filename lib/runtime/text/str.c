// Text: making it, comparing, hashing, parts of it, and putting it together. str and bytes alike.
#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "text.h"
#include "unicode.h"

//===-- Immortal text -----------------------------------------------------------------------------===//

typedef struct immortal {
  pa_owner owner;
  pa_str str;
  char data[8];
} immortal;

#define ROW(code)                                                                                                      \
  {.owner = {.references = 1, .kind = PA_OWNER_BORROWED},                                                              \
   .str = {.length = 1, .kind = 1, .flags = (code) < 128 ? PA_STR_ASCII : 0},                                          \
   .data = {(char)(code)}},
#define ROWS4(code) ROW(code) ROW((code) + 1) ROW((code) + 2) ROW((code) + 3)
#define ROWS16(code) ROWS4(code) ROWS4((code) + 4) ROWS4((code) + 8) ROWS4((code) + 12)
#define ROWS64(code) ROWS16(code) ROWS16((code) + 16) ROWS16((code) + 32) ROWS16((code) + 48)
static immortal characters[256] = {ROWS64(0) ROWS64(64) ROWS64(128) ROWS64(192)};
static immortal empty_str = {.owner = {.references = 1, .kind = PA_OWNER_BORROWED},
                             .str = {.kind = 1, .flags = PA_STR_ASCII}};
static immortal empty_bytes = {.owner = {.references = 1, .kind = PA_OWNER_BORROWED},
                               .str = {.kind = 1, .flags = PA_STR_BYTES}};

int64_t pa_str_empty(const pa_str *like) { return pa_handle_of(pa_is_bytes(like) ? &empty_bytes.str : &empty_str.str); }

//===-- Making ------------------------------------------------------------------------------------===//

pa_str *pa_str_new(int kind, int64_t length, int flags) {
  int64_t bytes;
  pa_str *str = NULL;
  if (length >= 0 && !__builtin_mul_overflow(length + 1, kind, &bytes) && bytes < INT64_MAX / 2)
    str = pa_text_allocate((int64_t)sizeof *str + bytes);
  if (!str) return pa_object_of(pa_record_memory_failure());
  *str = (pa_str){.length = length, .kind = kind, .flags = flags};
  pa_put_code(pa_str_data(str), kind, length, 0);
  return str;
}

static bool is_ascii(const void *data, int64_t length) {
  const char *bytes = data;
  int64_t i = 0;
  for (uint64_t word; i + 8 <= length; i += 8) {
    memcpy(&word, bytes + i, sizeof word);
    if (word & 0x8080808080808080u) return false;
  }
  for (; i < length; ++i)
    if (bytes[i] & 0x80) return false;
  return true;
}

// Bits that some code point has.
static uint32_t bits_of(const void *data, int kind, int64_t length) {
  uint32_t bits = 0;
  if (kind == 2)
    for (int64_t i = 0; i < length; ++i) bits |= ((const uint16_t *)data)[i];
  else
    for (int64_t i = 0; i < length; ++i) bits |= ((const uint32_t *)data)[i];
  return bits;
}

static void convert(void *to, int to_kind, const void *from, int kind, int64_t length) {
  if (to_kind == kind)
    memcpy(to, from, (size_t)(length * kind));
  else
    for (int64_t i = 0; i < length; ++i) pa_put_code(to, to_kind, i, pa_code_at(from, kind, i));
}

pa_str *pa_str_copy(const void *data, int kind, int64_t length, int flags) {
  if (length <= 0) return pa_object_of(pa_handle_of(flags & PA_STR_BYTES ? &empty_bytes.str : &empty_str.str));
  int narrow = kind == 1 ? 1 : pa_kind_of_code(bits_of(data, kind, length));
  if (length == 1 && narrow == 1 && !(flags & PA_STR_BYTES)) return &characters[pa_code_at(data, kind, 0)].str;
  pa_str *str = pa_str_new(narrow, length, flags);
  if (!str) return NULL;
  convert(pa_str_data(str), narrow, data, kind, length);
  if (narrow == 1 && !(flags & (PA_STR_ASCII | PA_STR_BYTES)) && is_ascii(pa_str_data(str), length))
    str->flags |= PA_STR_ASCII;
  return str;
}

void pa_str_copy_to(char *to, int kind, const pa_str *str) {
  convert(to, kind, pa_str_data(str), str->kind, str->length);
}

// Room for |more| code points as wide as |code|, or wider.
static bool make_room(pa_text_builder *builder, uint32_t code, int64_t more) {
  int kind = pa_kind_of_code(code);
  if (kind < builder->kind) kind = builder->kind;
  if (kind == builder->kind && more <= builder->capacity - builder->length) return true;
  int64_t capacity = builder->capacity, size;
  if (more > capacity - builder->length) {
    int64_t least = 0;
    builder->failed |= __builtin_add_overflow(builder->length, more, &least);
    capacity = 2 * capacity + 32 > least ? 2 * capacity + 32 : least;
  }
  builder->failed |= __builtin_mul_overflow(capacity, kind, &size);
  void *data = builder->failed ? NULL : malloc((size_t)size);
  if (!data) return builder->failed = true, false;
  if (builder->kind) convert(data, kind, builder->data, builder->kind, builder->length);
  free(builder->data);
  *builder = (pa_text_builder){data, kind, builder->length, capacity, false};
  return true;
}

void pa_text_put(pa_text_builder *builder, uint32_t code) {
  if (make_room(builder, code, 1)) pa_put_code(builder->data, builder->kind, builder->length++, code);
}

void pa_text_repeat(pa_text_builder *builder, uint32_t code, int64_t count) {
  if (count <= 0 || builder->failed || !make_room(builder, code, count)) return;
  for (; count; --count) pa_put_code(builder->data, builder->kind, builder->length++, code);
}

int64_t pa_text_finish(pa_text_builder *builder, int flags) {
  int64_t made =
      builder->failed
          ? pa_record_memory_failure()
          : pa_handle_of(pa_str_copy(builder->data, builder->kind ? builder->kind : 1, builder->length, flags));
  free(builder->data);
  return made;
}

//===-- Comparison, hash --------------------------------------------------------------------------===//

// Canonical text that is equal has one kind.
bool pa_str_equal(const void *a, const void *b) {
  const pa_str *left = a, *right = b;
  if (left == right) return true;
  if (left->length != right->length || left->kind != right->kind) return false;
  int64_t bytes = left->length * left->kind;
  if (!pa_are_short_bytes(bytes)) return memcmp(pa_str_data(left), pa_str_data(right), (size_t)bytes) == 0;
  pa_short_bytes x = pa_short_bytes_of(pa_str_data(left), bytes), y = pa_short_bytes_of(pa_str_data(right), bytes);
  return x.first == y.first && x.last == y.last;
}

pa_order pa_str_compare(const void *a, const void *b) {
  const pa_str *left = a, *right = b;
  int64_t shorter = left->length < right->length ? left->length : right->length;
  if (left->kind == 1 && right->kind == 1) {
    int order = memcmp(pa_str_data(left), pa_str_data(right), (size_t)shorter);
    if (order) return order < 0 ? PA_LESS : PA_GREATER;
  } else {
    for (int64_t i = 0; i < shorter; ++i) {
      uint32_t x = pa_str_code(left, i), y = pa_str_code(right, i);
      if (x != y) return x < y ? PA_LESS : PA_GREATER;
    }
  }
  return left->length == right->length ? PA_EQUAL : left->length < right->length ? PA_LESS : PA_GREATER;
}

static uint64_t hash_seed;
static void choose_seed(void) {
  if (getrandom(&hash_seed, sizeof hash_seed, GRND_NONBLOCK) != sizeof hash_seed) hash_seed = 0x9e3779b97f4a7c15u;
}

static uint64_t mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xbf58476d1ce4e5b9u);
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Where no interpreter is.
static int64_t hash_bytes(const void *data, int64_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_seed);
  const char *at = data;
  uint64_t hash = hash_seed ^ (uint64_t)count, word;
  for (; count >= 8; count -= 8, at += 8) {
    memcpy(&word, at, 8);
    hash = mix(hash, word);
  }
  word = 0;
  memcpy(&word, at, (size_t)count);
  return (int64_t)mix(hash, word);
}

static int64_t (*hash_of_bytes)(const void *data, int64_t count) = hash_bytes;
static int64_t none_hash = 0xfca86420;

void pa_set_hashes(int64_t (*of_bytes)(const void *data, int64_t count), int64_t of_none) {
  hash_of_bytes = of_bytes;
  none_hash = of_none;
}

int64_t pa_none_hash(void) { return none_hash; }

int64_t pa_str_hash(const void *object) {
  pa_str *str = (pa_str *)object;
  int64_t known = __atomic_load_n(&str->hash, __ATOMIC_RELAXED);
  if (known || !str->length) return known;
  int64_t hash = hash_of_bytes(pa_str_data(str), str->length * str->kind);
  if (hash == -1) hash = -2; // CPython's sign of an error
  __atomic_store_n(&str->hash, hash, __ATOMIC_RELAXED);
  return hash;
}

int32_t pyarray_rt_str_equal(int64_t a, int64_t b) { return pa_str_equal(pa_str_of(a), pa_str_of(b)); }
int32_t pyarray_rt_str_compare(int64_t a, int64_t b) { return pa_str_compare(pa_str_of(a), pa_str_of(b)); }
int64_t pyarray_rt_str_hash(int64_t text) { return pa_str_hash(pa_str_of(text)); }

//===-- repr --------------------------------------------------------------------------------------===//

static void put_escape(uint32_t code, pa_string *out) {
  static const char names[] = "\t\n\r\\", letters[] = "tnr\\";
  const char *at = code && code < 128 ? strchr(names, (int)code) : NULL;
  if (at)
    pa_string_format(out, "\\%c", letters[at - names]);
  else
    pa_string_format(out, code < 0x100 ? "\\x%02x" : code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
}

void pa_str_repr(const void *object, pa_string *out) {
  const pa_str *str = object;
  bool single = false, twice = false;
  for (int64_t i = 0; i < str->length; ++i) {
    single |= pa_str_code(str, i) == '\'';
    twice |= pa_str_code(str, i) == '"';
  }
  char quote = single && !twice ? '"' : '\'';
  if (pa_is_bytes(str)) pa_string_puts(out, "b");
  pa_string_append(out, &quote, 1);
  for (int64_t i = 0; i < str->length; ++i) {
    uint32_t code = pa_str_code(str, i);
    bool printable = pa_is_bytes(str) ? code >= 32 && code < 127 : pa_properties(code) & PA_PRINTABLE;
    if (code == (uint32_t)quote)
      pa_string_format(out, "\\%c", quote);
    else if (!printable || code == '\\')
      put_escape(code, out);
    else
      pa_put_utf8(code, out);
  }
  pa_string_append(out, &quote, 1);
}

//===-- Parts -------------------------------------------------------------------------------------===//

int64_t pyarray_rt_str_item(int64_t text, int64_t index) {
  return pa_handle_of(pa_str_part(pa_str_of(text), index, 1));
}

int64_t pyarray_rt_bytes_item(int64_t text, int64_t index) { return (uint8_t)pa_str_data(pa_str_of(text))[index]; }

int64_t pyarray_rt_str_slice(int64_t text, int64_t start, int64_t count, int64_t step) {
  const pa_str *str = pa_str_of(text);
  if (count == str->length && step == 1) return pa_str_share(text);
  if (step == 1 || count <= 1) return pa_handle_of(pa_str_part(str, start, count));
  char *data = malloc((size_t)(count * str->kind));
  if (!data) return pa_record_memory_failure();
  for (int64_t i = 0; i < count; ++i) pa_put_code(data, str->kind, i, pa_str_code(str, start + i * step));
  int64_t made = pa_handle_of(pa_str_copy(data, str->kind, count, str->flags & PA_STR_BYTES));
  free(data);
  return made;
}

//===-- Putting together --------------------------------------------------------------------------===//

static int common_flags(const pa_str *a, const pa_str *b) {
  return a->flags & b->flags & (PA_STR_ASCII | PA_STR_BYTES);
}

static pa_str *concat(const pa_str *a, const pa_str *b, int64_t room) {
  int kind = a->kind > b->kind ? a->kind : b->kind;
  int64_t length = a->length + b->length;
  pa_str *made = pa_str_new(kind, length > room ? length : room, common_flags(a, b));
  if (!made) return NULL;
  made->length = length;
  pa_str_copy_to(pa_str_data(made), kind, a);
  pa_str_copy_to(pa_str_data(made) + a->length * kind, kind, b);
  pa_put_code(pa_str_data(made), kind, length, 0);
  return made;
}

int64_t pyarray_rt_str_concat(int64_t a, int64_t b) {
  const pa_str *left = pa_str_of(a), *right = pa_str_of(b);
  if (!left->length) return pa_str_share(b);
  if (!right->length) return pa_str_share(a);
  return pa_handle_of(concat(left, right, 0));
}

// Nobody else holds |str|, and it has room for |more|: they are put at its end.
static bool extend_in_place(pa_str *str, const pa_str *more) {
  pa_owner *owner = pa_owner_of(pa_handle_of(str));
  bool alone = owner->kind == PA_OWNER_HEAP && __atomic_load_n(&owner->references, __ATOMIC_ACQUIRE) == 1;
  int64_t length = str->length + more->length;
  if (!alone || more->kind > str->kind || owner->bytes < (int64_t)sizeof *str + (length + 1) * str->kind) return false;
  str->flags = common_flags(str, more);
  pa_str_copy_to(pa_str_data(str) + str->length * str->kind, str->kind, more);
  pa_put_code(pa_str_data(str), str->kind, length, 0);
  str->length = length;
  str->hash = 0;
  return true;
}

int64_t pyarray_rt_str_append(int64_t a, int64_t b) {
  pa_str *left = pa_str_of(a);
  const pa_str *right = pa_str_of(b);
  if (!right->length || (left->length && extend_in_place(left, right))) return a;
  int64_t room = left->length < 16 ? 0 : left->length + left->length / 2 + right->length;
  int64_t made = left->length ? pa_handle_of(concat(left, right, room)) : pa_str_share(b);
  pyarray_rt_release(a);
  return made;
}

int64_t pyarray_rt_str_repeat(int64_t text, int64_t count) {
  const pa_str *str = pa_str_of(text);
  int64_t length;
  if (count == 1) return pa_str_share(text);
  if (count <= 0 || !str->length) return pa_str_empty(str);
  if (__builtin_mul_overflow(str->length, count, &length)) return pa_record_memory_failure();
  pa_str *made = pa_str_new(str->kind, length, common_flags(str, str));
  if (!made) return 0;
  size_t size = (size_t)(str->length * str->kind), done = size, all = (size_t)(length * str->kind);
  char *data = pa_str_data(made);
  memcpy(data, pa_str_data(str), size);
  for (; done < all; done += done < all - done ? done : all - done)
    memcpy(data + done, data, done < all - done ? done : all - done);
  return pa_handle_of(made);
}

int64_t pyarray_rt_str_join(int64_t separator, int64_t items, int64_t count) {
  const pa_str *between = pa_str_of(separator);
  const int64_t *handles = (const int64_t *)(uintptr_t)items;
  int kind = count > 1 ? between->kind : 1, flags = between->flags & (PA_STR_ASCII | PA_STR_BYTES);
  int64_t length = 0;
  if (count <= 0) return pa_str_empty(between);
  if (count == 1) return pa_str_share(handles[0]);
  for (int64_t i = 0; i < count; ++i) {
    const pa_str *item = pa_str_of(handles[i]);
    kind = item->kind > kind ? item->kind : kind;
    flags &= item->flags;
    length += item->length + (i ? between->length : 0);
  }
  pa_str *made = pa_str_new(kind, length, flags);
  if (!made) return 0;
  char *at = pa_str_data(made);
  for (int64_t i = 0; i < count; ++i) {
    if (i) pa_str_copy_to(at, kind, between), at += between->length * kind;
    pa_str_copy_to(at, kind, pa_str_of(handles[i]));
    at += pa_str_of(handles[i])->length * kind;
  }
  return length ? pa_handle_of(made) : (pyarray_rt_release(pa_handle_of(made)), pa_str_empty(between));
}
