// The state of a lowering, for all files of pyarray-lower: types, values, errors, owners. Rooms behind this one have
// headers of their own.
//
// The pass re-emits each function from top to bottom. A level-3 value maps to any number of level-4 values; operations
// are only read from the old function and only written to the new one. After a failure every builder call does nothing
// and gives null values, which all helpers accept.
#ifndef PYARRAY_LIB_PASSES_LOWER_INTERNAL_H
#define PYARRAY_LIB_PASSES_LOWER_INTERNAL_H

#include "ir/builtins.h"
#include "ir/ir.h"
#include "pyarray-c/Effects.h"
#include "support/map.h"

//===-- State -------------------------------------------------------------------------------------===//

typedef struct pa_types {
  MlirType *items;
  size_t count, capacity;
} pa_types;

// The level-4 values of one level-3 value; arena memory.
typedef struct pa_values {
  const MlirValue *items;
  int count;
} pa_values;

// The body of a pyarray.try that is being lowered; or of a loop that becomes a function of its own: then |number| is
// -1.
typedef struct pa_try_scope {
  const struct pa_try_scope *outer;
  int64_t number;
  int handlers;                  // around it, in this function
  int depth;                     // calls that it was inlined through
  bool breakable;                // it is a pyarray.breakable: raises pass through it
  struct pa_plain_raises *plain; // of its body, or NULL
} pa_try_scope;

// A value whose owners were loaded from their slots in a region, and what it was before.
typedef struct pa_moved_value {
  struct pa_moved_value *before;
  MlirValue value;
  pa_values values;
} pa_moved_value;

typedef struct pa_lowering {
  void (*lower_block)(struct pa_lowering *lower, MlirBlock block); // of lower.c, which is above all rooms
  pa_arena *arena;
  MlirContext context;
  MlirOperation module;
  pa_names names;
  pa_builder builder; // where level-4 operations go: always the end of a block
  MlirType i1, i8, i32, i64, f32, f64, index;
  MlirAttribute in_bounds; // pyarray.in_bounds of the subscript being lowered, or null
  MlirAttribute told_axes; // pyarray.axes of it, or null
  bool clamped;            // it has pyarray.clamped
  pa_map sites;            // raise site attribute -> its number + 1
  pa_map declared;         // symbols that the module has
  pa_map runtime_rows;     // address of a name -> its row of runtime.def
  pa_map recursive;        // symbols of recursive functions
  pa_map remaking;         // symbols of generators whose code makes another of the same function
  pa_map literals;         // text -> symbol of its variable
  int literal_count;
  MlirAttribute *site_list;
  size_t site_count, site_capacity;
  int64_t first_site; // the number of the first one
  // Of the function being lowered:
  pa_map values;                       // level-3 value -> pa_values
  pa_map shown;                        // name and place of a variable -> its slot, for debuggers
  pa_map slots;                        // owned level-3 value -> pa_values, its owner slots
  pa_map tables;                       // tuple -> its pa_table in the entry block
  pa_map constants;                    // attribute -> value in the entry block
  struct pa_moved_value *moved_values; // since the function began, the latest first
  pa_map moved;                        // pyarray.release operations whose reference was handed on
  MlirBlock entry;
  MlirOperation last_entry; // constants and slots follow it at the top of the entry block
  MlirValue complex_result; // where runtime functions store a complex number, or null
  MlirValue stack_limit;    // of a recursive function, else null
  bool boundscheck, parallel;
  bool python_errors;                  // ZeroDivisionError and the like: error_model is not "numpy"
  bool strict_errors;                  // those of floats too, where IEEE 754 has a result: error_model is "strict"
  struct pa_fold_buffer *fold_buffers; // stack memory of reductions, used by one after the other
  size_t fold_buffer_count, fold_buffer_capacity;
  int fold_depth;   // of reductions within each other at the current place
  bool fixed_cores; // in the body of a ufunc whose core dimensions are constants: LLVM unrolls its loops completely
  bool device;      // for a GPU: arrays are borrowed, nothing is allocated
  bool offload;     // the host's code over arrays that are on a GPU
  const struct pa_team *team; // the threads that do what is done with a row, in the body of a ufunc over rows; or NULL
  MlirOperation spread;       // the loop over prange that is being lowered for several threads, or null
  int private_copies;         // functions that stand for copies of arrays, in the module
  const pa_try_scope *try;    // the innermost, or NULL
  int handlers;               // around the current place, in this function
  bool has_cause;             // a pyarray.cause was lowered, and its raise was not yet
  const struct pa_plain_raises *plain; // the copy of a handler for these is being lowered; or NULL
  int64_t tries;                       // in the module
  pa_op_list caught;                   // declarations of functions that decide whether a site's exception is caught
  MlirAttribute fastmath;              // null, or the flags of float operations
  bool is_fast;                        // they are all flags
  const char *function_name;
  bool no_frame; // the function has no frame of its own in tracebacks
} pa_lowering;

// Fails at the current place; the first failure is kept.
void pa_lower_fail(pa_lowering *lower, const char *format, ...) __attribute__((format(printf, 2, 3)));

//===-- Types -------------------------------------------------------------------------------------===//

MlirType pa_lower_scalar_type(const pa_lowering *lower, pa_scalar scalar); // si32 -> i32
MlirType pa_lower_array_type(pa_lowering *lower, MlirType type);           // the memref
MlirType pa_element_memory(const pa_lowering *lower, pa_scalar element);   // bool is i8 in memory
// Appends the level-4 types of |type|; fails for types that inference should have removed.
void pa_flatten(pa_lowering *lower, MlirType type, pa_types *out);
int pa_flat_count(pa_lowering *lower, MlirType type);

//===-- Values ------------------------------------------------------------------------------------===//

pa_values pa_get(pa_lowering *lower, MlirValue value);
MlirValue pa_get1(pa_lowering *lower, MlirValue value); // of a scalar
void pa_set(pa_lowering *lower, MlirValue value, const MlirValue *items, int count);
void pa_set1(pa_lowering *lower, MlirValue value, MlirValue item);
static inline MlirValue pa_operand(MlirOperation op, intptr_t i) { return mlirOperationGetOperand(op, i); }
static inline MlirValue pa_result(MlirOperation op) { return mlirOperationGetResult(op, 0); }
static inline pa_scalar pa_scalar_of_value(MlirValue value) { return pa_scalar_of(mlirValueGetType(value)); }
// The operation that makes the level-3 value, or null for a block argument.
MlirOperation pa_definition(MlirValue value);
// What is known of a level-3 number at compile time, seen through casts.
bool pa_known_int(pa_lowering *lower, MlirValue value, int64_t *out_value);
bool pa_known_real(pa_lowering *lower, MlirValue value, double *out_value);
// True only if the level-3 integer is never negative; _index: unless a sum or product wrapped, which a bounds check
// finds.
bool pa_is_non_negative(pa_lowering *lower, MlirValue value);
bool pa_is_non_negative_index(pa_lowering *lower, MlirValue value);

//===-- Building ----------------------------------------------------------------------------------===//

MlirType pa_type_or_none(const pa_lowering *lower, MlirValue value); // of a value that may be null after a failure
MlirValue pa_int(pa_lowering *lower, MlirType type, int64_t value);  // constants, once for each function
MlirValue pa_real(pa_lowering *lower, MlirType type, double value);
MlirValue pa_constant_of(pa_lowering *lower, MlirType type, MlirAttribute value);

// Results of the type of the first operand. Float operations get the function's fastmath flags.
MlirValue pa_unary(pa_lowering *lower, const char *name, MlirValue a);
MlirValue pa_binary(pa_lowering *lower, const char *name, MlirValue a, MlirValue b);
MlirValue pa_convert(pa_lowering *lower, const char *name, MlirValue value, MlirType type);
MlirValue pa_select(pa_lowering *lower, MlirValue condition, MlirValue a, MlirValue b);
MlirValue pa_to_index(pa_lowering *lower, MlirValue value); // i64 -> index
MlirValue pa_to_i64(pa_lowering *lower, MlirValue value);   // index -> i64

// ORDER PREDICATES: arith's.
typedef enum pa_icmp { PA_EQ, PA_NE, PA_SLT, PA_SLE, PA_SGT, PA_SGE, PA_ULT, PA_ULE, PA_UGT, PA_UGE } pa_icmp;
typedef enum pa_fcmp {
  PA_FALSE,
  PA_OEQ,
  PA_OGT,
  PA_OGE,
  PA_OLT,
  PA_OLE,
  PA_ONE,
  PA_ORD,
  PA_UEQ,
  PA_UNGT,
  PA_UNGE,
  PA_UNLT,
  PA_UNLE,
  PA_UNE,
  PA_UNO
} pa_fcmp;
MlirValue pa_compare_int(pa_lowering *lower, pa_icmp predicate, MlirValue a, MlirValue b);
MlirValue pa_compare_real(pa_lowering *lower, pa_fcmp predicate, MlirValue a, MlirValue b);
MlirValue pa_and(pa_lowering *lower, MlirValue a, MlirValue b);
MlirValue pa_or(pa_lowering *lower, MlirValue a, MlirValue b);
MlirValue pa_not(pa_lowering *lower, MlirValue a);

// A region under construction: between open and close the builder writes to its block.
typedef struct pa_scope {
  MlirBlock outer, block;
  MlirRegion region;
} pa_scope;

pa_scope pa_open(pa_lowering *lower, const MlirType *arguments, intptr_t count);
MlirRegion pa_close(pa_lowering *lower, pa_scope scope, const char *terminator, const MlirValue *values,
                    intptr_t count);
// scf.if; a null |otherwise| is an empty else region. Both regions end in scf.yield of values of those types.
MlirOperation pa_emit_if(pa_lowering *lower, MlirValue condition, MlirRegion then, MlirRegion otherwise,
                         const MlirType *types, intptr_t count);
// scf.if without results: what is built between begin and end runs where |condition| holds.
pa_scope pa_if_begin(pa_lowering *lower);
void pa_if_end(pa_lowering *lower, pa_scope scope, MlirValue condition);

// for (index = 0; index < count; ++index), of index type, without carried values.
typedef struct pa_counted_loop {
  pa_scope scope;
  MlirValue count, index;
} pa_counted_loop;
pa_counted_loop pa_loop_begin(pa_lowering *lower, MlirValue count);
void pa_loop_end(pa_lowering *lower, pa_counted_loop loop);

// Attribute loop_annotation of the scf loop for |loop|: LLVM shall not transform the second copy of a loop that
// pyarray-hoist-checks has doubled, and shall unroll a reduction of floats. Null for other loops.
MlirAttribute pa_loop_annotation(const pa_lowering *lower, MlirOperation loop);

// Stack memory (a memref) for |count| i64, made once where the function begins.
MlirValue pa_stack_numbers(pa_lowering *lower, int64_t count);

// Inserts at the top of the entry block.
pa_builder pa_entry_builder(pa_lowering *lower);
void pa_entry_built(pa_lowering *lower, const pa_builder *builder, MlirOperation op);

//===-- Errors, runtime, owners (lower_errors.c) --------------------------------------------------===//

MlirAttribute pa_text(pa_lowering *lower, const char *text);
// The name of |function| in tracebacks: the last part of the qualified name.
const char *pa_traceback_name(pa_lowering *lower, MlirOperation function);
enum { PA_MAX_ERROR_VALUES = 96 }; // as the runtime keeps
// What an error is made of. |arguments|: attributes of the exception's arguments; types stand for those that are
// computed, whose |values| (i64) are their scalars in order.
typedef struct pa_raised_error {
  const char *exception; // "": that of a callee, which passes through
  MlirAttribute bases;   // of a class that is not builtin; else null
  const MlirAttribute *arguments;
  int count;
  const MlirValue *values;
  int value_count;
  uint64_t handles;  // bit i: value i is a handle, whose reference the error takes over
  MlirValue address; // (i64) where the values lie already, unless it is null
} pa_raised_error;
// Emit a raise here, or where |condition| holds.
void pa_raise_error(pa_lowering *lower, const pa_raised_error *error);
// lower_plain_raises.c. Makes a raise a branch to the handler, where that is the function's own and asks nothing; else
// false.
bool pa_raise_plainly(pa_lowering *lower, const pa_raised_error *error);
struct pa_plain_raises *pa_plain_begin(pa_lowering *lower, MlirBlock handler); // before the body of a try
MlirValue pa_plain_end(pa_lowering *lower,
                       struct pa_plain_raises *plain); // behind it: null where there was no such raise
MlirValue pa_plain_number(pa_lowering *lower,
                          const struct pa_plain_raises *plain); // which raise led to the handler, 0: another
MlirValue pa_plain_is_caught(pa_lowering *lower, const struct pa_plain_raises *plain, MlirAttribute classes);
// Goes to the handler of a try around this place, out of |handlers| of others. Nothing is recorded.
void pa_leave_to(pa_lowering *lower, int64_t try, int handlers);
void pa_raise(pa_lowering *lower, const char *exception, const MlirAttribute *arguments, int count);
// The number of its site, as a value, and the address (i64) of its values.
MlirValue pa_raise_site_of(pa_lowering *lower, const pa_raised_error *error);
MlirValue pa_put_on_stack(pa_lowering *lower, const MlirValue *values, int count);
// Passes the error through the callers that the code at |location| was inlined into, up to the handler.
void pa_propagate_out(pa_lowering *lower, MlirLocation location);
// The location one call further out; null where there is none.
MlirLocation pa_caller_of(MlirLocation location);
// No argument where |message| is empty.
void pa_raise_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message);
// An exception of the interpreter goes on as one of compiled code, where |handle| is not 0. Its lowest bit says that it
// holds no Exception, but a KeyboardInterrupt or SystemExit.
void pa_raise_of_interpreter(pa_lowering *lower, MlirValue handle);
// The number (i32) of a site at the current place, for a later pass that raises there; frames it was inlined into are
// left out.
MlirAttribute pa_raise_site(pa_lowering *lower, const char *exception, const char *message);
void pa_raise_values_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message,
                        MlirValue a, MlirValue b, MlirValue c);
// |message| names any of the |count| values so, and shapes, |n| values from number |i| on, as {i:n}.
void pa_raise_many_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message,
                      const MlirValue *values, int count);
void pa_propagate_if(pa_lowering *lower, MlirValue condition);

// Calls a function of lib/runtime/runtime.def, declaring it on first use. Null where it has no result.
MlirValue pa_call_runtime(pa_lowering *lower, const char *name, const MlirValue *operands, int count);
#define pa_runtime(lower, name, ...)                                                                                   \
  pa_call_runtime((lower), (name), (MlirValue[]){__VA_ARGS__}, (int)PA_COUNT((MlirValue[]){__VA_ARGS__}))
// Calls a pure function of libm: |name|, or its float32 variant when |result| is f32.
MlirValue pa_call_libm(pa_lowering *lower, const char *name, MlirType result, const MlirValue *operands, int count);
void pa_declare(pa_lowering *lower, const char *name, MlirType type, const pa_attr *attributes, int count);
// Calls a function that was declared; null where it has no result.
MlirValue pa_call_declared(pa_lowering *lower, const char *name, MlirType type, const MlirValue *operands, int count);

// The value has been acquired: its owners go to its slots.
void pa_acquire(pa_lowering *lower, MlirValue value);
pa_values pa_get_owned(pa_lowering *lower, MlirValue value); // the value, its owners out of their slots
void pa_retain_value(pa_lowering *lower, MlirValue value);   // all owners in a level-3 value
void pa_release_value(pa_lowering *lower, MlirValue value);
// The same out of its slots: the end of an acquired value that the IR does not have, as it has no release.
void pa_drop_value(pa_lowering *lower, MlirValue value);
// The owner of |value| with its reference, where its release follows |op| and nothing between them needs it: that
// release does nothing then. False where there is none.
bool pa_move_out_of_slot(pa_lowering *lower, MlirOperation op, MlirValue value, MlirValue *out_owner);
void pa_lower_retain(pa_lowering *lower, MlirOperation op);
void pa_lower_release(pa_lowering *lower, MlirOperation op);

// Slots for the owners among values of |type|: their places there; |*out_count| of them.
int *pa_owner_places(pa_lowering *lower, MlirType type, int *out_count);
MlirValue pa_stack_slot(pa_lowering *lower, MlirType type, bool is_owner); // stack memory, of the function

//===-- Ways out (lower_leave.c) -------------------------------------------------------------------===//

void pa_lower_variable(pa_lowering *lower, MlirOperation op);
void pa_lower_load(pa_lowering *lower, MlirOperation op);
void pa_lower_store(pa_lowering *lower, MlirOperation op);
void pa_release_variable(pa_lowering *lower, MlirValue variable);
MlirValue pa_is_caught(pa_lowering *lower, MlirAttribute classes); // i1, in a handler
MlirValue pa_is_caught_at(pa_lowering *lower, MlirValue site, MlirAttribute classes);
const pa_try_scope *
pa_catching(const pa_lowering *lower); // the innermost try, or thread's part of a loop, that sees raises here; or NULL
int pa_call_depth(MlirLocation location); // calls that code there was inlined through
// Where an error at the current place goes: pyarray.try and pyarray.handlers of a call that does not return (null where
// it leaves the function, and no handler).
typedef struct pa_way_out {
  MlirAttribute try, handlers;
} pa_way_out;
pa_way_out pa_leave(pa_lowering *lower);
// Around the body of a loop that becomes a function of its own.
typedef struct pa_thread_scope {
  pa_try_scope scope;
  const pa_try_scope *outer;
  int handlers;
} pa_thread_scope;
void pa_thread_begin(pa_lowering *lower, pa_thread_scope *scope);
void pa_thread_end(pa_lowering *lower, const pa_thread_scope *scope);

// Values that are never read, whose owners are 0; |*count| counts them.
void pa_unbound_values(pa_lowering *lower, MlirType type, MlirValue *out, int *count);

//===-- Builtins ----------------------------------------------------------------------------------===//

typedef struct pa_builtin_call {
  MlirOperation op;
  const pa_builtin *row;
  int count;        // operands
  pa_scalar scalar; // of the first operand
} pa_builtin_call;

typedef void (*pa_builtin_rule)(pa_lowering *lower, const pa_builtin_call *call);
typedef struct pa_builtin_rule_row {
  pa_builtin_lowering rule;
  pa_builtin_rule function;
} pa_builtin_rule_row;
extern const pa_builtin_rule_row pa_math_rules[], pa_complex_rules[], pa_numpy_rules[], pa_reduction_rules[],
    pa_access_rules[], pa_array_rules[], pa_time_rules[], pa_device_rules[], pa_libdevice_rules[], pa_list_rules[],
    pa_list_search_rules[], pa_dict_rules[], pa_instance_rules[], pa_iterate_rules[], pa_text_rules[],
    pa_record_rules[], pa_vector_rules[], pa_native_rules[], pa_buffer_rules[], pa_numpy_loop_rules[], pa_index_rules[],
    pa_view_rules[], pa_random_rules[], pa_device_copy_rules[]; // ending in a null function

static inline MlirValue pa_argument(pa_lowering *lower, const pa_builtin_call *call, int i) {
  return pa_get1(lower, pa_operand(call->op, i));
}
static inline void pa_finish(pa_lowering *lower, const pa_builtin_call *call, MlirValue value) {
  pa_set1(lower, pa_result(call->op), value);
}
static inline void pa_finish_none(pa_lowering *lower, const pa_builtin_call *call) {
  pa_set(lower, pa_result(call->op), NULL, 0);
}
// A Python builtin, unless error_model is "numpy"; one where it is "strict".
bool pa_raises(const pa_lowering *lower, const pa_builtin_call *call);
bool pa_raises_strictly(const pa_lowering *lower, const pa_builtin_call *call);
// Raises where |value| (i64), as an unsigned number, is beyond int64. {0}{1} in |message| stand for it, {2} and {3} for
// up to two |others|.
void pa_raise_large_if(pa_lowering *lower, MlirValue value, const char *exception, const char *message,
                       const MlirValue *others, int count);

//===-- Arrays ------------------------------------------------------------------------------------===//

typedef struct pa_array {
  MlirType type; // level 3
  pa_scalar element;
  int rank;
  MlirValue memref, owner;
} pa_array;

enum { PA_MAX_RANK = 32 };

MlirValue pa_cast_memref(pa_lowering *lower, MlirValue memref, MlirType type);

// What the conversion to llvm makes of an array's memref; and its fields: one, or, with |second|, an item of one.
MlirValue pa_memref_descriptor(pa_lowering *lower, const pa_array *array);
MlirValue pa_memref_field(pa_lowering *lower, MlirValue descriptor, MlirType type, int64_t first, int64_t second);

//===-- Whole operations --------------------------------------------------------------------------===//

// Its operations, without the terminator.
static inline void pa_lower_block(pa_lowering *lower, MlirBlock block) { lower->lower_block(lower, block); }
// The flattened values of the operands from |first| on; the flattened types of the results, and their values
// from |lowered|.
MlirValue *pa_flatten_operands(pa_lowering *lower, MlirOperation op, intptr_t first, int *out_count);
pa_types pa_flat_result_types(pa_lowering *lower, MlirOperation op);
// Gives |value| the next of |*values|, and acquires it.
void pa_set_flat(pa_lowering *lower, MlirValue value, const MlirValue **values);
void pa_set_results(pa_lowering *lower, MlirOperation op, MlirOperation lowered);
MlirAttribute pa_symbol_of(pa_lowering *lower, MlirOperation function);

#endif // PYARRAY_LIB_PASSES_LOWER_INTERNAL_H
