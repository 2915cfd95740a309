// What the files of pyarray-lower share: lower.c (driver, control flow), lower_context.c (types, values, helpers),
// lower_errors.c (raise sites, runtime calls, owner slots), lower_scalar.c, lower_half.c and lower_compare.c (numbers),
// lower_builtins.c, lower_math.c, lower_complex.c, lower_numpy.c and lower_reduce.c (builtins), lower_array.c
// (attributes), lower_subscript.c (elements, views), lower_memory.c (new arrays, copies), lower_pointer.c (C pointers),
// lower_sequence.c (tuples, items), lower_iterate.c (loops), lower_recursion.c (the stack guard), lower_ufunc.c,
// lower_generic.c, lower_carried.c, lower_overlap.c and lower_broadcast.c (ufuncs).
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
  pa_map sites;            // raise site attribute -> its number + 1
  pa_map declared;         // symbols that the module has
  pa_map runtime_rows;     // address of a name -> its row of runtime.def
  pa_map recursive;        // symbols of recursive functions
  pa_map remaking;         // symbols of generators whose code makes another of the same function
  pa_map literals;         // text -> symbol of its variable
  int literal_count;
  MlirAttribute *site_list;
  size_t site_count, site_capacity;
  // Of the function being lowered:
  pa_map values;                       // level-3 value -> pa_values
  pa_map slots;                        // owned level-3 value -> pa_values, its owner slots
  pa_map tables;                       // tuple -> its pa_table in the entry block
  pa_map constants;                    // attribute -> value in the entry block
  struct pa_moved_value *moved_values; // since the function began, the latest first
  pa_map moved;                        // pyarray.release operations whose reference was handed on
  MlirBlock entry;
  MlirOperation last_entry; // constants and slots follow it at the top of the entry block
  MlirValue complex_result; // where runtime functions store a complex number, or null
  MlirValue stack_limit;    // of a recursive function, else null
  bool boundscheck, python_errors, parallel;
  bool fixed_cores;     // in the body of a ufunc whose core dimensions are constants: LLVM unrolls its loops completely
  bool device;          // for a GPU: arrays are borrowed, nothing is allocated
  MlirOperation spread; // the loop over prange that is being lowered for several threads, or null
  int private_copies;   // functions that stand for copies of arrays, in the module
  const pa_try_scope *try;             // the innermost, or NULL
  int handlers;                        // around the current place, in this function
  bool has_cause;                      // a pyarray.cause was lowered, and its raise was not yet
  const struct pa_plain_raises *plain; // the copy of a handler for these is being lowered; or NULL
  int64_t tries;                       // in the module
  pa_op_list caught;                   // declarations of functions that decide whether a site's exception is caught
  MlirAttribute fastmath;              // null, or the flags of float operations
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
  uint64_t handles; // bit i: value i is a handle, whose reference the error takes over
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
MlirValue pa_error_site(pa_lowering *lower, const pa_raised_error *error);
MlirValue pa_put_on_stack(pa_lowering *lower, const MlirValue *values, int count);
// Passes the error through the callers that the code at |location| was inlined into, up to the handler.
void pa_propagate_out(pa_lowering *lower, MlirLocation location);
// The location one call further out; null where there is none.
MlirLocation pa_caller_of(MlirLocation location);
// No argument where |message| is empty.
void pa_raise_if(pa_lowering *lower, MlirValue condition, const char *exception, const char *message);
// The number (i32) of a site at the current place, for a later pass that raises there; frames it was inlined into are
// left out.
MlirAttribute pa_site(pa_lowering *lower, const char *exception, const char *message);
// |message| names the i64 values as {0}, {1}, {2}.
// With one computed argument, a number, text, or a tuple of these.
void pa_raise_value_if(pa_lowering *lower, MlirValue condition, const char *exception, MlirValue value);
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
pa_values pa_take(pa_lowering *lower, MlirValue value);    // the value, its owners out of their slots
void pa_retain_value(pa_lowering *lower, MlirValue value); // all owners in a level-3 value
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

//===-- Exceptions (lower_try.c) ------------------------------------------------------------------===//

void pa_lower_try(pa_lowering *lower, MlirOperation op);
void pa_lower_caught(pa_lowering *lower, MlirOperation op);
void pa_lower_exception(pa_lowering *lower, MlirOperation op);
void pa_lower_reraise(pa_lowering *lower, MlirOperation op);
void pa_lower_raise(pa_lowering *lower, MlirOperation op);
void pa_lower_cause(pa_lowering *lower, MlirOperation op);
void pa_lower_variable(pa_lowering *lower, MlirOperation op);
void pa_lower_load(pa_lowering *lower, MlirOperation op);
void pa_lower_store(pa_lowering *lower, MlirOperation op);
void pa_release_variable(pa_lowering *lower, MlirValue variable);
void pa_lower_breakable(pa_lowering *lower, MlirOperation op);
void pa_lower_break(pa_lowering *lower, MlirOperation op);
// |body| in a try; |lower_handler| lowers what is done where it raises.
void pa_lower_guarded(pa_lowering *lower, MlirBlock body, void (*lower_handler)(pa_lowering *lower));
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
// The bodies of the functions that pa_lower_caught has declared: at the end, when all sites are known.
void pa_define_caught(pa_lowering *lower);

//===-- Numbers (lower_scalar.c) ------------------------------------------------------------------===//

MlirValue pa_cast_scalar(pa_lowering *lower, MlirValue value, pa_scalar from, pa_scalar to);
pa_values pa_cast_values(pa_lowering *lower, MlirType from, pa_values values,
                         MlirType to); // fails where no conversion is
MlirValue pa_truth(pa_lowering *lower, MlirValue value, pa_scalar scalar);
// |lhs| and |rhs| are level-3 values.
MlirValue pa_binary_scalar(pa_lowering *lower, pyarray_binary_kind kind, MlirValue lhs, MlirValue rhs);
void pa_divmod(pa_lowering *lower, MlirValue lhs, MlirValue rhs, MlirValue *out_quotient, MlirValue *out_remainder);
MlirValue pa_divide(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar);          // without checks
MlirValue pa_divide_as_numpy(pa_lowering *lower, MlirValue a, MlirValue b, pa_scalar scalar); // to the bit
MlirValue pa_compare_scalar(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b, pa_scalar scalar);
// By the exact values of numbers of any types (lower_compare.c).
MlirValue pa_compare_numbers(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, pa_scalar a_scalar,
                             MlirValue b, pa_scalar b_scalar);
// As NumPy has it: complex numbers are ordered by their real parts, then by the imaginary ones. |lhs| and |rhs| are
// level-3 values.
MlirValue pa_compare_in_order(pa_lowering *lower, pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs);
MlirValue pa_not_finite(pa_lowering *lower, MlirValue x); // infinite or NaN
MlirValue pa_is_infinite(pa_lowering *lower, MlirValue x);
MlirValue pa_became_infinite(pa_lowering *lower, MlirValue result, MlirValue x); // |result| is, |x| is not
MlirValue pa_negated(pa_lowering *lower, MlirValue a, pa_scalar scalar);
MlirValue pa_real_part(pa_lowering *lower, MlirValue z);
MlirValue pa_imag_part(pa_lowering *lower, MlirValue z);
MlirValue pa_complex(pa_lowering *lower, MlirValue real, MlirValue imag);
void pa_lower_binary(pa_lowering *lower, MlirOperation op);
void pa_lower_unary(pa_lowering *lower, MlirOperation op);
void pa_lower_compare(pa_lowering *lower, MlirOperation op);
void pa_lower_truth(pa_lowering *lower, MlirOperation op);
void pa_lower_cast(pa_lowering *lower, MlirOperation op);

//===-- Constants (lower_constants.c) -------------------------------------------------------------===//

void pa_lower_constant(pa_lowering *lower, MlirOperation op);
void pa_lower_unbound(pa_lowering *lower, MlirOperation op);
// Values that are never read, whose owners are 0; |*count| counts them.
void pa_unbound_values(pa_lowering *lower, MlirType type, MlirValue *out, int *count);

//===-- float16 (lower_half.c) --------------------------------------------------------------------===//

MlirValue pa_to_half(pa_lowering *lower, MlirValue value,
                     pa_scalar from); // a real number, rounded once, to the nearest
MlirValue pa_to_bfloat(pa_lowering *lower, MlirValue value, pa_scalar from);
// As pa_call_libm; of float16 there is nextafter too.
MlirValue pa_call_math(pa_lowering *lower, const char *name, MlirType result, const MlirValue *operands, int count);
MlirValue pa_half_spacing(pa_lowering *lower, MlirValue x);

//===-- Powers (lower_power.c) --------------------------------------------------------------------===//

MlirValue pa_power(pa_lowering *lower, MlirValue lhs, MlirValue rhs);
// The complex result of pyarray_rt_complex_<name>(z..., out), in the type of |z[0]|; |*out_status| if not NULL.
MlirValue pa_call_complex(pa_lowering *lower, const char *name, const MlirValue *z, int count, MlirValue *out_status);

//===-- Builtins (lower_builtins.c, lower_math.c) -------------------------------------------------===//

typedef struct pa_builtin_call {
  MlirOperation op;
  const pa_builtin *row;
  int count;        // operands
  pa_scalar scalar; // of the first operand
} pa_builtin_call;

typedef void (*pa_builtin_rule)(pa_lowering *lower, const pa_builtin_call *call);
typedef struct pa_builtin_rule_row {
  const char *name;
  pa_builtin_rule rule;
} pa_builtin_rule_row;
extern const pa_builtin_rule_row pa_math_rules[], pa_complex_rules[], pa_numpy_rules[], pa_reduction_rules[],
    pa_access_rules[], pa_array_rules[], pa_time_rules[], pa_device_rules[], pa_libdevice_rules[], pa_list_rules[],
    pa_dict_rules[], pa_instance_rules[], pa_iterate_rules[], pa_text_rules[], pa_record_rules[], pa_vector_rules[],
    pa_native_rules[], pa_buffer_rules[], pa_numpy_loop_rules[], pa_view_rules[]; // ending in a null name

static inline MlirValue pa_argument(pa_lowering *lower, const pa_builtin_call *call, int i) {
  return pa_get1(lower, pa_operand(call->op, i));
}
static inline void pa_finish(pa_lowering *lower, const pa_builtin_call *call, MlirValue value) {
  pa_set1(lower, pa_result(call->op), value);
}
bool pa_raises(const pa_lowering *lower, const pa_builtin_call *call); // a Python builtin under error_model "python"
// Raises where |value| (i64), as an unsigned number, is beyond int64. {0}{1} in |message| stand for it, {2} for
// |other|.
void pa_raise_large_if(pa_lowering *lower, MlirValue value, const char *exception, const char *message,
                       MlirValue other);
// Raises what the row says of a result (of several parts, where it is complex) that came of these arguments.
void pa_check_result(pa_lowering *lower, const pa_builtin_call *call, const MlirValue *results, int result_count,
                     const MlirValue *arguments, int count);
// A call of a function of the runtime with complex arguments, named as the row's target is: "math.exp" or "asinh".
void pa_lower_complex_function(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_reciprocal(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_sign(pa_lowering *lower, const pa_builtin_call *call);
void pa_lower_complex_extreme(pa_lowering *lower, const pa_builtin_call *call); // np.maximum and the like
void pa_lower_builtin(pa_lowering *lower, MlirOperation op);

//===-- Recursion (lower_recursion.c) -------------------------------------------------------------===//

void pa_find_recursive(pa_lowering *lower, const MlirOperation *functions, size_t count); // fills lower->recursive
MlirAttribute pa_symbol_of(pa_lowering *lower, MlirOperation function);
bool pa_is_recursive(const pa_lowering *lower, MlirAttribute symbol);
bool pa_remakes_itself(const pa_lowering *lower, MlirAttribute symbol);    // of a generator
MlirAttribute pa_guarded_symbol(pa_lowering *lower, MlirAttribute symbol); // of its second, guarded function
// True where a call comes from a recursive function and may come back to it.
bool pa_passes_stack_limit(const pa_lowering *lower, MlirAttribute callee);
void pa_guard_stack(pa_lowering *lower, MlirValue limit); // raises RecursionError here, and sets lower->stack_limit
// The body of a function of type |type| that only calls the guarded one.
MlirRegion pa_call_guarded(pa_lowering *lower, MlirAttribute symbol, const pa_types *inputs, MlirType type);

//===-- Arrays (lower_array.c, lower_subscript.c, lower_memory.c) ---------------------------------===//

typedef struct pa_array {
  MlirType type; // level 3
  pa_scalar element;
  int rank;
  MlirValue memref, owner;
} pa_array;

// Operand |i| of a builtin is a record, an array of bytes of known extent; false after a failure. The pointer |bytes|
// behind its first byte.
bool pa_record_operand(pa_lowering *lower, const pa_builtin_call *call, int i, pa_array *out_record);
MlirValue pa_record_pointer(pa_lowering *lower, const pa_array *record, int64_t bytes);
// A pointer that LLVM can follow back to the array, which an integer is not (lower_device.c).
MlirValue pa_element_address(pa_lowering *lower, const pa_array *array, const MlirValue *positions);

enum { PA_MAX_RANK = 32 };

pa_array pa_array_of(pa_lowering *lower, MlirValue value);
MlirValue pa_extent(pa_lowering *lower, const pa_array *array, int axis);               // i64
MlirValue pa_load(pa_lowering *lower, const pa_array *array, const MlirValue *indices); // index type
void pa_store(pa_lowering *lower, const pa_array *array, const MlirValue *indices, MlirValue value);
// The position (i64) that the level-3 index means on |axis|; raises where it is out of bounds and checks are on.
MlirValue pa_position(pa_lowering *lower, const pa_array *array, int axis, MlirValue index);
MlirValue pa_cast_memref(pa_lowering *lower, MlirValue memref, MlirType type);
// Item |index| (i64, within bounds) of the first axis: an element, or a view of the level-3 type |item|.
void pa_first_axis_item(pa_lowering *lower, const pa_array *array, MlirValue index, MlirType item,
                        MlirValue *out_values);
// |array|[0, ..., 0]: without the first |count| axes; layout A.
pa_array pa_without_first_axes(pa_lowering *lower, const pa_array *array, int count);
// The memref of |count| items of the first axis, from |low| on (i64), of the same type.
MlirValue pa_rows_view(pa_lowering *lower, const pa_array *array, MlirValue low, MlirValue count);
// The view (a memref) of level-3 type |type| that keeps the last axes where the first |count| axes are at |positions|
// (i64). Where |type| has more axes than are left, the last ones at a position are kept with extent 1.
MlirValue pa_core_view(pa_lowering *lower, const pa_array *array, const MlirValue *positions, int count, MlirType type);
void pa_lower_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_getattr(pa_lowering *lower, MlirOperation op);
// Of arrays.
void pa_lower_array_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_array_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_array_attribute(pa_lowering *lower, MlirOperation op, MlirStringRef name);
void pa_lower_frozen_array(pa_lowering *lower, MlirOperation op);
void pa_lower_frozen(pa_lowering *lower, MlirOperation op); // lower_frozen.c
MlirValue pa_module_word(pa_lowering *lower,
                         const char *name); // the address of a word of the module, seen from outside
void pa_lower_slice(pa_lowering *lower, MlirOperation op);

// Where a slice begins and how many elements it takes, as PySlice_AdjustIndices computes it. All i64.
typedef struct pa_slice_extent {
  MlirValue start, count, step;
  bool unit; // the step is known to be 1
} pa_slice_extent;
pa_slice_extent pa_resolve_slice(pa_lowering *lower, MlirValue slice, MlirValue extent);

typedef enum pa_contents { PA_UNINITIALISED, PA_ZEROED } pa_contents;
// A new array of the level-3 type with those extents (i64), which raises where memory is short.
pa_array pa_new_array(pa_lowering *lower, MlirType type, const MlirValue *extents, pa_contents contents);
// The memory at a pointer as a contiguous array; raises for negative extents.
pa_array pa_array_at(pa_lowering *lower, MlirType type, MlirValue pointer, const MlirValue *extents, MlirValue owner);
// memref.extract_strided_metadata: base, offset, sizes, strides (index type). Null after a failure.
MlirOperation pa_strided_metadata(pa_lowering *lower, const pa_array *array);
// The addresses (i64) between which the elements of an array lie that is not empty.
void pa_address_range(pa_lowering *lower, const pa_array *array, const MlirValue *extents, MlirValue *out_low,
                      MlirValue *out_high);
void pa_fill(pa_lowering *lower, const pa_array *array, MlirValue value); // of the element's type
// Elements of one shape and type, one by one.
void pa_copy_elements(pa_lowering *lower, const pa_array *target, const pa_array *source);
// The memory at an address (i64), with extents and strides in elements (i64), as the level-4 type of |type|.
MlirValue pa_memory_at(pa_lowering *lower, MlirType type, MlirValue address, const MlirValue *sizes,
                       const MlirValue *strides);
// Broadcasts |source| into |target|, converting elements; raises where extents do not fit. Overlap is allowed, unless
// |never_overlaps|.
void pa_assign(pa_lowering *lower, const pa_array *target, const pa_array *source, bool never_overlaps);

//===-- Items (lower_items.c) ---------------------------------------------------------------------===//

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

//===-- Lists (lower_list.c) ----------------------------------------------------------------------===//

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
// The position that an index means in a sequence of that |length|; raises IndexError where there is none.
MlirValue pa_sequence_position(pa_lowering *lower, MlirValue length, MlirValue index, const char *message);
// Gives |result| what lies at |pointer|; the reference is the container's, which keeps it, or moves.
void pa_item_from_memory(pa_lowering *lower, MlirValue result, MlirValue pointer, bool moves);
// Puts the value in the place of the item at |pointer|, whose owners go when it is there.
void pa_replace_item(pa_lowering *lower, MlirValue pointer, MlirValue value);
// MemoryError where a handle is 0, or a status (i32) is not.
MlirValue pa_checked_handle(pa_lowering *lower, MlirValue handle);
void pa_check_memory(pa_lowering *lower, MlirValue status);
void pa_check_unpack(pa_lowering *lower, MlirValue length, intptr_t count); // ValueError where they differ
MlirValue pa_compare_objects(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b);

//===-- Dicts and sets (lower_dict.c) -------------------------------------------------------------===//

void pa_lower_dict(pa_lowering *lower, MlirOperation op); // of sets too
void pa_lower_dict_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_dict_setitem(pa_lowering *lower, MlirOperation op);
void pa_lower_dict_delitem(pa_lowering *lower, MlirOperation op);
MlirValue pa_equal_objects(pa_lowering *lower, bool negated, MlirValue a, MlirValue b);

//===-- str and bytes (lower_text.c) --------------------------------------------------------------===//

MlirValue pa_text_literal(pa_lowering *lower, MlirAttribute value, bool bytes); // the handle
MlirValue pa_text_length(pa_lowering *lower, MlirValue text);                   // i64
MlirValue pa_text_truth(pa_lowering *lower, MlirValue text);
// Gives the level-3 |result| item |index| (i64, within bounds).
void pa_text_item_at(pa_lowering *lower, MlirValue result, MlirValue text, MlirValue index);
void pa_lower_text_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_text_unpack(pa_lowering *lower, MlirOperation op);
MlirValue pa_text_equal(pa_lowering *lower, MlirValue a, MlirValue b); // of two handles
MlirValue pa_compare_text(pa_lowering *lower, pyarray_compare_kind kind, MlirValue a, MlirValue b);

//===-- Other shapes (lower_reshape.c) ------------------------------------------------------------===//

void pa_lower_reshape(pa_lowering *lower, const pa_builtin_call *call);
// The extents that operands 1, 2, ... of |call| give |array|, i64, with what -1 stands for; raises where they do not
// make up its size.
void pa_reshape_extents(pa_lowering *lower, const pa_builtin_call *call, const pa_array *array, MlirValue *out_extents);
// |array|, which is in C order, with these extents: a memref of layout C.
MlirValue pa_view_in_order(pa_lowering *lower, const pa_array *array, MlirType type, const MlirValue *extents,
                           int rank);
void pa_lower_map_shared(pa_lowering *lower, const pa_builtin_call *call);
// What the conversion to llvm makes of an array's memref; and its fields: one, or, with |second|, an item of one.
MlirValue pa_memref_descriptor(pa_lowering *lower, const pa_array *array);
MlirValue pa_memref_field(pa_lowering *lower, MlirValue descriptor, MlirType type, int64_t first, int64_t second);

//===-- Records (lower_records.c) -------------------------------------------------------------------===//

void pa_lower_field(pa_lowering *lower, MlirOperation op);

//===-- Instances of classes (lower_instance.c) ----------------------------------------------------===//

void pa_lower_new(pa_lowering *lower, MlirOperation op);
void pa_lower_getfield(pa_lowering *lower, MlirOperation op);
void pa_lower_setattr(pa_lowering *lower, MlirOperation op);
// The values of |value| with references of their own, which may be held longer than the call.
pa_values pa_keep_value(pa_lowering *lower, MlirValue value);

//===-- Generators (lower_generator.c) --------------------------------------------------------------===//

// Where the body of a generator begins: it holds its arguments, and waits until the first item is asked for.
void pa_open_generator(pa_lowering *lower, MlirBlock body, MlirOperation function);
// The rest of the body.
void pa_lower_generator(pa_lowering *lower, MlirBlock body);
void pa_lower_suspend(pa_lowering *lower, MlirOperation op);
void pa_lower_iter_next(pa_lowering *lower, MlirOperation op);
// Runs the generator on; whether there is an item, which lies at |address| (i64) then. Raises what it raised.
MlirValue pa_generator_next(pa_lowering *lower, MlirValue generator, MlirValue address);
// Where the loop |op| hands on the items of a recursive generator: lowers it. False where it is any other loop.
bool pa_lower_delegation(pa_lowering *lower, MlirOperation op);

//===-- C pointers (lower_pointer.c) --------------------------------------------------------------===//

MlirValue pa_address_of(pa_lowering *lower, MlirValue value); // of a C pointer, i64; 0 of anything else
// A number at a pointer, at a multiple of |alignment| bytes.
MlirValue pa_load_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment);
void pa_store_number(pa_lowering *lower, MlirValue pointer, pa_scalar element, int64_t alignment, MlirValue value);
void pa_lower_pointer_getitem(pa_lowering *lower, MlirOperation op);
void pa_lower_pointer_setitem(pa_lowering *lower, MlirOperation op);

//===-- Broadcasting (lower_broadcast.c) ----------------------------------------------------------===//

void pa_lower_contract(pa_lowering *lower, MlirOperation op); // lower_contract.c
void pa_lower_ufunc_shape(pa_lowering *lower, MlirOperation op);
// |array|'s memory with this offset, these sizes and strides (index type); the level-4 type of |type|.
MlirValue pa_view_memory(pa_lowering *lower, const pa_array *array, MlirType type, MlirValue offset,
                         const MlirValue *sizes, const MlirValue *strides);
void pa_lower_broadcast_to(pa_lowering *lower, MlirOperation op);
void pa_lower_insert_axes(pa_lowering *lower, MlirOperation op);
void pa_lower_transpose(pa_lowering *lower, MlirOperation op);
void pa_lower_order_dimensions(pa_lowering *lower, MlirOperation op);

//===-- Ufuncs (lower_ufunc.c, lower_generic.c, lower_overlap.c) ------------------------------------===//

MlirValue pa_stride_of(pa_lowering *lower, const pa_array *array, int axis); // index type, in elements
void pa_lower_ufunc(pa_lowering *lower, MlirOperation op);
void pa_lower_reduce(pa_lowering *lower, MlirOperation op); // lower_fold.c
void pa_lower_independent(pa_lowering *lower, MlirOperation op);
void pa_lower_inner_strides(pa_lowering *lower, MlirOperation op);

//===-- Tuples and items (lower_sequence.c), loops (lower_iterate.c) ------------------------------===//

// Where element |index| of a tuple lies among its flattened values.
int pa_tuple_offset(pa_lowering *lower, MlirType tuple, intptr_t index);
void pa_set_tuple_element(pa_lowering *lower, MlirValue result, MlirValue tuple, intptr_t index);
void pa_lower_tuple_item(pa_lowering *lower, MlirOperation op); // getitem of a tuple
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
void pa_lower_unpack(pa_lowering *lower, MlirOperation op);
void pa_lower_for(pa_lowering *lower, MlirOperation op);
void pa_lower_private(pa_lowering *lower, MlirOperation op);
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
// Its operations, without the terminator.
static inline void pa_lower_block(pa_lowering *lower, MlirBlock block) { lower->lower_block(lower, block); }
// lower.c: the flattened values of the operands from |first| on; the flattened types of the results, and their values
// from |lowered|.
MlirValue *pa_flatten_operands(pa_lowering *lower, MlirOperation op, intptr_t first, int *out_count);
pa_types pa_flat_result_types(pa_lowering *lower, MlirOperation op);
// Gives |value| the next of |*values|, and acquires it.
void pa_set_flat(pa_lowering *lower, MlirValue value, const MlirValue **values);
void pa_set_results(pa_lowering *lower, MlirOperation op, MlirOperation lowered);

#endif // PYARRAY_LIB_PASSES_LOWER_INTERNAL_H
