// Lists, dicts, sets, ranges, tuples as tables.
#ifndef PYARRAY_LIB_PASSES_LOWER_CONTAINERS_H
#define PYARRAY_LIB_PASSES_LOWER_CONTAINERS_H

#include "lower_internal.h"

// lower_frozen.c
void pa_lower_frozen(pa_lowering *lower, MlirOperation op);
MlirValue pa_module_word(pa_lowering *lower,
                         const char *name); // the address of a word of the module, seen from outside

// lower_list.c
MlirValue pa_list_length(pa_lowering *lower, MlirValue list); // i64
// Gives the level-3 |result| item |index| (i64, within bounds), held on its own.
void pa_list_item_at(pa_lowering *lower, MlirValue result, MlirValue list, MlirValue index);
// The same, where |items| is what pa_list_items gave and has not changed since.
MlirValue pa_list_items(pa_lowering *lower, MlirValue list);
void pa_list_item_in(pa_lowering *lower, MlirValue result, MlirValue list, MlirValue items, MlirValue index);
void pa_lower_list(pa_lowering *lower, MlirOperation op);
void pa_lower_deque_limit(pa_lowering *lower, MlirOperation op); // deque.maxlen
MlirValue pa_deque_changes(pa_lowering *lower, MlirValue deque); // how often it has changed
#define PA_DEQUE_CHANGED "deque mutated during iteration"
void pa_lower_list_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_list_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_list_unpack(pa_lowering *lower, MlirOperation op);
void pa_lower_delitem(pa_lowering *lower, MlirOperation op);
// Gives |result| what lies at |pointer|; the reference is the container's, which keeps it, or moves.
void pa_item_from_memory(pa_lowering *lower, MlirValue result, MlirValue pointer, bool moves);
// Puts the value in the place of the item at |pointer|, whose owners go when it is there.
void pa_replace_item(pa_lowering *lower, MlirValue pointer, MlirValue value);
MlirValue pa_compare_objects(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b);

// lower_set.c
bool pa_has_table(MlirType key);                              // whether a set of such keys has a table of them
MlirValue pa_table_number(pa_lowering *lower, MlirValue key); // i64
MlirValue pa_set_has_number(pa_lowering *lower, MlirValue set, MlirValue number); // i1; |set|: its handle

// lower_dict.c
void pa_lower_dict(pa_lowering *lower, MlirOperation op); // of sets too
void pa_lower_dict_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_dict_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_dict_delitem(pa_lowering *lower, MlirOperation op);
MlirValue pa_equal_objects(pa_lowering *lower, bool negated, MlirValue a, MlirValue b);

// lower_sequence.c
void pa_set_tuple_element(pa_lowering *lower, MlirValue result, MlirValue tuple, intptr_t index);
void pa_lower_tuple_item(pa_lowering *lower, MlirOperation op); // getitem of a tuple
void pa_lower_unpack(pa_lowering *lower, MlirOperation op);
void pa_lower_iter_length(pa_lowering *lower, MlirOperation op);
void pa_lower_iter_item(pa_lowering *lower, MlirOperation op);
bool pa_known_step(pa_lowering *lower, MlirValue range, int64_t *out_step); // a literal, not 0
// A range that ascends from 0 or more: its items and the one behind them are below 2^64.
bool pa_ascends_unsigned(pa_lowering *lower, MlirValue range);
MlirValue pa_range_length(pa_lowering *lower, MlirValue range);         // at most INT64_MAX
MlirValue pa_checked_range_length(pa_lowering *lower, MlirValue range); // OverflowError where it is more
MlirValue pa_item_count(pa_lowering *lower, MlirValue iterable);        // i64
// Gives |item|, a value of level 3, item |number| (i64, within bounds) of |iterable|.
void pa_set_item(pa_lowering *lower, MlirValue item, MlirValue iterable, MlirValue number);

// lower_tuple_table.c
// Tables of long tuples (lower_tuple_table.c): a column of memory for each value of an element.
typedef struct pa_table {
  int width;
  MlirValue *columns;
} pa_table;
bool pa_is_table(const pa_lowering *lower, MlirType type);   // a tuple with many elements of one type, on the CPU
bool pa_is_unrolled(pa_lowering *lower, MlirOperation loop); // the loop over a tuple is to be copies of its body
const pa_table *pa_table_of(pa_lowering *lower, MlirValue tuple);
const pa_table *pa_constant_table(pa_lowering *lower,
                                  MlirOperation op); // of the operands, many constants of one scalar type; else NULL
void pa_set_table_item(pa_lowering *lower, MlirValue item, const pa_table *table,
                       MlirValue number); // i64, within bounds; references are the tuple's

#endif // PYARRAY_LIB_PASSES_LOWER_CONTAINERS_H
