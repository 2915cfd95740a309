// Words in memory: items of containers, text literals, C pointers; exceptions that are raised.
#ifndef PYARRAY_LIB_PASSES_LOWER_ITEMS_H
#define PYARRAY_LIB_PASSES_LOWER_ITEMS_H

#include "lower_internal.h"

// lower_raise.c
// |message| names the i64 values as {0}, {1}, {2}.
// With one computed argument, a number, text, or a tuple of these.
void pa_raise_value_if(pa_lowering *lower, MlirValue condition, const char *exception, MlirValue value);
void pa_lower_raise(pa_lowering *lower, MlirOperation op);
void pa_lower_cause(pa_lowering *lower, MlirOperation op);

// lower_items.c
MlirValue pa_pointer_to(pa_lowering *lower, MlirValue address); // i64 -> !llvm.ptr
MlirValue pa_address_at(pa_lowering *lower, MlirValue pointer); // and back
MlirValue pa_byte_offset(pa_lowering *lower, MlirValue pointer, MlirValue bytes);
MlirValue pa_load_word(pa_lowering *lower, MlirValue pointer, int word, MlirType type);
void pa_store_word(pa_lowering *lower, MlirValue pointer, int word, MlirValue value);
MlirValue pa_text_address(pa_lowering *lower, const char *text); // i64, of a constant with a NUL behind it
MlirValue pa_item_type_of(pa_lowering *lower, MlirType item);    // i64, the runtime's pa_item_type
int64_t pa_item_size(pa_lowering *lower, MlirType type);         // bytes
int64_t pa_item_alignment(pa_lowering *lower, MlirType type);
const char *pa_item_code(pa_lowering *lower, MlirType item); // "(q?d)"
// The values of element |part| of an item of a tuple type, laid out with those before it.
pa_values pa_load_part(pa_lowering *lower, MlirValue pointer, MlirType tuple, intptr_t part);
void pa_store_part(pa_lowering *lower, MlirValue pointer, MlirType tuple, intptr_t part, pa_values values);
// The values of an item at |pointer|, and a level-3 value stored there; neither touches references.
pa_values pa_load_item(pa_lowering *lower, MlirValue pointer, MlirType type);
void pa_store_item(pa_lowering *lower, MlirValue pointer, MlirValue value);
void pa_store_kept_item(pa_lowering *lower, MlirValue pointer,
                        MlirValue value); // with references of its own (pa_keep_value)
// Addresses (i64) of stack memory for an item, and of one that holds the level-3 value.
MlirValue pa_item_space(pa_lowering *lower, MlirType type);
MlirValue pa_item_on_stack(pa_lowering *lower, MlirValue value);
// What is looked for among items of a type: a number of another type becomes one of them.
typedef struct pa_sought {
  MlirValue value; // of the items' type
  MlirValue exact; // i1: it is the number; null: of course
  MlirBlock block; // to be destroyed, or null
} pa_sought;
pa_sought pa_seek(pa_lowering *lower, MlirValue value, MlirType item);
// The position that an index means in a sequence of that |length|; raises IndexError where there is none.
MlirValue pa_sequence_position(pa_lowering *lower, MlirValue length, MlirValue index, const char *message);
// MemoryError where a handle is 0, or a status (i32) is not.
MlirValue pa_checked_handle(pa_lowering *lower, MlirValue handle);
void pa_check_memory(pa_lowering *lower, MlirValue status);
void pa_check_unpack(pa_lowering *lower, MlirValue length, intptr_t count); // ValueError where they differ
// The values of |value| with references of their own, which may be held longer than the call.
pa_values pa_keep_value(pa_lowering *lower, MlirValue value);
// Where element |index| of a tuple lies among its flattened values.
int pa_tuple_offset(pa_lowering *lower, MlirType tuple, intptr_t index);

// lower_text_literal.c
MlirValue pa_text_literal(pa_lowering *lower, MlirAttribute value, bool bytes); // the handle

// lower_pointer.c
MlirValue pa_address_of(pa_lowering *lower, MlirValue value); // of a C pointer, i64; 0 of anything else
// A number at a pointer, at a multiple of |alignment| bytes.
MlirValue pa_load_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment);
void pa_store_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment, MlirValue value);
void pa_lower_pointer_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_pointer_setitem(pa_lowering *lower, MlirOperation op);

#endif // PYARRAY_LIB_PASSES_LOWER_ITEMS_H
