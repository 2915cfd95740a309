// Items: the values in containers. An item type is read from its code, once, and says how items are laid out, compared,
// hashed, printed, and which references they hold.
//
//   "d"       8 bytes, no handles                    "(qU)"    int64 at 0, handle at 8
//   "Od"      a byte at 0, float64 at 8               "[C1d"    descriptor of 5 words at 0, owner at 40
#include "float_text.h"
#include "objects.h"
#include "support/fork.h"
#include "thread.h"
#include "type_code.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 2 * PA_TYPE_MAX_ELEMENTS };

//===-- Reading a code ----------------------------------------------------------------------------===//

typedef struct reader {
  const char *at;
  pa_item_part *parts;
  int32_t *handles;
  int32_t part_count, handle_count, capacity;
  int64_t size, alignment;
  int depth;
} reader;

static int32_t place(reader *r, int64_t size, int64_t alignment) {
  int64_t offset = (r->size + alignment - 1) & -alignment;
  r->size = offset + size;
  if (alignment > r->alignment) r->alignment = alignment;
  return (int32_t)offset;
}

static bool read_part(reader *r);

static bool read_array(reader *r, pa_item_part *part) {
  pa_type type;
  const char *rest = pa_type_next(r->at, &type);
  if (!rest) return false;
  part->dtype = type.dtype;
  part->rank = (int16_t)type.rank;
  part->offset = place(r, 8 * (4 + 2 * type.rank), 8);
  r->handles[r->handle_count++] = part->offset + 8 * (3 + 2 * type.rank);
  return r->at = rest, true;
}

static bool read_number(reader *r, pa_item_part *part) {
  pa_type type;
  const char *rest = pa_type_next(r->at, &type);
  if (!rest || type.kind != PA_TYPE_SCALAR) return false;
  int size = pa_dtype_size(type.dtype);
  part->offset = place(r, size, pa_dtype_kind_of(type.dtype) == PA_DTYPE_COMPLEX ? size / 2 : size);
  return r->at = rest, true;
}

static bool read_group(reader *r, pa_item_part *part) {
  int32_t first = r->part_count;
  part->offset = (int32_t)r->size;
  while (*r->at && *r->at != ')')
    if (!read_part(r)) return false;
  if (first < r->part_count) part->offset = r->parts[first].offset;
  return *r->at++ == ')';
}

// What |code| at the reader's place opens; its part has been made.
static bool read_body(reader *r, pa_item_part *part) {
  switch (part->code) {
  case '(': ++r->at; return read_group(r, part);
  case 'O':
    ++r->at;
    part->offset = place(r, 1, 1);
    return read_part(r);
  case 'n':
    ++r->at;
    part->offset = (int32_t)r->size;
    return true;
  case '_':
    ++r->at;
    part->offset = place(r, 8, 8);
    return true;
  case 'U':
  case 'Y':
  case 'o':
    ++r->at;
    part->offset = place(r, 8, 8);
    r->handles[r->handle_count++] = part->offset;
    return true;
  case '[': return read_array(r, part);
  default: return read_number(r, part);
  }
}

// |capacity| is the length of the code, so that all parts have room.
static bool read_part(reader *r) {
  if (r->depth++ > PA_TYPE_MAX_DEPTH || r->part_count == r->capacity) return false;
  pa_item_part *part = &r->parts[r->part_count++];
  *part = (pa_item_part){.code = *r->at};
  bool done = read_body(r, part);
  part->end = r->part_count;
  --r->depth;
  return done;
}

static pa_item_type *read_type(const char *code) {
  size_t length = strlen(code);
  if (length > MOST_PARTS * 4) return NULL;
  char *memory = calloc(1, sizeof(pa_item_type) + length * (sizeof(pa_item_part) + sizeof(int32_t)) + length + 1);
  if (!memory) return NULL;
  pa_item_type *type = (pa_item_type *)memory;
  reader r = {.at = code, .parts = (pa_item_part *)(type + 1), .capacity = (int32_t)length, .alignment = 1};
  r.handles = (int32_t *)(r.parts + length);
  char *copy = memcpy(r.handles + length, code, length + 1);
  if (!read_part(&r) || *r.at) {
    free(memory);
    return NULL;
  }
  int64_t size = (r.size + r.alignment - 1) & -r.alignment;
  bool number = r.part_count == 1 && strchr("?bhiqBHIQefdFDMm", *code);
  *type = (pa_item_type){copy, size, r.alignment, r.part_count, r.handle_count, r.parts, r.handles, number ? *code : 0};
  return type;
}

//===-- Interning ---------------------------------------------------------------------------------===//

typedef struct entry {
  struct entry *next;
  pa_item_type *type;
} entry;

enum { BUCKETS = 256 };
static entry *buckets[BUCKETS]; // only ever grow; read without the lock
PA_FORK_LOCK(lock)

static unsigned bucket_of(const char *code) {
  uint32_t hash = 2166136261u;
  for (; *code; ++code) hash = (hash ^ (uint8_t)*code) * 16777619u;
  return hash % BUCKETS;
}

static const pa_item_type *find(unsigned bucket, const char *code) {
  for (entry *at = __atomic_load_n(&buckets[bucket], __ATOMIC_ACQUIRE); at; at = at->next)
    if (strcmp(at->type->code, code) == 0) return at->type;
  return NULL;
}

static const pa_item_type *add(unsigned bucket, const char *code) {
  entry *made = malloc(sizeof *made);
  pa_item_type *type = read_type(code);
  if (!made || !type) {
    free(made);
    free(type);
    return NULL;
  }
  *made = (entry){buckets[bucket], type};
  __atomic_store_n(&buckets[bucket], made, __ATOMIC_RELEASE);
  return type;
}

const pa_item_type *pa_item_type_get(const char *code) {
  unsigned bucket = bucket_of(code);
  const pa_item_type *type = find(bucket, code);
  if (type) return type;
  pthread_mutex_lock(&lock);
  type = find(bucket, code);
  if (!type) type = add(bucket, code);
  pthread_mutex_unlock(&lock);
  return type;
}

int64_t pyarray_rt_item_type(int64_t code) {
  return (int64_t)(uintptr_t)pa_item_type_get((const char *)(uintptr_t)code);
}

//===-- References --------------------------------------------------------------------------------===//

static int64_t handle_at(const void *at) {
  int64_t handle;
  memcpy(&handle, at, sizeof handle);
  return handle;
}

void pa_items_retain(const pa_item_type *type, const void *items, int64_t count) {
  if (!type->handle_count) return;
  const char *item = items;
  for (int64_t i = 0; i < count; ++i, item += type->size)
    for (int32_t k = 0; k < type->handle_count; ++k) pyarray_rt_retain(handle_at(item + type->handles[k]));
}

void pa_items_release(const pa_item_type *type, const void *items, int64_t count) {
  if (!type->handle_count) return;
  const char *item = items;
  for (int64_t i = 0; i < count; ++i, item += type->size)
    for (int32_t k = 0; k < type->handle_count; ++k) pyarray_rt_release(handle_at(item + type->handles[k]));
}

//===-- Comparison --------------------------------------------------------------------------------===//

#define ORDER(a, b) ((a) < (b) ? PA_LESS : (a) > (b) ? PA_GREATER : (a) == (b) ? PA_EQUAL : PA_UNORDERED)

#define COMPARE_AS(type)                                                                                               \
  do {                                                                                                                 \
    type x, y;                                                                                                         \
    memcpy(&x, a, sizeof x);                                                                                           \
    memcpy(&y, b, sizeof y);                                                                                           \
    return ORDER(x, y);                                                                                                \
  } while (0)

static pa_order compare_complex(const void *a, const void *b, bool single) {
  double x[2], y[2];
  for (int i = 0; i < 2; ++i) {
    float p, q;
    memcpy(&p, (const char *)a + 4 * i, sizeof p);
    memcpy(&q, (const char *)b + 4 * i, sizeof q);
    x[i] = p, y[i] = q;
  }
  if (!single) memcpy(x, a, sizeof x), memcpy(y, b, sizeof y);
  return x[0] == y[0] && x[1] == y[1] ? PA_EQUAL : PA_UNORDERED;
}

static pa_order compare_objects(const void *a, const void *b) {
  if (a == b) return PA_EQUAL; // also two lists that hold NaN, as in CPython
  if (!a || !b) return PA_UNORDERED;
  const pa_object_type *type = pa_type_of(a);
  if (type->compare) return type->compare(a, b);
  return type->equal && type->equal(a, b) ? PA_EQUAL : PA_UNORDERED;
}

static pa_order compare_leaf(const pa_item_part *part, const void *a, const void *b) {
  switch (part->code) {
  case '?':
  case 'B': COMPARE_AS(uint8_t);
  case 'b': COMPARE_AS(int8_t);
  case 'h': COMPARE_AS(int16_t);
  case 'i': COMPARE_AS(int32_t);
  case 'q': COMPARE_AS(int64_t);
  case 'H': COMPARE_AS(uint16_t);
  case 'I': COMPARE_AS(uint32_t);
  case 'Q': COMPARE_AS(uint64_t);
  case 'e': COMPARE_AS(_Float16);
  case 'f': COMPARE_AS(float);
  case 'd': COMPARE_AS(double);
  case 'F':
  case 'D': return compare_complex(a, b, part->code == 'F');
  case 'M':
  case 'm':
    if (handle_at(a) == INT64_MIN || handle_at(b) == INT64_MIN) return PA_UNORDERED; // NaT
    COMPARE_AS(int64_t);
  case 'U':
  case 'Y': return pa_str_compare(pa_object_of(handle_at(a)), pa_object_of(handle_at(b)));
  case 'o': return compare_objects(pa_object_of(handle_at(a)), pa_object_of(handle_at(b)));
  case '[':
    return memcmp(a, b, 24 + 16 * (size_t)part->rank) == 0
               ? PA_EQUAL
               : PA_UNORDERED; // arrays in containers compare by identity: that of their memory
  default: return PA_EQUAL;
  }
}

pa_order pa_item_compare(const pa_item_type *type, const void *a, const void *b) {
  const char *left = a, *right = b;
  for (int32_t i = 0; i < type->part_count;) {
    const pa_item_part *part = &type->parts[i];
    if (part->code == '(') {
      ++i; // tuples compare as the row of all their parts
    } else if (part->code == 'O') {
      bool has_left = left[part->offset] & 1, has_right = right[part->offset] & 1;
      if (has_left != has_right) return PA_UNORDERED;
      i = has_left ? i + 1 : part->end;
    } else {
      pa_order order = compare_leaf(part, left + part->offset, right + part->offset);
      if (order != PA_EQUAL) return order;
      i = part->end;
    }
  }
  return PA_EQUAL;
}

bool pa_item_equal(const pa_item_type *type, const void *a, const void *b) {
  if (type->number == 'q') return handle_at(a) == handle_at(b);
  return pa_item_compare(type, a, b) == PA_EQUAL;
}

//===-- Hashes ------------------------------------------------------------------------------------===//

static const int hash_bits = 61;
static const uint64_t hash_modulus = ((uint64_t)1 << 61) - 1;

static int64_t signed_hash(uint64_t magnitude, bool negative) {
  int64_t hash = negative ? -(int64_t)magnitude : (int64_t)magnitude;
  return hash == -1 ? -2 : hash;
}

int64_t pa_hash_int(int64_t value) {
  uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
  return signed_hash(magnitude % hash_modulus, value < 0);
}

// The value modulo 2**61 - 1, where 1/2 is 2**60: equal numbers of all types have equal hashes.
int64_t pa_hash_double(double value) {
  if (isinf(value)) return value > 0 ? 314159 : -314159;
  if (isnan(value)) return 0; // CPython's depends on the object
  int exponent;
  double mantissa = frexp(fabs(value), &exponent);
  uint64_t hash = 0;
  while (mantissa) {
    hash = ((hash << 28) & hash_modulus) | hash >> (hash_bits - 28);
    mantissa *= 268435456.0;
    exponent -= 28;
    uint64_t digit = (uint64_t)mantissa;
    mantissa -= (double)digit;
    hash += digit;
    if (hash >= hash_modulus) hash -= hash_modulus;
  }
  exponent = exponent >= 0 ? exponent % hash_bits : hash_bits - 1 - ((-1 - exponent) % hash_bits);
  hash = ((hash << exponent) & hash_modulus) | (exponent ? hash >> (hash_bits - exponent) : 0);
  return signed_hash(hash, value < 0);
}

static int64_t hash_complex(double real, double imag) {
  uint64_t hash = (uint64_t)pa_hash_double(real) + 1000003u * (uint64_t)pa_hash_double(imag);
  return hash == UINT64_MAX ? -2 : (int64_t)hash;
}

#define LOAD(type, at)                                                                                                 \
  ({                                                                                                                   \
    type loaded;                                                                                                       \
    memcpy(&loaded, (at), sizeof loaded);                                                                              \
    loaded;                                                                                                            \
  })

static int64_t hash_object(const void *object) {
  const pa_object_type *type = pa_type_of(object);
  return type->hash ? type->hash(object) : (int64_t)((uintptr_t)object >> 6);
}

static int64_t hash_leaf(char code, const char *at) {
  switch (code) {
  case '?':
  case 'B': return LOAD(uint8_t, at);
  case 'b': return pa_hash_int(LOAD(int8_t, at));
  case 'h': return pa_hash_int(LOAD(int16_t, at));
  case 'i': return pa_hash_int(LOAD(int32_t, at));
  case 'q':
  case 'M':
  case 'm': return pa_hash_int(LOAD(int64_t, at));
  case 'H': return LOAD(uint16_t, at);
  case 'I': return LOAD(uint32_t, at);
  case 'Q': return (int64_t)(LOAD(uint64_t, at) % hash_modulus);
  case 'e': return pa_hash_double((double)LOAD(_Float16, at));
  case 'f': return pa_hash_double(LOAD(float, at));
  case 'd': return pa_hash_double(LOAD(double, at));
  case 'F': return hash_complex(LOAD(float, at), LOAD(float, at + 4));
  case 'D': return hash_complex(LOAD(double, at), LOAD(double, at + 8));
  case 'U':
  case 'Y': return pa_str_hash(pa_object_of(handle_at(at)));
  case 'o': return hash_object(pa_object_of(handle_at(at)));
  case 'n': return pa_none_hash();
  default: return 0;
  }
}

static int64_t hash_part(const pa_item_type *type, int32_t index, const char *item);

// As CPython hashes tuples (xxHash).
static int64_t hash_tuple(const pa_item_type *type, int32_t index, const char *item) {
  const uint64_t prime1 = 11400714785074694791u, prime2 = 14029467366897019727u, prime5 = 2870177450012600261u;
  uint64_t sum = prime5, count = 0;
  for (int32_t i = index + 1; i < type->parts[index].end; i = type->parts[i].end, ++count) {
    sum += (uint64_t)hash_part(type, i, item) * prime2;
    sum = (sum << 31 | sum >> 33) * prime1;
  }
  sum += count ^ (prime5 ^ 3527539u);
  return sum == UINT64_MAX ? 1546275796 : (int64_t)sum;
}

static int64_t hash_part(const pa_item_type *type, int32_t index, const char *item) {
  const pa_item_part *part = &type->parts[index];
  if (part->code == '(') return hash_tuple(type, index, item);
  if (part->code == 'O') return item[part->offset] & 1 ? hash_part(type, index + 1, item) : hash_leaf('n', item);
  return hash_leaf(part->code, item + part->offset);
}

int64_t pa_item_hash(const pa_item_type *type, const void *item) { return hash_part(type, 0, item); }
int64_t pa_item_part_hash(const pa_item_type *type, int32_t part, const void *item) {
  return hash_part(type, part, item);
}

//===-- Text --------------------------------------------------------------------------------------===//

static void object_repr(const void *object, pa_string *out) {
  const pa_object_type *type = object ? pa_type_of(object) : NULL;
  if (type && type->repr)
    type->repr(object, out);
  else
    pa_string_format(out, "<%s object>", type ? type->name : "null");
}

static void leaf_repr(const pa_item_part *part, const char *at, pa_string *out) {
  switch (part->code) {
  case '?': pa_string_puts(out, *at & 1 ? "True" : "False"); break;
  case 'b': pa_string_format(out, "%d", LOAD(int8_t, at)); break;
  case 'h': pa_string_format(out, "%d", LOAD(int16_t, at)); break;
  case 'i': pa_string_format(out, "%d", LOAD(int32_t, at)); break;
  case 'q':
  case 'M':
  case 'm': pa_string_format(out, "%lld", (long long)LOAD(int64_t, at)); break;
  case 'B': pa_string_format(out, "%u", LOAD(uint8_t, at)); break;
  case 'H': pa_string_format(out, "%u", LOAD(uint16_t, at)); break;
  case 'I': pa_string_format(out, "%u", LOAD(uint32_t, at)); break;
  case 'Q': pa_string_format(out, "%llu", (unsigned long long)LOAD(uint64_t, at)); break;
  case 'e': pa_float_repr((double)LOAD(_Float16, at), part->code, out); break;
  case 'f': pa_float_repr(LOAD(float, at), part->code, out); break;
  case 'd': pa_float_repr(LOAD(double, at), part->code, out); break;
  case 'F': pa_complex_repr(LOAD(float, at), LOAD(float, at + 4), part->code, out); break;
  case 'D': pa_complex_repr(LOAD(double, at), LOAD(double, at + 8), part->code, out); break;
  case 'U':
  case 'Y': pa_str_repr(pa_object_of(handle_at(at)), out); break;
  case 'o': object_repr(pa_object_of(handle_at(at)), out); break;
  case 'n': pa_string_puts(out, "None"); break;
  case '[': pa_string_format(out, "<array of %d dimensions>", part->rank); break;
  default: break;
  }
}

static void part_repr_at(const pa_item_type *type, int32_t index, const char *item, pa_string *out) {
  const pa_item_part *part = &type->parts[index];
  if (part->code == 'O') {
    if (item[part->offset] & 1)
      part_repr_at(type, index + 1, item, out);
    else
      pa_string_puts(out, "None");
  } else if (part->code == '(') {
    int32_t count = 0;
    pa_string_puts(out, "(");
    for (int32_t i = index + 1; i < part->end; i = type->parts[i].end, ++count) {
      if (count) pa_string_puts(out, ", ");
      part_repr_at(type, i, item, out);
    }
    pa_string_puts(out, count == 1 ? ",)" : ")");
  } else {
    leaf_repr(part, item + part->offset, out);
  }
}

void pa_item_repr(const pa_item_type *type, const void *item, pa_string *out) { part_repr_at(type, 0, item, out); }

void pa_item_part_repr(const pa_item_type *type, int32_t part, const void *item, pa_string *out) {
  part_repr_at(type, part, item, out);
}
