// Of pyarray-lower: instances of classes and optional values. Fields are read and stored inline.
//
//   %x = pyarray.getfield %p "x" : (!pyarray.object<"m:Point#0">) -> f64
// becomes
//   %at = llvm.inttoptr %p : i64 to !llvm.ptr
//   %x = llvm.load %at[8] : !llvm.ptr -> f64
#include "ir/classes.h"
#include "lower_items.h"
#include "lower_objects.h"

//===-- Fields ------------------------------------------------------------------------------------===//

typedef struct field {
  MlirType type, all; // of the field; the tuple of all fields
  intptr_t number;
  MlirValue pointer; // to the instance
} field;

static bool find_field(pa_lowering *lower, MlirOperation op, field *out_field) {
  MlirValue object = pa_operand(op, 0);
  MlirType type = mlirValueGetType(object);
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  MlirAttribute class = pyarrayTypeIsObject(type) ? pa_class_of_type(lower->module, type) : mlirAttributeGetNull();
  intptr_t number = mlirAttributeIsNull(class) ? -1 : pa_class_field(class, pyarrayObjectTypeGetName(type), name);
  if (number < 0)
    return pa_lower_fail(lower, "%s has no field '%.*s'", pa_type_text(lower->arena, type), (int)name.length,
                         name.data),
           false;
  *out_field = (field){pa_erased_type(pa_class_field_type(class, number)), pa_erased_type(pa_class_fields(class)),
                       number, pa_pointer_to(lower, pa_get1(lower, object))};
  return true;
}

static bool may_hold_none(MlirType type) {
  if (!mlirTypeIsATuple(type)) return pyarrayTypeIsOptional(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
    if (may_hold_none(mlirTupleTypeGetType(type, i))) return true;
  return false;
}

// The word of a field of that type that is 0 as long as it is not set; null for numbers and what holds None at first.
static MlirValue first_handle(pa_lowering *lower, MlirType type, pa_values values) {
  if (!pa_is_managed(type) || may_hold_none(type)) return (MlirValue){NULL};
  int count, *places = pa_owner_places(lower, type, &count), first = places[0];
  bool array = first && mlirTypeIsAMemRef(pa_type_or_none(lower, values.items[first - 1]));
  if (!array) return values.items[first];
  return pa_to_i64(lower,
                   pa_convert(lower, "memref.extract_aligned_pointer_as_index", values.items[first - 1], lower->index));
}

static void check_set(pa_lowering *lower, MlirOperation op, MlirType type, pa_values values) {
  MlirValue handle = first_handle(lower, type, values);
  if (mlirValueIsNull(handle)) return;
  MlirStringRef class = pa_class_short_name(pyarrayObjectTypeGetName(mlirValueGetType(pa_operand(op, 0))));
  MlirStringRef name = mlirStringAttrGetValue(pa_get_attr(op, "name"));
  const char *message = pa_arena_format(lower->arena, "'%.*s' object has no attribute '%.*s'", (int)class.length,
                                        class.data, (int)name.length, name.data);
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, 0)), "AttributeError", message);
}

void pa_lower_getfield(pa_lowering *lower, MlirOperation op) {
  field at;
  if (!find_field(lower, op, &at)) return;
  pa_values values = pa_load_part(lower, at.pointer, at.all, at.number);
  check_set(lower, op, at.type, values);
  pa_set(lower, pa_result(op), values.items, values.count);
  if (!pa_is_managed(at.type) || !mlirAttributeIsNull(pa_get_attr(op, "borrowed"))) return;
  pa_retain_value(lower, pa_result(op));
  pa_acquire(lower, pa_result(op));
}

// The old value goes when the new one is in its place.
void pa_lower_setattr(pa_lowering *lower, MlirOperation op) {
  field at;
  MlirValue value = pa_operand(op, 1);
  if (!find_field(lower, op, &at)) return;
  if (!pa_is_managed(at.type)) {
    pa_store_part(lower, at.pointer, at.all, at.number, pa_get(lower, value));
    return;
  }
  MlirBlock block = mlirBlockCreate(1, &at.type, &lower->builder.location);
  MlirValue old = mlirBlockGetArgument(block, 0); // stands for the old value
  pa_values kept = pa_keep_value(lower, value), before = pa_load_part(lower, at.pointer, at.all, at.number);
  pa_set(lower, old, before.items, before.count);
  pa_store_part(lower, at.pointer, at.all, at.number, kept);
  pa_release_value(lower, old);
  mlirBlockDestroy(block);
}

// "module:Class#0=(dq)", which the runtime makes the class of.
void pa_lower_new(pa_lowering *lower, MlirOperation op) {
  MlirStringRef name = pyarrayObjectTypeGetName(mlirValueGetType(pa_result(op)));
  MlirAttribute class = pa_class_find(lower->module, name);
  if (mlirAttributeIsNull(class)) {
    pa_lower_fail(lower, "the module has no class %.*s", (int)name.length, name.data);
    return;
  }
  const char *code = pa_item_code(lower, pa_erased_type(pa_class_fields(class)));
  const char *text = pa_arena_format(lower->arena, "%.*s=%s", (int)name.length, name.data, code);
  MlirValue handle = pa_runtime(lower, "pyarray_rt_instance_new", pa_text_address(lower, text));
  pa_raise_if(lower, pa_compare_int(lower, PA_EQ, handle, pa_int(lower, lower->i64, 0)), "MemoryError", "");
  pa_set1(lower, pa_result(op), handle);
  pa_acquire(lower, pa_result(op));
}

//===-- Optional values ---------------------------------------------------------------------------===//

static void lower_is_none(pa_lowering *lower, const pa_builtin_call *call) {
  pa_finish(lower, call, pa_not(lower, pa_get(lower, pa_operand(call->op, 0)).items[0]));
}

// The caller has made sure that there is a value.
static void lower_value(pa_lowering *lower, const pa_builtin_call *call) {
  pa_values values = pa_get(lower, pa_operand(call->op, 0));
  pa_set(lower, pa_result(call->op), values.items + 1, values.count - 1);
  if (pa_is_managed(mlirValueGetType(pa_result(call->op)))) pa_retain_value(lower, pa_result(call->op));
}

// The same object, or None both times.
static void lower_same(pa_lowering *lower, const pa_builtin_call *call) {
  pa_values a = pa_get(lower, pa_operand(call->op, 0)), b = pa_get(lower, pa_operand(call->op, 1));
  MlirValue same = pa_compare_int(lower, PA_EQ, a.items[0], b.items[0]);
  MlirValue equal = pa_compare_int(lower, PA_EQ, a.items[1], b.items[1]);
  pa_finish(lower, call, pa_and(lower, same, pa_or(lower, pa_not(lower, a.items[0]), equal)));
}

const pa_builtin_rule_row pa_instance_rules[] = {
    {PA_LOWERING_OPTIONAL_IS_NONE, lower_is_none},
    {PA_LOWERING_OPTIONAL_VALUE, lower_value},
    {PA_LOWERING_OPTIONAL_SAME, lower_same},
    {0, NULL},
};
