// Instances of functions for types of arguments, and what is known of the values within one.
#include <string.h>

#include "infer_signs.h"

static bool is_marked(MlirOperation function, intptr_t parameter, const char *attribute) {
  MlirAttribute literals = pa_get_attr(function, attribute);
  for (intptr_t i = 0; !mlirAttributeIsNull(literals) && i < mlirDenseArrayGetNumElements(literals); ++i)
    if (mlirDenseI64ArrayGetElement(literals, i) == parameter) return true;
  return false;
}

bool pa_takes_literal(MlirOperation function, intptr_t parameter) {
  return is_marked(function, parameter, "pyarray.literals");
}

// "0100": parameters of an entry whose values its caller is to tell.
static void want_argument(MlirOperation function, intptr_t parameter) {
  MlirAttribute known = pa_get_attr(function, "pyarray.wanted");
  intptr_t count = mlirBlockGetNumArguments(pa_body(function, 0));
  pa_string text = {0};
  for (intptr_t i = 0; i < count; ++i) {
    bool wanted = i == parameter || (!mlirAttributeIsNull(known) && mlirStringAttrGetValue(known).data[i] == '1');
    pa_string_puts(&text, wanted ? "1" : "0");
  }
  pa_set_attr(function, "pyarray.wanted", pa_string_attr(mlirOperationGetContext(function), pa_string_text(&text)));
  pa_string_free(&text);
}

static void take_literal(pa_inference *inference, MlirOperation function, intptr_t parameter) {
  MlirAttribute literals = pa_get_attr(function, "pyarray.literals");
  intptr_t count = mlirAttributeIsNull(literals) ? 0 : mlirDenseArrayGetNumElements(literals);
  int64_t *numbers = PA_NEW_ARRAY(inference->arena, int64_t, count + 1);
  for (intptr_t i = 0; i < count; ++i) numbers[i] = mlirDenseI64ArrayGetElement(literals, i);
  numbers[count] = parameter;
  pa_set_attr(function, "pyarray.literals", mlirDenseI64ArrayGet(inference->context, count + 1, numbers));
  inference->demanded = true;
}

static bool may_be_literal(MlirType type) {
  return pyarrayTypeIsStr(type) || pa_scalar_of(type) == PA_I64 || pa_scalar_of(type) == PA_BOOL;
}

bool pa_demand_literal(pa_inference *inference, pa_instance *instance, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), pa_body(instance->function, 0)))
    return false;
  intptr_t parameter = mlirBlockArgumentGetArgNumber(value);
  pa_fact fact = pa_fact_get(inference, instance, value);
  if (pa_is_bottom(fact) || !mlirAttributeIsNull(fact.literal) || !may_be_literal(fact.type)) return false;
  if (instance->entry && mlirAttributeIsNull(pa_get_attr(instance->function, "pyarray.by_value"))) return false;
  if (instance->entry)
    want_argument(instance->function, parameter);
  else if (!pa_takes_literal(instance->function, parameter))
    take_literal(inference, instance->function, parameter);
  return true;
}

// A str that is known at compile time decides branches and may name a dtype, so each such argument makes an instance of
// its own; and so do those for which the function asks, and what a call from Python left out.
static MlirAttribute literal_of_argument(const pa_inference *inference, MlirOperation function, intptr_t parameter,
                                         pa_fact fact) {
  return inference->is_entry || pyarrayTypeIsStr(fact.type) || pa_takes_literal(function, parameter) ||
                 is_marked(function, parameter, "pyarray.kept_literals")
             ? fact.literal
             : mlirAttributeGetNull();
}

static int site_of_argument(pa_fact fact) {
  return pa_is_open(fact.type) || pa_meeting_of(fact) || pa_is_of_bits(fact) ? fact.site : 0;
}

static uint64_t signs_of_argument(const pa_inference *inference, pa_fact fact) {
  return pa_signs_are_known(inference) ? pa_with_signs(fact, pa_signs_of(fact)).signs : 0;
}

static bool is_instance(const pa_inference *inference, const pa_instance *instance, MlirOperation function,
                        const pa_fact *arguments, intptr_t count) {
  if (!mlirOperationEqual(instance->function, function) || instance->argument_count != count) return false;
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirTypeEqual(instance->arguments[i], arguments[i].type) ||
        instance->literals[i].ptr != literal_of_argument(inference, function, i, arguments[i]).ptr ||
        instance->sites[i] != site_of_argument(arguments[i]) ||
        instance->signs[i] != signs_of_argument(inference, arguments[i]))
      return false;
  return true;
}

static size_t hash_of(MlirOperation function, const pa_fact *arguments, intptr_t count) {
  uintptr_t hash = (uintptr_t)function.ptr >> 4;
  for (intptr_t i = 0; i < count; ++i) hash = hash * 31 + ((uintptr_t)arguments[i].type.ptr >> 4);
  return hash ^ hash >> 16;
}

const char *pa_instance_name(pa_inference *inference, const pa_instance *instance) {
  MlirStringRef symbol = mlirStringAttrGetValue(pa_get_attr(instance->function, "sym_name"));
  return pa_arena_format(inference->arena, "%.*s$%d", (int)symbol.length, symbol.data, instance->number);
}

// It is compiled for a GPU, whoever calls it. No index is out of bounds in kernels of ours.
static void make_kernel(const pa_inference *inference, MlirOperation function) {
  static const char options[] =
      "{boundscheck = false, error_model = \"numpy\", fastmath = false, inline = \"auto\", target = \"cuda\"}";
  MlirStringRef symbol = mlirStringAttrGetValue(pa_get_attr(function, "sym_name"));
  size_t length = strlen(PA_KERNEL_MODULE);
  if (symbol.length > length && memcmp(symbol.data, PA_KERNEL_MODULE, length) == 0)
    pa_set_attr(function, "pyarray.options", mlirAttributeParseGet(inference->context, pa_ref(options)));
}

pa_instance *pa_instance_get(pa_inference *inference, MlirOperation function, const pa_fact *arguments,
                             intptr_t count) {
  pa_instance **bucket =
      &inference
           ->by_hash[hash_of(function, arguments, count) % (sizeof inference->by_hash / sizeof *inference->by_hash)];
  for (pa_instance *instance = *bucket; instance; instance = instance->same_hash)
    if (is_instance(inference, instance, function, arguments, count)) return instance;
  pa_instance *sibling = pa_map_get(&inference->latest, function.ptr);
  pa_instance *instance = PA_NEW(inference->arena, pa_instance);
  instance->number = sibling ? sibling->number + 1 : 0;
  instance->function = function;
  instance->name = pa_instance_name(inference, instance);
  const pa_instance *caller = inference->current;
  make_kernel(inference, function);
  if (caller && pa_is_device_function(caller->function) &&
      !pa_is_device_function(function)) // the library's are the CPU's
    pa_set_attr(function, "pyarray.options", pa_get_attr(caller->function, "pyarray.options"));
  instance->in_library = !mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame"));
  instance->arguments = PA_NEW_ARRAY(inference->arena, MlirType, count + 1);
  instance->literals = PA_NEW_ARRAY(inference->arena, MlirAttribute, count + 1);
  instance->sites = PA_NEW_ARRAY(inference->arena, int, count + 1);
  instance->signs = PA_NEW_ARRAY(inference->arena, uint64_t, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    instance->arguments[i] = arguments[i].type;
    instance->literals[i] = literal_of_argument(inference, function, i, arguments[i]);
    instance->sites[i] = site_of_argument(arguments[i]);
    instance->signs[i] = signs_of_argument(inference, arguments[i]);
  }
  instance->argument_count = count;
  pa_look_for_precompiled(inference, instance);
  instance->first_capacity = sibling ? sibling->value_capacity ? sibling->value_capacity : sibling->first_capacity : 0;
  instance->same_hash = *bucket;
  *bucket = instance;
  pa_map_put(inference->arena, &inference->latest, function.ptr, instance);
  ++inference->instance_count;
  *inference->last = instance;
  inference->last = &instance->next;
  return instance;
}

static size_t value_slot(const pa_instance *instance, const void *key) {
  return (((uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u >> 20) & (instance->value_capacity - 1);
}

static void grow_values(pa_inference *inference, pa_instance *instance) {
  pa_value_entry *old = instance->values;
  size_t old_capacity = instance->value_capacity;
  instance->value_capacity = old_capacity ? 2 * old_capacity : instance->first_capacity ? instance->first_capacity : 64;
  instance->values = PA_NEW_ARRAY(inference->arena, pa_value_entry, instance->value_capacity);
  for (size_t i = 0; i < old_capacity; ++i) {
    if (!old[i].key) continue;
    size_t slot = value_slot(instance, old[i].key);
    while (instance->values[slot].key) slot = (slot + 1) & (instance->value_capacity - 1);
    instance->values[slot] = old[i];
  }
}

pa_value_entry *pa_value_entry_of(pa_inference *inference, pa_instance *instance, MlirValue value) {
  if (4 * instance->value_count >= 3 * instance->value_capacity) grow_values(inference, instance);
  size_t slot = value_slot(instance, value.ptr);
  while (instance->values[slot].key && instance->values[slot].key != value.ptr)
    slot = (slot + 1) & (instance->value_capacity - 1);
  if (!instance->values[slot].key) {
    instance->values[slot].key = value.ptr;
    ++instance->value_count;
  }
  return &instance->values[slot];
}
