// Typing rules of what the Python library makes of items that lie in memory as bytes: records and text
// (docs/internals-objects.md, "Records"). Their codes are known when the function is compiled.
//
//   item_bytes(a)        the bytes of an array of S8, one more axis: array<?x8xui8, C>
//   item_keys(a)         what is compared, in this order, to sort them: bytes, four int64 for each text or number
//                        (lib/runtime/sort/sort_items.h)
//   text_length(a)       how many characters an item of text has room for, or a str that is known has
//   holds_texts(items)   whether text is all that is iterated over; so holds_arrays(), holds_none()
//   text_dtype(a, 3)     the dtype of text as that of a, a dtype or an array, with room for so many
//   item_names(a)        the names of a record's fields, with a NUL between two
#include <string.h>

#include "support/record_code.h"
#include "typing_rules.h"

static bool is_items(MlirType type) { return pa_is_records(type) || pa_is_record(type); }
static bool is_text(const char *code) { return *code == 'z' || *code == 'Z'; }

//===-- Dtypes ------------------------------------------------------------------------------------===//

// "U8", "<U8", "S8".
bool pa_text_of_dtype(const pa_typing *typing, MlirStringRef name, MlirType *out_type) {
  if (name.length > 1 && memchr("<=|", *name.data, 3)) ++name.data, --name.length;
  if (name.length < 2 || (*name.data != 'U' && *name.data != 'S') || name.data[1] == '0') return false;
  char letter = *name.data == 'U' ? 'Z' : 'z';
  const char *code = pa_arena_format(typing->arena, "%c%.*s", letter, (int)name.length - 1, name.data + 1),
             *end = pa_item_code_end(code, NULL);
  return end && !*end && (*out_type = pa_record_type(typing->context, code, false), true);
}

MlirType pa_dtype_of_records(const pa_typing *typing, MlirType records) {
  const char *code = pa_item_code_of(typing->arena, records), *number = code;
  return pa_is_scalar_code(code) ? pa_type_from_code(typing->context, &number)
                                 : pa_record_type(typing->context, code, false);
}

MlirType pa_promote_items(const pa_typing *typing, MlirType a, MlirType b) {
  const char *x = pa_item_code_of(typing->arena, a), *y = pa_item_code_of(typing->arena, b);
  if (strcmp(x, y) == 0) return a;
  if (!is_text(x) || *x != *y) return (MlirType){NULL};
  return pa_record_type(typing->context, pa_item_code_size(x) >= pa_item_code_size(y) ? x : y, false);
}

//===-- Bytes -------------------------------------------------------------------------------------===//

static pa_status type_item_bytes(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (!is_items(type)) return pa_rule_wrong_type(call, 0, "an array of text or records");
  call->plan->kind = PA_PLAN_CAST;
  pa_rule_add_argument(call, 0, pa_erased_type(type));
  return pa_rule_finish(call, pa_erased_type(type));
}

//===-- Order -------------------------------------------------------------------------------------===//

enum { LETTER, OFFSET, COUNT, FIELD, NUMBERS };

static void put_key(pa_string *keys, char letter, int64_t offset, int64_t count, int64_t field) {
  const int64_t numbers[NUMBERS] = {[LETTER] = letter, [OFFSET] = offset, [COUNT] = count, [FIELD] = field};
  pa_string_append(keys, (const char *)numbers, sizeof numbers);
}

// As NumPy compares fields: sub-arrays by their bytes. |number|: of the field of the outermost record, -1 while that is
// at hand.
static void put_keys(const pa_rule_call *call, pa_string *keys, const char *code, int64_t offset, int64_t number) {
  pa_record_field field;
  int64_t size = pa_item_code_size(code), own = number;
  if (*code != '{') {
    char letter = *code == 'z' ? 'S' : *code == 'Z' ? 'U' : *code == 'm' ? 'M' : *code == 'x' ? 'V' : *code;
    put_key(keys, letter, offset, letter == 'U' ? size / 4 : letter == 'S' || letter == 'V' ? size : 1, number);
    return;
  }
  for (const char *at = pa_record_head(code).fields; (at = pa_record_next(at, &field));) {
    const char *item = pa_arena_copy(call->typing->arena, field.item, field.item_length);
    int64_t bytes = pa_item_code_size(item);
    for (int i = 0; i < field.rank; ++i) bytes *= field.extents[i];
    if (number < 0) ++own;
    if (field.rank)
      put_key(keys, 'V', offset + field.offset, bytes, own);
    else
      put_keys(call, keys, item, offset + field.offset, own);
  }
}

static pa_status finish_text(pa_rule_call *call, pa_string *text, MlirType type) {
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirStringAttrTypedGet(type, mlirStringRefCreate(pa_string_text(text), text->length));
  pa_string_free(text);
  return pa_rule_finish(call, type);
}

static pa_status type_item_keys(pa_rule_call *call) {
  if (!is_items(call->arguments[0].type)) return pa_rule_wrong_type(call, 0, "an array of text or records");
  pa_string keys = {0};
  put_keys(call, &keys, pa_item_code_of(call->typing->arena, call->arguments[0].type), 0, -1);
  return finish_text(call, &keys, pyarrayBytesTypeGet(call->typing->context));
}

static pa_status type_item_names(pa_rule_call *call) {
  pa_string names = {0};
  pa_record_field field;
  const char *code =
      is_items(call->arguments[0].type) ? pa_item_code_of(call->typing->arena, call->arguments[0].type) : "";
  for (const char *at = *code == '{' ? pa_record_head(code).fields : NULL; at && (at = pa_record_next(at, &field));) {
    char *name = PA_NEW_ARRAY(call->typing->arena, char, field.name_length + 1);
    pa_record_name(field.name, field.name_length, name);
    if (names.length) pa_string_append(&names, "", 1);
    pa_string_puts(&names, name);
  }
  return finish_text(call, &names, pyarrayStrTypeGet(call->typing->context));
}

//===-- Text --------------------------------------------------------------------------------------===//

int64_t pa_literal_length(pa_fact fact) {
  if (!pa_is_text(fact.type) || mlirAttributeIsNull(fact.literal) || !mlirAttributeIsAString(fact.literal)) return -1;
  MlirStringRef text = mlirStringAttrGetValue(fact.literal);
  bool bytes = pyarrayTypeIsBytes(fact.type);
  int64_t length = 0;
  for (size_t i = 0; i < text.length; ++i) length += bytes || (text.data[i] & 0xc0) != 0x80; // UTF-8
  return length;
}

static pa_status type_text_length(pa_rule_call *call) {
  MlirType type = call->arguments[0].type, i64 = pa_rule_scalar_type(call, PA_I64);
  const char *code = is_items(type) ? pa_item_code_of(call->typing->arena, type) : "";
  int64_t length =
      is_text(code) ? pa_item_code_size(code) / (*code == 'Z' ? 4 : 1) : pa_literal_length(call->arguments[0]);
  if (length < 0)
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "the length of %s decides the dtype of the result, and is not known when the function is "
                          "compiled\nhint: write the text as a literal, or put it into an array of a dtype such as "
                          "'U8'",
                          pa_rule_text_of(call, type));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirIntegerAttrGet(i64, length);
  return pa_rule_finish(call, i64);
}

static pa_status type_text_dtype(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  if (!is_items(type)) PA_TRY(pa_dtype_argument(call, 0, &type));
  const char *code = is_items(type) ? pa_item_code_of(call->typing->arena, type) : "";
  int64_t length;
  if (!is_text(code)) return pa_rule_wrong_type(call, 0, "text");
  if (!pa_literal_int(call->arguments[1], &length) || length < 0 || length > PA_RECORD_MAX_SIZE / 4)
    return pa_typing_fail(call->typing, PA_CODE_TYPING,
                          "the length of the text is not known when the function is compiled\nhint: write the number "
                          "as a literal");
  const char *name = pa_arena_format(call->typing->arena, "dtype:%c%lld", *code, (long long)(length ? length : 1));
  MlirType callable = pyarrayCallableTypeGet(pa_string_attr(call->typing->context, name));
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirTypeAttrGet(callable);
  return pa_rule_finish(call, callable);
}

//===-- What items are ----------------------------------------------------------------------------===//

static bool is_array(MlirType type) { return pyarrayTypeIsArray(pa_erased_type(type)); }

static bool is_str_or_bytes(MlirType type) {
  type = pa_erased_type(type);
  return pyarrayTypeIsStr(type) || pyarrayTypeIsBytes(type);
}

static bool is_none(MlirType type) {
  if (!mlirTypeIsATuple(type)) return pyarrayTypeIsNone(type);
  intptr_t count = mlirTupleTypeGetNumTypes(type), found = 0;
  for (intptr_t i = 0; i < count; ++i) found += is_none(mlirTupleTypeGetType(type, i));
  return count > 0 && found == count;
}

// Whether what is iterated over has such among its items, or such alone where |all|: a literal.
static pa_status finish_holds(pa_rule_call *call, bool (*is)(MlirType type), bool all) {
  MlirType type = pa_erased_type(call->arguments[0].type);
  bool holds = false;
  if (mlirTypeIsATuple(type) && !pa_is_iterable_tag(call->arguments[0].type)) {
    intptr_t count = mlirTupleTypeGetNumTypes(type), found = 0;
    for (intptr_t i = 0; i < count; ++i) found += is(mlirTupleTypeGetType(type, i));
    holds = found && (!all || found == count);
  } else if (!pa_is_mixed(call->arguments[0].type)) {
    pa_fact item;
    pa_status status = pa_type_item(call->typing, call->arguments[0], &item); // not of instances, for one
    holds = !status && !pa_is_bottom(item) && is(item.type);
    pa_status_free(status);
  }
  call->plan->kind = PA_PLAN_LITERAL;
  call->plan->literal = mlirBoolAttrGet(call->typing->context, holds);
  return pa_rule_finish_scalar(call, PA_BOOL);
}

static pa_status type_holds_arrays(pa_rule_call *call) { return finish_holds(call, is_array, false); }
static pa_status type_holds_texts(pa_rule_call *call) { return finish_holds(call, is_str_or_bytes, true); }
static pa_status type_holds_none(pa_rule_call *call) { return finish_holds(call, is_none, true); }

const pa_typing_rule_row pa_item_typing[] = {{PA_TYPING_ITEM_BYTES, type_item_bytes},
                                             {PA_TYPING_ITEM_KEYS, type_item_keys},
                                             {PA_TYPING_ITEM_NAMES, type_item_names},
                                             {PA_TYPING_TEXT_LENGTH, type_text_length},
                                             {PA_TYPING_TEXT_DTYPE, type_text_dtype},
                                             {PA_TYPING_HOLDS_ARRAYS, type_holds_arrays},
                                             {PA_TYPING_HOLDS_TEXTS, type_holds_texts},
                                             {PA_TYPING_HOLDS_NONE, type_holds_none},
                                             {0, NULL}};
