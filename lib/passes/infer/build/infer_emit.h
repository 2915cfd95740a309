// Emission of typed operations, for all rooms that emit: the typed values of an instance, casts, iteration, subscripts.
#ifndef PYARRAY_LIB_PASSES_INFER_EMIT_H
#define PYARRAY_LIB_PASSES_INFER_EMIT_H

#include "infer_resolved.h"
#include "typing_index.h"

typedef struct pa_instance_emitter {
  pa_inference *inference;
  pa_instance *instance;
  pa_builder *builder;
} pa_instance_emitter;

// infer_emit_choice.c
MlirValue pa_emit_function_number(struct pa_instance_emitter *emitter, MlirType function); // among the chosen ones
// |value|, of |kind|, in the representation |wanted|: a function, also in a tuple, becomes its number there; else
// |value|.
MlirValue pa_emit_choice(struct pa_instance_emitter *emitter, MlirValue value, MlirType kind, MlirType wanted);

// infer_erase.c
void pa_erase_unused(pa_inference *inference, MlirBlock block);

static inline pa_fact pa_emitter_fact(pa_instance_emitter *e, MlirValue value) {
  return pa_fact_get(e->inference, e->instance, value);
}
static inline void pa_emitter_map(pa_instance_emitter *e, MlirValue from, MlirValue to) {
  pa_value_entry_of(e->inference, e->instance, from)->typed = to;
}
static inline MlirContext pa_emitter_context(const pa_instance_emitter *e) { return e->inference->context; }

// A function as a value. It has no symbol any more: its instances have others.
static inline MlirValue pa_emitter_callable(const pa_instance_emitter *e, MlirType type, MlirAttribute name) {
  if (mlirAttributeIsAFlatSymbolRef(name)) {
    MlirStringRef symbol = mlirFlatSymbolRefAttrGetValue(name);
    name = pa_string_attr(pa_emitter_context(e),
                          pa_arena_format(e->inference->arena, "compiled:%.*s", (int)symbol.length, symbol.data));
  }
  return pa_value(e->builder, PA_OP_NAME(CALLABLE), PA_RESULTS(type), PA_ATTRS({"name", name}));
}

static inline MlirType pa_emitter_type(const pa_instance_emitter *e, pa_fact fact) {
  return pa_is_bottom(fact) ? pyarrayNoneTypeGet(pa_emitter_context(e)) : pa_erased_type(fact.type);
}

static inline MlirValue pa_emit_literal(pa_instance_emitter *e, MlirAttribute value) {
  MlirType type = pa_literal_fact(pa_emitter_context(e), value).type;
  if (mlirAttributeIsAType(value)) return pa_emitter_callable(e, type, pyarrayCallableTypeGetName(type));
  return pa_value(e->builder, PA_OP_NAME(CONSTANT), PA_RESULTS(type), PA_ATTRS({"value", value}));
}

static inline MlirValue pa_emit_cast(pa_instance_emitter *e, MlirValue value, MlirType type) {
  type = pa_erased_type(type);
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), type)) return value;
  if (pyarrayTypeIsNone(type)) return pa_emit_literal(e, pa_unit_attr(pa_emitter_context(e)));
  bool from_array = pyarrayTypeIsBytearray(mlirValueGetType(value)), to_array = pyarrayTypeIsBytearray(type);
  if ((from_array && pyarrayTypeIsBytes(type)) || (to_array && pyarrayTypeIsBytes(mlirValueGetType(value))))
    return pa_value(e->builder, PA_OP_NAME(BUILTIN), PA_OPERANDS(value), PA_RESULTS(type),
                    PA_ATTRS({"name", pa_string_attr(pa_emitter_context(e),
                                                     from_array ? "pyarray.library._intrinsics.bytes_of_bytearray"
                                                                : "pyarray.library._intrinsics.bytearray_of_bytes")}));
  return pa_value(e->builder, PA_OP_NAME(CAST), PA_OPERANDS(value), PA_RESULTS(type));
}

// The typed value of an untyped one, in its own type.
// An argument that is known when the function is compiled is that literal: an entry is not even given it.
static inline MlirValue pa_emitter_use(pa_instance_emitter *e, MlirValue value) {
  pa_fact fact = pa_emitter_fact(e, value);
  bool literal = mlirValueIsABlockArgument(value) && !mlirAttributeIsNull(fact.literal) &&
                 (mlirAttributeIsAString(fact.literal) || mlirAttributeIsAInteger(fact.literal));
  if (literal) return pa_emit_literal(e, fact.literal);
  MlirValue typed = pa_value_entry_of(e->inference, e->instance, value)->typed;
  if (!mlirValueIsNull(typed)) return typed;
  return pa_value(e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(pa_emitter_type(e, pa_emitter_fact(e, value))));
}

static inline MlirValue pa_emitter_use_as(pa_instance_emitter *e, MlirValue value, MlirType type) {
  if (pa_is_bottom(pa_emitter_fact(e, value)))
    return pa_value(e->builder, PA_OP_NAME(UNBOUND), PA_RESULTS(pa_erased_type(type)));
  return pa_emit_cast(
      e, pa_emit_choice(e, pa_emitter_use(e, value), pa_emitter_fact(e, value).type, pa_erased_type(type)), type);
}

static inline MlirValue *pa_emitter_values(pa_instance_emitter *e, intptr_t count) {
  return PA_NEW_ARRAY(e->inference->arena, MlirValue, count + 1);
}
static inline MlirType *pa_emitter_types(pa_instance_emitter *e, intptr_t count) {
  return PA_NEW_ARRAY(e->inference->arena, MlirType, count + 1);
}

// The elements of a tuple value.
static inline MlirValue *pa_emit_elements(pa_instance_emitter *e, MlirValue tuple, intptr_t *out_count) {
  MlirType type = mlirValueGetType(tuple);
  intptr_t count = *out_count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = pa_emitter_types(e, count);
  MlirValue *elements = pa_emitter_values(e, count);
  for (intptr_t i = 0; i < count; ++i) types[i] = mlirTupleTypeGetType(type, i);
  if (!count) return elements;
  MlirOperation op = pa_op(e->builder, PA_OP_NAME(UNPACK), PA_OPERANDS(tuple), PA_RESULT_ARRAY(types, count));
  for (intptr_t i = 0; i < count && !mlirOperationIsNull(op); ++i) elements[i] = mlirOperationGetResult(op, i);
  return elements;
}

// infer_iterate.c. Of enumerate, zip and reversed, |kind| is the tagged type, |iterable| the tuple of what they hold.
void pa_emit_strict_end(pa_instance_emitter *e, MlirValue iterable, MlirType kind); // raises where lengths differ
MlirValue pa_emit_mixed_item(pa_instance_emitter *e, MlirValue iterable, MlirType kind,
                             intptr_t number); // item |number| of what pa_is_mixed
pa_status pa_emit_put_all(pa_instance_emitter *e, MlirValue container, MlirValue iterable,
                          MlirType kind); // all that it gives
// What a loop goes over, and its kind, where |iterable| has that kind: dicts, sets and views get iterators.
MlirValue pa_emit_iterator(pa_instance_emitter *e, MlirValue iterable, MlirType *kind);

// A loop over their positions that is being made. Where a list is among what they hold, its length is read anew before
// each item.
typedef struct pa_position_loop {
  MlirType *types; // of the position and the carried values
  MlirValue *inits, item;
  intptr_t count; // of carried values
  bool by_list;   // an scf.while, whose carried values are behind the position; else a pyarray.for
  MlirRegion regions[2];
  MlirBlock body;
  pa_builder builder, *outer;
} pa_position_loop;

// From here on operations go into the body, where the item is |out_loop->item|.
void pa_begin_positions(pa_instance_emitter *e, MlirValue iterable, MlirType kind, const MlirValue *inits,
                        const MlirType *types, intptr_t count, pa_position_loop *out_loop);
MlirOperation pa_end_positions(pa_instance_emitter *e, pa_position_loop *loop, const MlirValue *yielded,
                               pa_status *status);
pa_status pa_emit_iter_more(pa_instance_emitter *e, MlirOperation op);
pa_status pa_emit_iter_item(pa_instance_emitter *e, MlirOperation op);

// infer_emit_raise.c. Raises where |condition| holds.
void pa_emit_raise_if(pa_instance_emitter *e, MlirValue condition, const char *exception, const char *text);

// infer_subscripts.c
// The indices of a getitem or setitem in the types of level 2; |spread|: they are the elements of operand 1.
MlirValue *pa_emit_index_values(pa_instance_emitter *e, MlirOperation op, const pa_fact *facts, intptr_t count,
                                bool spread);
// array[indices], |values| in the types of level 2: an element or a view of type |result|, with the plan's new axes.
MlirValue pa_emit_indexed(pa_instance_emitter *e, MlirValue array, const pa_index_plan *plan, const MlirValue *values,
                          MlirType result);
// The same of |op|, a getitem of an array.
pa_status pa_emit_array_subscript(pa_instance_emitter *e, MlirOperation op, MlirType result, MlirValue *out_value);
// |op|, a setitem of an array.
pa_status pa_emit_array_store(pa_instance_emitter *e, MlirOperation op, const pa_fact *facts, intptr_t count,
                              bool spread, MlirValue value);
// |array| with new axes at these places among the axes of the result.
MlirValue pa_emit_new_axes(pa_instance_emitter *e, MlirValue array, const int *axes, int count, MlirType result);

// infer_gather.c
// The elements of |view| that the plan's indices name: a new array of type |result|.
MlirValue pa_emit_gathered(pa_instance_emitter *e, MlirValue view, const pa_index_plan *plan, const MlirValue *values,
                           MlirType result);

// infer_records.c
pa_status pa_emit_record_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done);
MlirValue pa_emit_record_item(pa_instance_emitter *e, MlirValue records, MlirType kind,
                              MlirValue position); // within bounds

// infer_memoryview.c
MlirValue pa_emit_memoryview_item(pa_instance_emitter *e, MlirValue array, MlirType view,
                                  MlirValue position); // within bounds

// infer_typed.c. An empty container of declared types; false for all other calls.
bool pa_emit_typed_empty(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call);
void pa_emit_typed_mark(pa_instance_emitter *e, MlirOperation op,
                        const pa_resolved_call *call); // of what |op| gave, where the call makes such a container

// infer_generators.c. a, b = g
pa_status pa_emit_unpack_generator(pa_instance_emitter *e, MlirOperation op,
                                   MlirValue source); // |source|: the generator
// What |op| goes over or unpacks: operand 0, or the generator made of that where its class says what is iterated over.
pa_status pa_emit_own_iterator(pa_instance_emitter *e, MlirOperation op, MlirValue *out_iterable);

// infer_classes.c
void pa_emit_present(pa_instance_emitter *e, const pa_made_value *made);
// |call_result|: of the function that is called. Null where the operation has no result.
MlirValue pa_emit_class_operation(pa_instance_emitter *e, const pa_class_plan *plan, MlirValue call_result);

// infer_keywords.c. The names of keyword arguments, or pairs of them and their values, as a tuple.
MlirValue pa_emit_keywords(pa_instance_emitter *e, MlirValue object, MlirType mapping, bool pairs);

// infer_named.c. What represents |value|, of that type: the members of an enum, the names of keyword arguments, else
// the value.
MlirValue pa_emit_represented(pa_instance_emitter *e, MlirValue value, MlirType type);
// infer_unaligned.c. A copy of an array of numbers at any address, aligned.
MlirValue pa_emit_aligned(pa_instance_emitter *e, MlirValue value, MlirType type);

// infer_emit_filled.c
// Whether a call of a builtin puts items into a container one by one: the lowering does the rest, from what lies in
// memory.
bool pa_is_filled_in_loop(pa_instance_emitter *e, MlirOperation op, const pa_resolved_call *call);
pa_status pa_emit_filled(pa_instance_emitter *e, MlirOperation op,
                         const pa_resolved_call *call); // the container, new or extended, and the loop

#endif // PYARRAY_LIB_PASSES_INFER_EMIT_H
