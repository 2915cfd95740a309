// The types of records and of arrays of them during type inference (docs/internals-objects.md, "Records"): tagged types
// whose tag is the item's code and whose representation are bytes.
//
//   tagged<"record", "{16,x@0:d,y@8:q}", array<16xui8, C>>        tagged<"records", the same, array<?x16xui8, C>>
#include "ir.h"
#include "support/record_code.h"
#include "support/type_code.h"

#include <stdlib.h>
#include <string.h>

static MlirType bytes_type(MlirContext context, intptr_t rank, int64_t size, pyarray_layout layout, bool readonly) {
  int64_t shape[PA_RECORD_MAX_RANK + 1];
  for (intptr_t i = 0; i < rank; ++i) shape[i] = mlirShapedTypeGetDynamicSize();
  shape[rank] = size;
  return pyarrayArrayTypeGet(context, rank + 1, shape, pa_scalar_type(context, PA_U8), layout, readonly);
}

// |code| starts with the item's code, which is well formed; the tag ends with it.
static MlirType tagged_bytes(MlirContext context, const char *kind, const char *code, MlirType bytes) {
  const char *end = pa_item_code_end(code, NULL);
  MlirAttribute tag = mlirStringAttrGet(context, mlirStringRefCreate(code, (size_t)(end - code)));
  return pyarrayTaggedTypeGet(pa_ref(kind), tag, bytes);
}

MlirType pa_record_type(MlirContext context, const char *code, bool readonly) {
  int64_t size = 0;
  pa_item_code_end(code, &size);
  return tagged_bytes(context, "record", code, bytes_type(context, 0, size, PYARRAY_LAYOUT_C, readonly));
}

MlirType pa_records_type(MlirContext context, const char *code, intptr_t rank, pyarray_layout layout, bool readonly) {
  int64_t size = 0;
  if (rank > PA_RECORD_MAX_RANK || !pa_item_code_end(code, &size)) return (MlirType){NULL};
  if (layout == PYARRAY_LAYOUT_F)
    layout = rank <= 1 ? PYARRAY_LAYOUT_C : PYARRAY_LAYOUT_A; // the bytes are the last axis
  return tagged_bytes(context, "records", code, bytes_type(context, rank, size, layout, readonly));
}

bool pa_is_record(MlirType type) { return pa_is_tagged(type, "record"); }
bool pa_is_records(MlirType type) { return pa_is_tagged(type, "records"); }

const char *pa_item_code_of(pa_arena *arena, MlirType type) {
  MlirStringRef tag = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
  return pa_arena_copy(arena, tag.data, tag.length);
}

intptr_t pa_records_rank(MlirType type) { return pyarrayArrayTypeGetRank(pyarrayTaggedTypeGetItem(type)) - 1; }

MlirType pa_record_item_type(MlirContext context, const char *code, bool readonly) {
  if (*code == '{') return pa_record_type(context, code, readonly);
  if (*code == 'z') return pyarrayBytesTypeGet(context);
  if (*code == 'Z') return pyarrayStrTypeGet(context);
  if (*code == 'x') return pa_vector_type(context, code);
  return pa_type_from_code(context, &code);
}

//===-- Vectors -----------------------------------------------------------------------------------===//

// Whether it lies in memory aligned is no matter of the value.
MlirType pa_vector_type(MlirContext context, const char *code) {
  char letter = 0, name[PA_VECTOR_MAX_COUNT + 4] = "x(";
  int count = pa_vector_count(code, &letter);
  MlirType elements[PA_VECTOR_MAX_COUNT];
  if (!count) return (MlirType){NULL};
  for (int i = 0; i < count; ++i)
    elements[i] = pa_scalar_type(context, pa_scalar_from_code(letter)), name[2 + i] = letter;
  name[2 + count] = ')';
  return pyarrayTaggedTypeGet(pa_ref("vector"),
                              mlirStringAttrGet(context, mlirStringRefCreate(name, (size_t)count + 3)),
                              mlirTupleTypeGet(context, count, elements));
}

bool pa_is_vector(MlirType type) { return pa_is_tagged(type, "vector"); }

//===-- Names -------------------------------------------------------------------------------------===//

static void item_name(pa_string *out, MlirContext context, const char *code);

static void field_name(pa_string *out, MlirContext context, const pa_record_field *field) {
  char name[256];
  if (field->name_length < sizeof name) {
    pa_record_name(field->name, field->name_length, name);
    pa_string_puts(out, name);
  } else {
    pa_string_append(out, field->name, field->name_length);
  }
  pa_string_puts(out, ": ");
  for (int i = 0; i < field->rank; ++i) pa_string_format(out, "%lldx", (long long)field->extents[i]);
  item_name(out, context, field->item);
}

enum { MOST_FIELDS_NAMED = 8 };

// "record(x: float64, m: 2x2xint16)"
static void item_name(pa_string *out, MlirContext context, const char *code) {
  if (*code == 'z' || *code == 'Z')
    return pa_string_format(out, "%c%d", *code == 'z' ? 'S' : 'U', (int)strtol(code + 1, NULL, 10));
  if (*code == 'x') return pa_type_name(out, pa_vector_type(context, code));
  if (*code != '{') return pa_type_name(out, pa_type_from_code(context, &code));
  pa_record_field field;
  int named = 0;
  pa_string_puts(out, "record(");
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field)); ++named) {
    if (named) pa_string_puts(out, ", ");
    if (named == MOST_FIELDS_NAMED) {
      pa_string_puts(out, "...");
      break;
    }
    field_name(out, context, &field);
  }
  pa_string_puts(out, ")");
}

void pa_record_type_name(pa_string *out, MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  MlirType bytes = pyarrayTaggedTypeGetItem(type);
  MlirStringRef tag =
      mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type)); // NUL-terminated: attributes keep their text so
  if (pa_is_record(type)) return item_name(out, context, tag.data);
  pa_string_puts(out, pyarrayArrayTypeIsReadonly(bytes) ? "readonly " : "");
  pa_string_puts(out,
                 strchr("{zZ", *tag.data) || (*tag.data == 'x' && tag.data[1] == '(') ? "array(" : "unaligned array(");
  item_name(out, context, tag.data);
  pa_string_format(out, ", %dd, %c)", (int)pa_records_rank(type), "CFA"[pyarrayArrayTypeGetLayout(bytes)]);
}

//===-- Type codes --------------------------------------------------------------------------------===//

// "{16,x@0:d}", "v{16,x@0:d}"
MlirType pa_record_from_code(MlirContext context, const char **code) {
  bool readonly = **code == 'v';
  const char *start = *code + readonly, *end = *start == '{' ? pa_item_code_end(start, NULL) : NULL;
  if (!end) return (MlirType){NULL};
  *code = end;
  return pa_record_type(context, start, readonly);
}

// What stands behind the layout and the rank of an array: an item; or a scalar, of which |unaligned| is said.
MlirType pa_records_from_code(MlirContext context, const char **code, intptr_t rank, pyarray_layout layout,
                              bool readonly) {
  const char *start = *code, *end = pa_item_code_end(start, NULL);
  if (!end) return (MlirType){NULL};
  *code = end;
  return pa_records_type(context, start, rank, layout, readonly);
}

bool pa_record_to_code(pa_string *out, MlirType type) {
  MlirStringRef tag = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(type));
  MlirType bytes = pyarrayTaggedTypeGetItem(type);
  if (pa_is_record(type) && pyarrayArrayTypeIsReadonly(bytes)) pa_string_puts(out, "v");
  if (pa_is_records(type)) {
    bool plain = !strchr("{zZx", *tag.data);
    char layout = plain ? 'B' : "CFA"[pyarrayArrayTypeGetLayout(bytes)];
    if (pyarrayArrayTypeIsReadonly(bytes)) layout = (char)(layout - 'A' + 'a');
    pa_string_format(out, "[%c%d", layout, (int)pa_records_rank(type));
  }
  return pa_string_append(out, tag.data, tag.length), true;
}

//===-- Joins and items ---------------------------------------------------------------------------===//

MlirType pa_records_item(MlirContext context, MlirType records) {
  MlirStringRef tag = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(records));
  MlirType bytes = pyarrayTaggedTypeGetItem(records);
  intptr_t rank = pa_records_rank(records);
  bool readonly = pyarrayArrayTypeIsReadonly(bytes);
  return rank > 1 ? pa_records_type(context, tag.data, rank - 1, pyarrayArrayTypeGetLayout(bytes), readonly)
                  : pa_record_item_type(context, tag.data, readonly);
}

MlirType pa_join_records(MlirType a, MlirType b) {
  MlirType x = pyarrayTaggedTypeGetItem(a), y = pyarrayTaggedTypeGetItem(b), none = {NULL};
  MlirStringRef tag = mlirStringAttrGetValue(pyarrayTaggedTypeGetTag(a));
  bool fits = mlirAttributeEqual(pyarrayTaggedTypeGetTag(a), pyarrayTaggedTypeGetTag(b)) &&
              pa_is_record(a) == pa_is_record(b) && pyarrayArrayTypeGetRank(x) == pyarrayArrayTypeGetRank(y);
  if (!fits) return none;
  bool readonly = pyarrayArrayTypeIsReadonly(x) || pyarrayArrayTypeIsReadonly(y);
  if (pa_is_record(a)) return pa_record_type(mlirTypeGetContext(a), tag.data, readonly);
  bool same = pyarrayArrayTypeGetLayout(x) == pyarrayArrayTypeGetLayout(y);
  return pa_records_type(mlirTypeGetContext(a), tag.data, pa_records_rank(a),
                         same ? pyarrayArrayTypeGetLayout(x) : PYARRAY_LAYOUT_A, readonly);
}
