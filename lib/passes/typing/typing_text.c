// Types of functions of str and bytes. A row of builtins.def says what they take and give, a letter for each parameter:
//
//   "pyarray_rt_str_find ssbe>i"      text, another of its type, two bounds that may be left out -> int64
#include <string.h>
#include <strings.h>

#include "ir/classes.h"
#include "typing_rules.h"

static pa_status finish_text(pa_rule_call *call) {
  return pa_rule_finish(call, pyarrayStrTypeGet(call->typing->context));
}

static bool is_left_out(const pa_rule_call *call, int i) {
  return !pa_rule_given(call, i) || pyarrayTypeIsNone(call->arguments[i].type);
}

// A bytearray is cast to bytes where these are wanted.
static pa_status add_text(pa_rule_call *call, int i, MlirType wanted) {
  if (pyarrayTypeIsBytearray(call->arguments[i].type) && pyarrayTypeIsBytes(wanted))
    return pa_rule_add_argument(call, i, wanted), PA_OK;
  if (!mlirTypeEqual(call->arguments[i].type, wanted))
    return pa_rule_wrong_type(call, i, pyarrayTypeIsStr(wanted) ? "a str" : "bytes");
  return pa_rule_add_argument(call, i, wanted), PA_OK;
}

static pa_status add_text_or_nothing(pa_rule_call *call, int i, MlirType wanted) {
  if (!is_left_out(call, i)) return add_text(call, i, wanted);
  return pa_rule_add_int(call, 0), PA_OK;
}

static pa_status add_integer_or(pa_rule_call *call, int i, int64_t otherwise) {
  if (is_left_out(call, i)) return pa_rule_add_int(call, otherwise), PA_OK;
  PA_TRY(pa_rule_need_integer(call, i));
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64)), PA_OK;
}

static pa_status add_flag(pa_rule_call *call, int i) {
  if (!pa_rule_given(call, i)) return pa_rule_add_int(call, 0), PA_OK;
  PA_TRY(pa_rule_need_number(call, i));
  return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_BOOL)), PA_OK;
}

// A tuple of texts, or a list.
static pa_status add_texts(pa_rule_call *call, int i, MlirType wanted, bool list) {
  MlirType type = call->arguments[i].type;
  bool fits = mlirTypeIsATuple(type);
  for (intptr_t k = 0; fits && k < mlirTupleTypeGetNumTypes(type); ++k)
    fits = mlirTypeEqual(mlirTupleTypeGetType(type, k), wanted);
  if (list && pyarrayTypeIsList(type)) {
    pa_fact item = pa_container_item(call->typing, call->arguments[i], 0);
    fits = pa_is_bottom(item) || pyarrayTypeIsNone(item.type) || mlirTypeEqual(item.type, wanted);
  }
  if (!fits)
    return pa_rule_wrong_type(call, i,
                              list ? "a list or tuple of str (or of bytes, for bytes)"
                                   : "a str or a tuple of them (bytes, for bytes)");
  return pa_rule_add_argument(call, i, type), PA_OK;
}

// What templates show of a value that has a text of its own (text.py).
static const char description_name[] = "pyarray:description";

bool pa_has_text(MlirType type) {
  if (pyarrayTypeIsObject(type)) return true;
  if (pyarrayTypeIsBytearray(type)) return true;
  if (pyarrayTypeIsOptional(type)) return pa_has_text(pyarrayTypeGetItem(type));
  if (pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_text(type) || pyarrayTypeIsNone(type)) return true;
  if (pyarrayTypeIsList(type) || pyarrayTypeIsSet(type))
    return pyarrayTypeIsAny(pyarrayTypeGetItem(type)) || pa_has_text(pyarrayTypeGetItem(type));
  if (pyarrayTypeIsDict(type)) return true;
  bool fits = mlirTypeIsATuple(type);
  for (intptr_t i = 0; fits && i < mlirTupleTypeGetNumTypes(type); ++i)
    fits = pa_has_text(mlirTupleTypeGetType(type, i));
  return fits;
}

static pa_status add_value(pa_rule_call *call, int i) {
  if (!pa_has_text(call->arguments[i].type))
    return pa_typing_fail(
        call->typing, PA_CODE_UNSUPPORTED,
        "%s: a value of type %s is not made text in compiled code yet\nhint: return it, and do so in Python",
        strncmp(call->builtin->name, "host.", 5) == 0 ? "print" : call->builtin->name,
        pa_rule_text_of(call, call->arguments[i].type));
  return pa_rule_add_argument(call, i, call->arguments[i].type), PA_OK;
}

static pa_status add_by_letter(pa_rule_call *call, char letter, int i, MlirType receiver) {
  switch (letter) {
  case 's': return add_text(call, i, receiver);
  case 'z': return add_text_or_nothing(call, i, receiver);
  case 'u': return add_text_or_nothing(call, i, pyarrayStrTypeGet(call->typing->context));
  case 'b': return add_integer_or(call, i, 0);
  case 'e': return add_integer_or(call, i, INT64_MAX);
  case 'm': return add_integer_or(call, i, -1);
  case 'w': return add_integer_or(call, i, 8);
  case 'o': return add_integer_or(call, i, 1);
  case 'U': return add_text(call, i, pyarrayStrTypeGet(call->typing->context));
  case 'Y': return add_text(call, i, pyarrayBytesTypeGet(call->typing->context));
  case 'q':
  case 'W': return pa_rule_add_argument(call, i, call->arguments[i].type), PA_OK;
  case 'k': return add_flag(call, i);
  case 't':
    return mlirTypeIsATuple(call->arguments[i].type) ? add_texts(call, i, receiver, false)
                                                     : add_text(call, i, receiver);
  case 'j': return add_texts(call, i, receiver, true);
  case 'v': return add_value(call, i);
  default:
    PA_TRY(pa_rule_need_integer(call, i));
    return pa_rule_add_argument(call, i, pa_rule_scalar_type(call, PA_I64)), PA_OK;
  }
}

static MlirType result_type(const pa_rule_call *call, char letter, MlirType receiver) {
  MlirContext context = call->typing->context;
  switch (letter) {
  case 's': return receiver;
  case 'U': return pyarrayStrTypeGet(context);
  case 'Y': return pyarrayBytesTypeGet(context);
  case 'W': return pyarrayBytearrayTypeGet(context);
  case 'l': return pyarrayListTypeGet(receiver);
  case '3': return mlirTupleTypeGet(context, 3, (MlirType[]){receiver, receiver, receiver});
  case 'n': return pyarrayNoneTypeGet(context);
  case 'x': return pyarrayObjectTypeGet(context, pa_ref(description_name));
  default: return pa_rule_scalar_type(call, letter == '?' ? PA_BOOL : letter == 'd' ? PA_F64 : PA_I64);
  }
}

// The only character of a text that is known, or -1.
static int64_t only_character(pa_fact fact) {
  if (pa_literal_length(fact) != 1) return -1;
  MlirStringRef text = mlirStringAttrGetValue(fact.literal);
  const unsigned char *bytes = (const unsigned char *)text.data;
  if (text.length == 1) return bytes[0];
  int64_t code = bytes[0] & (0xff >> (text.length + 1)); // UTF-8
  for (size_t i = 1; i < text.length; ++i) code = code << 6 | (bytes[i] & 0x3f);
  return code;
}

static pa_status type_text(pa_rule_call *call) {
  int64_t code = strcmp(call->builtin->name, "builtins.ord") == 0 && pa_rule_given(call, 0)
                     ? only_character(call->arguments[0])
                     : -1;
  if (code >= 0) { // also where there is no text, on a GPU
    MlirType i64 = pa_rule_scalar_type(call, PA_I64);
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirIntegerAttrGet(i64, code);
    return pa_rule_finish(call, i64);
  }
  const char *letters = strchr(call->builtin->target, ' ') + 1, *end = strchr(letters, '>');
  bool has_receiver = pa_rule_given(call, 0) && pa_is_text(call->arguments[0].type),
       array = pa_rule_given(call, 0) && pyarrayTypeIsBytearray(call->arguments[0].type);
  MlirType receiver = array          ? pyarrayBytesTypeGet(call->typing->context)
                      : has_receiver ? call->arguments[0].type
                                     : pyarrayStrTypeGet(call->typing->context);
  int i = 0;
  for (const char *at = letters; at < end; ++at) {
    int after = (int)(end - at) - 1;
    if (*at != 'V') {
      PA_TRY(add_by_letter(call, *at, i++, receiver));
      continue;
    }
    for (; i < call->count - after; ++i) PA_TRY(add_value(call, i));
  }
  if (array && end[1] == 's') { // a method of its bytes gives a bytearray
    call->plan->computed = receiver;
    receiver = call->arguments[0].type;
  }
  return pa_rule_finish(call, result_type(call, end[1], receiver));
}

// str.format(): behind the template the names of the keyword arguments, which are the last ones.
static pa_status type_format(pa_rule_call *call) {
  MlirAttribute names = call->typing->keywords;
  pa_string text = {0};
  PA_TRY(add_text(call, 0, pyarrayStrTypeGet(call->typing->context)));
  for (intptr_t i = 0; !mlirAttributeIsNull(names) && i < mlirArrayAttrGetNumElements(names); ++i) {
    MlirStringRef name = mlirStringAttrGetValue(mlirArrayAttrGetElement(names, i));
    if (i) pa_string_puts(&text, ",");
    pa_string_append(&text, name.data, name.length);
  }
  if (text.length)
    pa_rule_add_operand(
        call, -1, -1,
        pa_string_attr(call->typing->context, pa_arena_format(call->typing->arena, "%s", pa_string_text(&text))),
        pyarrayStrTypeGet(call->typing->context));
  else
    pa_rule_add_int(call, 0);
  pa_string_free(&text);
  for (int i = 1; i < call->count; ++i) PA_TRY(add_value(call, i));
  return finish_text(call);
}

// bin, oct, hex: the base is the operand behind the number.
// The base of an unsigned number is given negated.
static pa_status type_base(pa_rule_call *call) {
  PA_TRY(pa_rule_need_integer(call, 0));
  int base = strcmp(call->builtin->name, "builtins.bin") == 0   ? 2
             : strcmp(call->builtin->name, "builtins.oct") == 0 ? 8
                                                                : 16;
  bool is_unsigned = pa_is_unsigned(pa_scalar_of(call->arguments[0].type));
  pa_rule_add_argument(call, 0, pa_rule_scalar_type(call, PA_I64));
  pa_rule_add_int(call, is_unsigned ? -base : base);
  return finish_text(call);
}

static bool is_hashable(const pa_typing *typing, MlirType type) {
  bool fits = mlirTypeIsATuple(type);
  for (intptr_t i = 0; fits && i < mlirTupleTypeGetNumTypes(type); ++i)
    fits = is_hashable(typing, mlirTupleTypeGetType(type, i));
  if (pyarrayTypeIsObject(type))
    return !pa_class_has_entry(typing->module, type, "methods", "__hash__") &&
           !pa_class_has_entry(typing->module, type, "methods", "__eq__");
  return fits || pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_text(type) || pyarrayTypeIsNone(type) ||
         pyarrayTypeIsFrozenSet(type);
}

// By the representation: a named tuple as its tuple, a member of an enum as its number.
static pa_status type_hash(pa_rule_call *call) {
  MlirType type = call->arguments[0].type;
  pa_fact represented = call->arguments[0];
  if (!pa_is_record(type)) represented.type = pa_erased_type(type);
  if (!is_hashable(call->typing, represented.type))
    return pa_typing_fail(call->typing, PA_CODE_TYPING, "unhashable type: %s%s", pa_rule_text_of(call, type),
                          pa_is_record(type) ? "\nhint: use tuple(...) of the record" : "");
  pa_rule_call with_it = *call;
  with_it.arguments = &represented;
  return type_text(&with_it);
}

// Text is its own str().
static pa_status type_str(pa_rule_call *call) {
  if (pa_rule_given(call, 0) && !pyarrayTypeIsStr(call->arguments[0].type)) return type_text(call);
  call->plan->kind = pa_rule_given(call, 0) ? PA_PLAN_CAST : PA_PLAN_LITERAL;
  if (pa_rule_given(call, 0))
    pa_rule_add_argument(call, 0, call->arguments[0].type);
  else
    call->plan->literal = pa_string_attr(call->typing->context, "");
  return finish_text(call);
}

static pa_status type_print(pa_rule_call *call) {
  int file = --call->count;
  if (!(file < 0) && !pa_is_bottom(call->arguments[file]) && !pyarrayTypeIsNone(call->arguments[file].type))
    return pa_typing_fail(call->typing, PA_CODE_UNSUPPORTED,
                          "print() to a file is not compiled\nhint: print() writes to sys.stdout");
  return type_text(call);
}

// float("-inf") and its like, which kernels have no other words for: known when it is compiled.
static bool is_known_float(MlirAttribute literal, double *out) {
  static const struct {
    const char *word;
    double value;
  } words[] = {{"inf", __builtin_inf()}, {"infinity", __builtin_inf()}, {"nan", __builtin_nan("")}};
  if (mlirAttributeIsNull(literal) || !mlirAttributeIsAString(literal)) return false;
  MlirStringRef text = mlirStringAttrGetValue(literal);
  bool sign = text.length && (*text.data == '-' || *text.data == '+'), negative = sign && *text.data == '-';
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (text.length - sign == strlen(words[i].word) &&
        strncasecmp(text.data + sign, words[i].word, text.length - sign) == 0)
      return *out = negative ? -words[i].value : words[i].value, true;
  return false;
}

// int(text), int(text, base), float(text).
pa_status pa_type_number_of_text(pa_rule_call *call) {
  bool integer = strcmp(call->builtin->name, "builtins.int") == 0;
  pa_fact text = call->arguments[0];
  if (pa_is_bottom(text)) return pa_typing_fail(call->typing, PA_CODE_TYPING, "int() missing string argument");
  double known;
  if (!pyarrayTypeIsStr(text.type)) return pa_rule_wrong_type(call, 0, "a str");
  if (!integer && is_known_float(text.literal, &known)) {
    call->plan->kind = PA_PLAN_LITERAL;
    call->plan->literal = mlirFloatAttrDoubleGet(call->typing->context, mlirF64TypeGet(call->typing->context), known);
    return pa_rule_finish_scalar(call, PA_F64);
  }
  call->plan->builtin = pa_builtin_find(mlirStringRefCreateFromCString(integer ? "str.to_int" : "str.to_float"));
  pa_rule_add_argument(call, 0, text.type);
  if (integer) PA_TRY(add_integer_or(call, 1, 10));
  return pa_rule_finish_scalar(call, integer ? PA_I64 : PA_F64);
}

const pa_typing_rule_row pa_text_typing[] = {
    {PA_TYPING_TEXT, type_text},
    {PA_TYPING_TEXT_BASE, type_base},
    {PA_TYPING_TEXT_FORMAT, type_format},
    {PA_TYPING_TEXT_HASH, type_hash},
    {PA_TYPING_STR, type_str},
    {PA_TYPING_TEXT_PRINT, type_print},
    {0, NULL},
};
