// Type codes of items that lie in memory as bytes (docs/internals-objects.md, "Records"): records, and text of a fixed
// length.
//
//   item   = record | chars | vector | scalar
//   record = "{" [ "r" ] [ "p" ] size { "," name [ "~" name ] "@" offset ":" { extent "x" } item } "}"
//   chars  = ( "z" | "Z" ) length                      "z8": S8, bytes; "Z8": U8, code points
//   vector = "x" [ "p" ] "(" number { number } ")"    "x(ffff)": a float32x4, one to four numbers of one type
//   name   = { letter | digit | "_" | byte >= 0x80 | "%" hex hex }
//
// "{16,x@0:d,m@8:2x2xh}" has 16 bytes, a float64 and four int16. "r": NumPy's scalar is a np.record; "p": the memory
// may lie at any address; a vector's lies at a multiple of pa_item_code_alignment else. Fields stand in the order of
// NumPy's names; they may overlap and leave gaps. Behind "~" is a field's title, its other name.
#ifndef PYARRAY_LIB_SUPPORT_RECORD_CODE_H
#define PYARRAY_LIB_SUPPORT_RECORD_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  PA_RECORD_MAX_DEPTH = 16,        // of records in records
  PA_RECORD_MAX_RANK = 31,         // of arrays of such items: their bytes are one more dimension
  PA_RECORD_MAX_SIZE = 0x7fffffff, // bytes
  PA_VECTOR_MAX_COUNT = 4          // of elements
};

typedef struct pa_record_field {
  const char *name; // as it stands in the code
  size_t name_length;
  const char *title;   // the other name, as it stands in the code
  size_t title_length; // 0: it has none
  int64_t offset;
  int rank; // of a sub-array; 0 for all others
  int64_t extents[PA_RECORD_MAX_RANK];
  const char *item; // the code of the field, or of the sub-array's elements
  size_t item_length;
} pa_record_field;

typedef struct pa_record {
  int64_t size;
  bool is_record;     // "r"
  bool is_packed;     // "p"
  const char *fields; // walked by pa_record_next
} pa_record;

// What follows the item that |code| starts with; NULL where it is malformed. |out_size|, which may be NULL: its bytes.
const char *pa_item_code_end(const char *code, int64_t *out_size);

// The head of a record whose code is well formed.
pa_record pa_record_head(const char *code);
// The field at |at| of a well-formed record; gives the place of the next one. NULL, and nothing written, at the
// record's end:
//   pa_record_field field;
//   for (const char *at = record.fields; (at = pa_record_next(at, &field));)
const char *pa_record_next(const char *at, pa_record_field *out_field);
// False where there is no field of that name or title, which is spelt as Python has it. Those of a vector are its
// elements.
bool pa_record_find(const char *code, const char *name, size_t length, pa_record_field *out_field);
// Number |index| counts from 0.
bool pa_record_field_at(const char *code, int64_t index, pa_record_field *out_field);
int64_t pa_record_field_count(const char *code);

// The elements of the vector that |code| starts with: how many, and the letter of their type. 0: it is no vector.
int pa_vector_count(const char *code, char *out_letter);

// Where the memory of an item begins, at a multiple of how many bytes: 1 unless all that is in it lies at multiples of
// its own size. Of vectors as CUDA has it: those of two and four elements at a multiple of their size, of 16 bytes at
// most.
int pa_item_code_alignment(const char *code);
int64_t pa_item_code_size(const char *code); // in bytes
// Of a number or a time: no record, no vector, and no text.
static inline bool pa_is_scalar_code(const char *code) {
  return *code != '{' && *code != 'z' && *code != 'Z' && *code != 'x';
}

// Whether code for items |to| can be given items |from|: of one layout in memory. Whether NumPy's scalar is a np.record
// says nothing of that, and code for any address serves all.
bool pa_item_codes_fit(const char *from, size_t from_length, const char *to, size_t to_length);

// The name as Python has it; |out| has room for |length| characters and a NUL.
void pa_record_name(const char *name, size_t length, char *out);

#ifdef __cplusplus
}
#endif

#endif // PYARRAY_LIB_SUPPORT_RECORD_CODE_H
