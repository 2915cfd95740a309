// Objects on the heap: their types, the layouts that compiled code reads inline, and items, the values in containers
// (docs/internals-objects.md).
#ifndef PYARRAY_LIB_RUNTIME_OBJECTS_H
#define PYARRAY_LIB_RUNTIME_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"
#include "support.h"

// How two values compare. NaN, and what holds one, is unordered.
typedef enum pa_order { PA_LESS = -1, PA_EQUAL = 0, PA_GREATER = 1, PA_UNORDERED = 2 } pa_order;

// What a kind of object does. Two objects that are compared have the same type.
typedef struct pa_object_type {
  const char *name; // "list"
  // Releases what the object holds and frees memory of its own; its block goes afterwards. NULL: it holds nothing.
  void (*destroy)(void *object);
  bool (*equal)(const void *a, const void *b);
  pa_order (*compare)(const void *a, const void *b);
  int64_t (*hash)(const void *object); // NULL: not hashable
  void (*repr)(const void *object, pa_string *out);
} pa_object_type;

// Zeroed memory of an object with one reference, or NULL.
void *pa_object_new(const pa_object_type *type, size_t bytes);
void *pa_text_allocate(int64_t bytes); // memory of a str or bytes, whose short ones are many: nothing aligns it

static inline int64_t pa_handle_of(const void *object) { return (int64_t)(uintptr_t)object; }
static inline void *pa_object_of(int64_t handle) { return (void *)(uintptr_t)handle; }
static inline const pa_object_type *pa_type_of(const void *object) { return pa_owner_of(pa_handle_of(object))->type; }

//===-- Items: items.c ----------------------------------------------------------------------------===//

// A part of an item: a number, a handle, or what opens a group of parts.
typedef struct pa_item_part {
  char code;  // '?' to 'D', 'M', 'm'; 'U', 'Y', 'o'; 'n'; '['; '(' a tuple; 'O' an optional; '_' a word that is not
              // compared
  char dtype; // of an array
  int16_t rank;
  int32_t offset; // in the item; of a tuple that of its first part
  int32_t end;    // number of the part behind this one and those in it
} pa_item_part;

// An item is the level-4 values of its type as a C struct. Interned: equal types have one address; never freed.
typedef struct pa_item_type {
  const char *code;
  int64_t size, alignment;
  int32_t part_count, handle_count;
  const pa_item_part *parts;
  const int32_t *handles; // offsets of owner handles
  char number;            // the code where the item is one number, else 0
} pa_item_type;

// NULL where |code| is malformed or memory is short.
const pa_item_type *pa_item_type_get(const char *code);
bool pa_item_equal(const pa_item_type *type, const void *a, const void *b);
pa_order pa_item_compare(const pa_item_type *type, const void *a, const void *b);
int64_t pa_item_hash(const pa_item_type *type, const void *item); // as CPython's, never -1
void pa_item_repr(const pa_item_type *type, const void *item, pa_string *out);
// Of part number |part| of an item, with those in it.
int64_t pa_item_part_hash(const pa_item_type *type, int32_t part, const void *item);
void pa_item_part_repr(const pa_item_type *type, int32_t part, const void *item, pa_string *out);
void pa_items_retain(const pa_item_type *type, const void *items, int64_t count);
void pa_items_release(const pa_item_type *type, const void *items, int64_t count);
int64_t pa_hash_double(double value); // CPython's
int64_t pa_hash_int(int64_t value);

//===-- Text: str.c and others --------------------------------------------------------------------===//

enum {
  PA_STR_ASCII = 1, // of str: no code point is beyond 127
  PA_STR_BYTES = 2, // it is bytes
};

// str, and bytes, which are of kind 1. pa_owner.type is NULL: text holds nothing, and codes of items say what it is.
typedef struct pa_str {
  int64_t length; // code points
  int64_t hash;   // 0: not computed
  int32_t kind;   // bytes of a code point: 1, 2 or 4, as few as will do
  int32_t flags;
  // The code points follow, and a zero.
} pa_str;

bool pa_str_equal(const void *a, const void *b);
pa_order pa_str_compare(const void *a, const void *b);
int64_t pa_str_hash(const void *str);
void pa_str_repr(const void *str, pa_string *out); // UTF-8
// A new object from |length| code points of |kind|, or NULL. |flags|: PA_STR_BYTES or 0; PA_STR_ASCII too where that is
// known.
pa_str *pa_str_copy(const void *data, int kind, int64_t length, int flags);
static inline const void *pa_str_content(const pa_str *str) { return str + 1; }

// The hashes of who embeds the runtime: of the code points of a str, or bytes, that are not empty, and of None.
void pa_set_hashes(int64_t (*of_bytes)(const void *data, int64_t count), int64_t of_none);
int64_t pa_none_hash(void);

// Who writes what print() prints: false, after pa_print_failed, where that fails. NULL: nobody.
void pa_set_print(bool (*print)(const char *utf8, size_t length, bool flush));
void pa_print_failed(bool is_value_error, const char *message);

// The least float16 and float32 whose text has an exponent, as the NumPy of who embeds the runtime writes them.
void pa_set_scientific(double least_f16, double least_f32);

//===-- Typed containers --------------------------------------------------------------------------===//

// Whether a list, dict or set is one of pyarray.typed in Python, which shares it; all others are copied when they
// become results.
static inline bool pa_is_typed(const void *container) { return pa_owner_of(pa_handle_of(container))->proxy != NULL; }
static inline void pa_set_typed(void *container, bool typed) {
  pa_owner *owner = pa_owner_of(pa_handle_of(container));
  owner->proxy = typed ? owner : NULL;
}

//===-- Lists: list.c -----------------------------------------------------------------------------===//

// Also a deque, which has another object type.
typedef struct pa_list {
  int64_t length, capacity; // items that there are, and that there is room for from the first one on
  char *items;
  const pa_item_type *type;
  char *memory;  // of malloc; the first item may lie further on
  int64_t limit; // most items of a deque: where it is full, one at the other end goes; INT64_MAX: as many as there are
  union {
    int64_t changes; // of a deque: how often its length was changed
    int64_t exports; // of a bytearray: memoryviews that show its bytes, which stay where they are; changed by atomic
                     // operations alone
  };
} pa_list;

extern const pa_object_type pa_list_type, pa_deque_type;

// An empty list with room for |capacity| items, or NULL.
pa_list *pa_list_new(const pa_item_type *type, int64_t capacity);
pa_list *pa_deque_new(const pa_item_type *type, int64_t limit);
bool pa_list_reserve(pa_list *list, int64_t capacity);
// Puts an item, which is retained, at the end. False where memory is short.
bool pa_list_append(pa_list *list, const void *item);
bool pa_list_append_owned(pa_list *list, const void *item); // the same; the list takes the caller's references

extern const pa_object_type pa_bytearray_type;
pa_list *pa_bytearray_new(const void *data, int64_t length); // a list of bytes: bytearray.c
// The bytearray that memory with the owner |handle| belongs to, since a memoryview shows it; 0: it is no such memory.
int64_t pa_exported_bytearray(int64_t handle);

static inline char *pa_list_item(const pa_list *list, int64_t index) { return list->items + index * list->type->size; }

//===-- Dicts and sets: dict.c --------------------------------------------------------------------===//

// Entries lie in order of insertion, each a hash (-1: deleted), the key and the value; |index| finds them by hash. The
// last one is not deleted. A set is a dict whose |value| is NULL; one of whole numbers of four or eight bytes has a
// table of its keys (objects/set_table.h) for the index.
typedef struct pa_dict {
  int64_t length;         // keys
  int64_t version;        // counts insertions and deletions of keys
  int64_t used, capacity; // entries, deleted ones too
  int64_t mask;           // of the index, whose size is a power of two; of the table: of its groups
  int32_t *index;         // numbers of entries, or -1; beside a table often NULL
  char *entries;
  const pa_item_type *key, *value;
  int64_t entry_size, value_offset; // in an entry
  int64_t shift;                    // 64 - log2(places of the index)
  int64_t *table;                   // keys; NULL of what has an index
  int64_t multiplier;               // of keys, for their groups
  int64_t outside[2];               // whether 0 and INT64_MIN, which the table does not have, are keys
  int64_t away, left;               // keys that are not in their groups; places of keys that have gone
  void *block;                      // the table's memory
} pa_dict;

enum { PA_DICT_KEY = 8 }; // where the key lies in an entry

extern const pa_object_type pa_dict_type, pa_set_type, pa_frozenset_type;

pa_dict *pa_dict_new(const pa_item_type *key, const pa_item_type *value, int64_t capacity);
int64_t pa_dict_find(pa_dict *dict, const void *key); // number of the entry, or -1
bool pa_dict_has(const pa_dict *dict, const void *key);
// The key and value are retained. A key that is there stays. False where memory is short.
bool pa_dict_set(pa_dict *dict, const void *key, const void *value);
bool pa_dict_delete(pa_dict *dict, const void *key); // false: it is not there
// An empty one of the kind of |dict|: a frozenset, say; typed where that is. NULL where memory is short.
pa_dict *pa_dict_new_like(const pa_dict *dict, int64_t capacity);
// Puts the keys of |dict| into |to|, which has none of them, with their values, of which |other| has, or lacks, the
// key; all where it is NULL. False where memory is short: |to| can then only be released.
bool pa_dict_copy_where(pa_dict *to, const pa_dict *dict, const pa_dict *other, bool has);
// The same of the items of two sets: all, or those of one set alone.
bool pa_set_merge(pa_dict *to, const pa_dict *a, const pa_dict *b, bool of_one);
// Whether there is no key in |dict| that |other| has, or lacks.
bool pa_dict_has_none(const pa_dict *dict, const pa_dict *other, bool has);
int64_t pa_dict_next(const pa_dict *dict,
                     int64_t position); // first entry from |position| on that is not deleted, or -1

static inline char *pa_dict_key(const pa_dict *dict, int64_t entry) {
  return dict->entries + entry * dict->entry_size + PA_DICT_KEY;
}
static inline char *pa_dict_value(const pa_dict *dict, int64_t entry) {
  return dict->entries + entry * dict->entry_size + dict->value_offset;
}

//===-- Generators: generator.c -------------------------------------------------------------------===//

// How a generator was left, and how it is run on.
enum { PA_GENERATOR_RAISED = -1, PA_GENERATOR_ENDED = 0, PA_GENERATOR_YIELDED = 1 };
enum { PA_GENERATOR_NEXT = 0, PA_GENERATOR_CLOSE = 1 };

// The frame begins as LLVM lays out that of a coroutine with a promise, which is |item| and what follows.
typedef struct pa_generator {
  void (*resume)(struct pa_generator *generator);  // NULL: it has ended
  void (*destroy)(struct pa_generator *generator); // not used: generators end by themselves
  int64_t item;                                    // where the next item goes
  int64_t state;                                   // before it runs on: how; then: how it was left
  int64_t running;
  int64_t started;               // it was run on at least once
  struct pa_generator *delegate; // while it waits: whose items it hands on, and that nothing else has; or NULL
  struct pa_generator *parent;   // whose delegate it is
  struct pa_generator
      *leaf;      // the last one of the delegates, where there are any; of a generator that is nobody's delegate
  int64_t depth;  // of delegates above it
  int64_t level;  // while it runs: how many of those that wait for its item had begun before
  int64_t failed; // as a delegate: the one that waits for it is yet to hear of its error
} pa_generator;

// Lets it raise GeneratorExit where it waits, and end. False where it ended by an error, GeneratorExit perhaps, which
// is the thread's then; or wanted to yield again: then the thread has none.
bool pa_generator_close(int64_t handle);

//===-- Instances of classes: instance.c ----------------------------------------------------------===//

// The fields lie at the handle, as an item of a tuple type.
typedef struct pa_instance_type {
  pa_object_type type; // first: pa_owner.type points to it. Its name is "Class" or "outer.Class"
  const pa_item_type *fields;
  const char *code; // "J[module:Class#0]", no NUL behind it
  int32_t code_length;
} pa_instance_type;

// Of "module:Class#0=(dq)", the class's name and the code of its fields. Interned. NULL where it is malformed or memory
// is short.
const pa_instance_type *pa_instance_type_get(const char *text);
void *pa_instance_new(const pa_instance_type *type); // zeroed; NULL where memory is short

// How the count of references of an object of Python is changed by 1 or -1, in any thread. NULL, as at first: arguments
// are not kept.
void pa_set_reference_change(void (*change)(void *object, int change));
// The object of Python that an owner stands for: an array argument's, also where pyarray_rt_keep has kept it. Or NULL.
void *pa_kept_object(int64_t handle);

#endif // PYARRAY_LIB_RUNTIME_OBJECTS_H
