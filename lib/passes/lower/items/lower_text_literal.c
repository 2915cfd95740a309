// Of pyarray-lower: literals of str and bytes, which are objects among the module's data.
#include <string.h>

#include "lower_items.h"
#include "runtime/base/objects.h"

// The code points of UTF-8; malformed bytes, which handwritten IR may have, stand for themselves.
static int64_t decode(const char *text, size_t length, uint32_t *out, uint32_t *out_bits) {
  int64_t count = 0;
  *out_bits = 0;
  for (size_t i = 0; i < length;) {
    uint8_t lead = (uint8_t)text[i++];
    int more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    uint32_t code = more ? lead & (0x3f >> more) : lead;
    for (; more && i < length; --more) code = code << 6 | ((uint8_t)text[i++] & 0x3f);
    out[count++] = code;
    *out_bits |= code;
  }
  return count;
}

static void put_code(char *to, int kind, int64_t index, uint32_t code) {
  memcpy(to + index * kind, &code, (size_t)kind);
} // little-endian

// Owner, header and code points, as the runtime has them.
static char *literal_image(pa_lowering *lower, MlirStringRef text, bool bytes, int64_t *out_size) {
  uint32_t *codes = PA_NEW_ARRAY(lower->arena, uint32_t, text.length + 1), bits = 0;
  int64_t length = bytes ? (int64_t)text.length : decode(text.data, text.length, codes, &bits);
  int kind = bytes || bits < 0x100 ? 1 : bits < 0x10000 ? 2 : 4;
  *out_size = (int64_t)(sizeof(pa_owner) + sizeof(pa_str)) + (length + 1) * kind;
  char *image = PA_NEW_ARRAY(lower->arena, char, *out_size), *data = image + sizeof(pa_owner) + sizeof(pa_str);
  pa_owner owner = {.references = 1, .kind = PA_OWNER_LITERAL, .reserved = PA_LITERAL_MARK};
  pa_str str = {.length = length, .kind = kind, .flags = bytes ? PA_STR_BYTES : bits < 0x80 ? PA_STR_ASCII : 0};
  memcpy(image, &owner, sizeof owner);
  memcpy(image + sizeof owner, &str, sizeof str);
  for (int64_t i = 0; i < length; ++i) put_code(data, kind, i, bytes ? (uint8_t)text.data[i] : codes[i]);
  return image;
}

// The symbol of the literal's variable, which is made on first use. Not constant: its hash is kept there.
static const char *literal_symbol(pa_lowering *lower, MlirAttribute value, bool bytes, MlirType *out_memref) {
  int64_t size;
  char *image = literal_image(lower, mlirStringAttrGetValue(value), bytes, &size);
  *out_memref = mlirMemRefTypeContiguousGet(lower->i8, 1, &size, mlirAttributeGetNull());
  const char *known = pa_map_get(&lower->literals, value.ptr);
  if (known || pa_failed(&lower->builder)) return known;
  const char *name = pa_arena_format(lower->arena, "pyarray_literal%d", lower->literal_count++);
  MlirType tensor = mlirRankedTensorTypeGet(1, &size, lower->i8, mlirAttributeGetNull());
  pa_builder builder = {
      .context = lower->context, .block = pa_module_body(lower->module), .location = lower->builder.location};
  pa_op(&builder, "memref.global",
        PA_ATTRS({"sym_name", pa_text(lower, name)}, {"sym_visibility", pa_text(lower, "private")},
                 {"type", mlirTypeAttrGet(*out_memref)},
                 {"initial_value", mlirDenseElementsAttrRawBufferGet(tensor, (size_t)size, image)},
                 {"alignment", pa_i64_attr(lower->context, 64)}));
  lower->builder.failure = builder.failure;
  pa_map_put(lower->arena, &lower->literals, value.ptr, (void *)name);
  return name;
}

MlirValue pa_text_literal(pa_lowering *lower, MlirAttribute value, bool bytes) {
  MlirType memref;
  const char *name = literal_symbol(lower, value, bytes, &memref);
  if (!name) return (MlirValue){NULL};
  MlirValue global = pa_value(&lower->builder, "memref.get_global", PA_RESULTS(memref),
                              PA_ATTRS({"name", pa_symbol_attr(lower->context, name)}));
  MlirValue address =
      pa_to_i64(lower, pa_convert(lower, "memref.extract_aligned_pointer_as_index", global, lower->index));
  return pa_binary(lower, "arith.addi", address, pa_int(lower, lower->i64, sizeof(pa_owner)));
}
