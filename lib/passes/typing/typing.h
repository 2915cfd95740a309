// Typing rules: given what is known of the operands, which types does an operation work in, and what results?
// Pure functions of facts; pyarray-infer-types asks them once to learn the result and once more to emit the typed
// operation.
#ifndef PYARRAY_LIB_PASSES_TYPING_H
#define PYARRAY_LIB_PASSES_TYPING_H

#include "ir/builtins.h"
#include "ir/containers.h"
#include "ir/ir.h"

// What is known of a value. No type: nothing yet (bottom), as for an unbound variable or a recursive call whose result
// is not known so far. |literal| is the value itself when it is a compile-time constant, else null.
typedef struct pa_fact {
  MlirType type;
  MlirAttribute literal;
  int site; // of a list, dict or set that was made here or in a callee (typing_sites.c), or of a float64 where int64
            // and uint64 met (infer_whole.c); 0: none, its type is fixed
  uint64_t signs; // of the numbers in it, which are known never to be negative (typing_signs.c); set for signed
                  // integers alone
} pa_fact;

// Of a uint64 that an operator of bits made of an int64 and a uint64 (infer_whole.c).
enum { PA_SITE_OF_BITS = 1 };

typedef struct pa_sites pa_sites;
typedef struct pa_signs pa_signs;
typedef struct pa_growths pa_growths;

typedef struct pa_typing {
  MlirContext context;
  pa_arena *arena;
  MlirLocation location;  // of the operation being typed: where errors point
  pa_sites *sites;        // NULL outside of type inference
  MlirAttribute keywords; // names of the last arguments of a call, or null
  const void *op,
      *instance;        // the operation, and in which instance: what the site of a container that it makes is known by
  MlirOperation module; // which has the classes of instances
  pa_signs *signs;      // NULL outside of type inference
  bool in_library;      // the operation is in a function of the library, of which users are told nothing
  bool guesses;         // in a round in which arrays of containers that nothing is known of have some dtype
  uint32_t weak;        // of a call: a bit for each argument that is a number of Python's, though no literal (NEP 50)
  bool offload;         // the entry's arrays are a GPU's
} pa_typing;

static inline bool pa_is_bottom(pa_fact fact) { return mlirTypeIsNull(fact.type); }
static inline pa_fact pa_fact_of(MlirType type) { return (pa_fact){.type = type}; }
static inline pa_fact pa_fact_known(MlirType type, MlirAttribute literal) {
  return (pa_fact){.type = type, .literal = literal};
}
bool pa_fact_equal(pa_fact a, pa_fact b);
bool pa_literal_int(pa_fact fact, int64_t *out_value); // an int literal that fits
int64_t pa_literal_length(pa_fact fact); // characters of a text that is known, bytes of bytes; -1 for all others
// Type and literal of a pyarray.constant, or of a parameter's default, which may be the type of a callable.
pa_fact pa_literal_fact(MlirContext context, MlirAttribute value);
static inline const char *pa_text_of_type(const pa_typing *typing, MlirType type) {
  return pa_type_text(typing->arena, type);
}
pa_status pa_typing_fail(const pa_typing *typing, pa_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Signs (typing_signs.c)
bool pa_is_natural(
    pa_fact fact); // a whole number that is known never to be negative: by its type, its value or its signs
uint64_t pa_signs_of(pa_fact fact);              // a bit for each number in it, also those that have no sign
int pa_number_count(MlirType type);              // how many bits that are
uint64_t pa_signs_moved(uint64_t signs, int by); // to higher bits
uint64_t pa_signs_of_element(MlirType tuple, uint64_t signs, intptr_t index); // and of those behind it
pa_fact pa_with_signs(pa_fact fact, uint64_t signs);
bool pa_are_mixed(pa_scalar a, pa_scalar b);   // one is uint64, the other a signed integer
bool pa_is_sign_unknown(pa_fact a, pa_fact b); // they are, and the other is not known never to be negative
MlirType pa_join_signed(const pa_typing *typing, pa_fact a, pa_fact b,
                        bool *out_unknown);   // pa_join_types of facts; |*out_unknown|: such meet in it
uint64_t pa_join_signs(pa_fact a, pa_fact b); // of what is either; literals have signs where these are asked for
bool pa_gives_natural(pyarray_binary_kind kind, bool a, bool b); // of operands that are or are not
// sign_notes.c. Integers of unknown sign meet uint64; |what| they give, NULL: something exact.
void pa_note_unknown_sign(const pa_typing *typing, const char *what);
void pa_keep_unknown_sign(const pa_typing *typing,
                          const char *what); // also in rounds to come, where a container knows no more where that was

// Scalars (typing.c)
pa_scalar pa_promote(pa_scalar a, pa_scalar b);    // NumPy's promotion of two dtypes
pa_scalar pa_arithmetic(pa_scalar a, pa_scalar b); // what + - * of two numbers that are no literals give
MlirType pa_join_types(const pa_typing *typing, MlirType a, MlirType b); // null when they do not unify
bool pa_is_of_bits(pa_fact fact);                                        // it has the site PA_SITE_OF_BITS
bool pa_join_bits(MlirContext context, pa_fact a, pa_fact b,
                  pa_fact *out_fact); // whether one is, and the other a whole number: so is what both are
// Of two functions, or what may be one of several: what may be either; null where one is no such value
// (typing_functions.c).
MlirType pa_join_functions(const pa_typing *typing, MlirType a, MlirType b);
bool pa_is_choice(MlirType type);
// The functions that a value of |type| may be; of a function itself, that one.
intptr_t pa_choice_count(MlirType type);
MlirType pa_choice_member(MlirType type, intptr_t i);
bool pa_is_function_value(const pa_typing *typing,
                          MlirType type); // one that has captured nothing, and is no class or dtype
// What |type| is as an item of a container: a function, also in a tuple, is one of several.
MlirType pa_item_of_functions(const pa_typing *typing, MlirType type);
// What every element of a tuple of functions is; null where |tuple| is none.
MlirType pa_function_of_tuple(const pa_typing *typing, MlirType tuple);
bool pa_is_castable(const pa_typing *typing, MlirType from, MlirType to); // numbers also where it costs something
pa_status pa_check_castable(const pa_typing *typing, MlirType from, MlirType to, const char *what);

// Containers (typing_sites.c)
// The fact of the container that the operation makes.
pa_fact pa_container_here(const pa_typing *typing, pa_container kind);
// Of an item or key (0) or a value (1); bottom where nothing has been put in yet.
pa_fact pa_container_item(const pa_typing *typing, pa_fact container, int which);
pa_fact
pa_fact_within(pa_fact fact); // of an optional value: what it is where it is not None, a container with its site
// |value| is put in: as an item or key (0) or a value (1). Fails where its type does not fit.
pa_status pa_container_put(const pa_typing *typing, pa_fact container, int which, pa_fact value);
// |value| is looked for among items or keys. Fails where its type does not fit; a real number may be of another type,
// with which it is compared exactly. |*out_type|: that in which it is handed on.
pa_status pa_check_compared(const pa_typing *typing,
                            pa_fact container); // fails where it holds records, which its comparisons do not know
bool pa_is_hashable(const pa_typing *typing, MlirType type); // as a key of a dict or an item of a set
pa_status pa_container_find(const pa_typing *typing, pa_fact container, pa_fact value, MlirType *out_type);
pa_status pa_join_facts(const pa_typing *typing, pa_fact a, pa_fact b,
                        pa_fact *out);                                        // a null type where they do not unify
MlirType pa_join_containers(const pa_typing *typing, MlirType a, MlirType b); // the same of two types

typedef struct pa_operator {
  MlirType lhs, rhs, result; // types the operands are cast to, and of the result
  MlirAttribute literal;     // of the result, when known
} pa_operator;

const char *pa_binary_symbol(pyarray_binary_kind kind);
pa_status pa_type_binary(const pa_typing *typing, pyarray_binary_kind kind, pa_fact lhs, pa_fact rhs,
                         pa_operator *out_operator);
pa_status pa_type_unary(const pa_typing *typing, pyarray_unary_kind kind, pa_fact operand, pa_operator *out_operator);
bool pa_fold_comparison(pyarray_compare_kind kind, int64_t a, int64_t b);
// Operands keep types of their own where these are int64, uint64 and a float: they are compared exactly.
// Whether no value of one of the types is equal to one of the other, as of a str and a number; false where that is not
// known (typing_equality.c).
bool pa_never_equal(MlirType a, MlirType b);
// Whether a class, a dtype or a function equals another, or what is to be the name of a dtype: -1 where types do not
// say.
int pa_callables_equal(const pa_typing *typing, pa_fact a, pa_fact b);
pa_status pa_type_compare(const pa_typing *typing, pyarray_compare_kind kind, pa_fact lhs, pa_fact rhs,
                          pa_operator *out_operator);
bool pa_has_text(MlirType type); // what str() takes (typing_text.c)
pa_status pa_type_truth(const pa_typing *typing, pa_fact operand, pa_fact *out_result);

// Datetimes and timedeltas (typing_datetime.c), as NumPy has them. |*out_fits| is set where the operator has such
// operands.
MlirType pa_join_times(const pa_typing *typing, MlirType a, MlirType b); // null when they do not unify
bool pa_is_time_castable(MlirType from, MlirType to);
bool pa_can_cast_time(MlirType from, MlirType to); // NumPy's casting rule "safe"
pa_status pa_type_time_binary(const pa_typing *typing, pyarray_binary_kind kind, MlirType lhs, MlirType rhs,
                              pa_operator *out_operator, bool *out_fits);
pa_status pa_type_time_compare(const pa_typing *typing, pyarray_compare_kind kind, MlirType lhs, MlirType rhs,
                               pa_operator *out_operator, bool *out_fits);

// Arrays and tuples (typing_array.c). |indices| have had tuple-valued subscripts spread.
pa_status pa_type_getitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                          pa_fact *out_result);
pa_status pa_need_writable(const pa_typing *typing, MlirType array); // an array, records or a record
// |out_value|: what the stored value is cast to.
pa_status pa_type_setitem(const pa_typing *typing, pa_fact object, const pa_fact *indices, intptr_t count,
                          pa_fact value, MlirType *out_value);
pa_status pa_type_getattr(const pa_typing *typing, pa_fact object, const char *name, pa_fact *out_result);
pa_status pa_type_unpack(const pa_typing *typing, pa_fact operand, intptr_t count, pa_fact *out_results);
pa_status pa_type_item(const pa_typing *typing, pa_fact iterable, pa_fact *out_item);
// Whether its items differ in type, so that loops over it are unrolled (typing_iterate.c); how many it has, or -1 where
// that is not known; and the type of one.
bool pa_is_mixed(MlirType type);
intptr_t pa_mixed_length(MlirType type);
MlirType pa_mixed_item(const pa_typing *typing, MlirType type, intptr_t number);
pa_status pa_type_tagged_item(const pa_typing *typing, pa_fact iterable, pa_fact *out_item); // typing_iterate.c
MlirType pa_index_type(const pa_typing *typing, MlirType index); // what an integer index is cast to; null if it is none

bool pa_is_numpy_method(
    const char *name); // of NumPy's arrays; none that is compiled needs to be asked for (typing_numpy.c)

// dtypes (typing_dtype.c): the type of the elements, a record's for items that are bytes; false where |fact| names no
// dtype.
bool pa_dtype_of(const pa_typing *typing, pa_fact fact, MlirType *out_type);
pa_fact pa_dtype_fact(const pa_typing *typing, MlirType element); // as a value
// Attributes of dtypes and of what np.finfo and np.iinfo give, and those of scalars beside real and imag; false where
// there is none.
bool pa_dtype_attribute(const pa_typing *typing, pa_fact object, const char *name, pa_fact *out);
bool pa_scalar_attribute(const pa_typing *typing, MlirType type, const char *name, pa_fact *out);

// Native functions (typing_native.c): the plan of a call; |arguments| begin with the function. Attributes of a.ctypes.
pa_fact pa_array_ctypes(const pa_typing *typing, MlirType array);
bool pa_ctypes_attribute(const pa_typing *typing, MlirType type, const char *name, pa_fact *out);

// Calls of builtins (typing_builtins.c). The plan says which typed operation a call becomes.
typedef struct pa_source {
  int argument;           // index of the argument, or -1: |constant|
  int element;            // element of that tuple argument, or -1: the whole
  MlirAttribute constant; // an int, float or bool literal
} pa_source;

typedef struct pa_call_plan {
  enum {
    PA_PLAN_BUILTIN,
    PA_PLAN_CAST,
    PA_PLAN_LITERAL,
    PA_PLAN_TUPLE,    // of the operands
    PA_PLAN_BROADCAST // pyarray.broadcast_to of them
  } kind;
  const pa_builtin *builtin; // the operation's name (BUILTIN)
  pa_source *sources;        // operands
  MlirType *operands;        // types the operands are cast to
  int operand_count;
  MlirType result;
  MlirType computed;     // of the operation's result, which is then cast to |result|; null: |result|
  MlirAttribute literal; // the value (LITERAL), or null
  int site;              // of the result
  uint64_t signs;        // of the result, as far as they follow from facts of parts
  MlirAttribute callee;  // of an intrinsic; null for all others
} pa_call_plan;

// |arguments| are in parameter order; a null type marks one that was left out.
pa_status pa_type_builtin(const pa_typing *typing, const pa_builtin *builtin, const pa_fact *arguments, int count,
                          pa_call_plan *out_plan);

// Fails where a function for a GPU (|device|) calls what a GPU has not, or another one a device operation
// (typing_device.c).
pa_status pa_check_target(const pa_typing *typing, const pa_builtin *builtin, bool device);

#endif // PYARRAY_LIB_PASSES_TYPING_H
