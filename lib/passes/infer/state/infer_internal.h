// The state of an inference, for all files of pyarray-infer-types: instances, what is known of their values, and what
// operations need made. Rooms behind this one have headers of their own.
#ifndef PYARRAY_LIB_PASSES_INFER_INTERNAL_H
#define PYARRAY_LIB_PASSES_INFER_INTERNAL_H

#include "support/map.h"
#include "typing_containers.h"
#include "typing_sites.h"

// What inference knows of one untyped value within one instance.
// What is known of the elements of a tuple beyond its type, and the values that they are, which may be null.
typedef struct pa_known_tuple {
  intptr_t count;
  pa_fact *facts;
  MlirValue *sources;
} pa_known_tuple;

typedef struct pa_value_entry {
  const void *key;
  pa_fact fact;
  MlirValue typed;             // set while the instance is emitted
  const pa_known_tuple *known; // of the item of an unrolled loop; or NULL
} pa_value_entry;

// A function compiled for particular argument types.
typedef struct pa_instance {
  struct pa_instance *next;      // in order of creation
  struct pa_instance *same_hash; // of its function and argument types
  int number;                    // among those of its function
  MlirOperation function;        // untyped
  const char *name;              // "f$0"
  MlirType *arguments;
  MlirAttribute *literals; // of str arguments, which are known at compile time; null for others
  int *sites;              // of containers whose items are not known yet; 0 for others
  uint64_t *signs;
  intptr_t argument_count;
  MlirType declared; // result type asked for, or null
  pa_fact result;    // bottom until known
  bool entry;
  bool in_library;     // of which users are told nothing
  bool yields_nothing; // a generator of which no item is known in the end
  enum { PA_FRESH, PA_OPEN, PA_TENTATIVE, PA_DONE } state;
  int depth;         // on the stack of open instances
  int lowest;        // smallest depth of an open instance that its result depends on
  unsigned round;    // of the last walk
  pa_map calls;      // operation -> the instance that it calls
  pa_map overloaded; // operation -> itself, of those that overloads of the user's are in the place of an error
  pa_map class_plans, call_plans; // operation -> what its last walk planned (infer_kept.c)
  MlirType precompiled;           // the type of its result where it is machine code already, or null
  unsigned searched;              // number of the last search for raises that came here
  const void *searched_within;    // the try that was between then, or NULL
  pa_value_entry *values;         // open addressing, capacity a power of two
  size_t value_count, value_capacity;
  size_t first_capacity; // what another instance of the function took; 0 of the first one
} pa_instance;

typedef struct pa_meeting pa_meeting;

struct pa_inference;
struct pa_resolved_call;
struct pa_elementwise;
struct pa_product;
struct pa_instance_emitter;

// How a room reaches those behind it (docs/rooms.md): of the files that are named.
typedef struct pa_infer_forward {
  // infer_recursion.c
  pa_status (*infer_instance)(struct pa_inference *inference, pa_instance *instance);
  // What a call of a builtin is given becomes what it takes: infer_iterators.c, infer_conversions.c, infer_named.c,
  // infer_memoryview.c
  pa_status (*take_iterators)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                              const pa_builtin *builtin, intptr_t first, bool *out_bottom);
  pa_status (*take_numbers)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                            const pa_builtin *builtin, intptr_t first, bool *out_bottom);
  pa_status (*take_texts)(struct pa_inference *inference, pa_instance *instance, MlirOperation op, const char *builtin,
                          intptr_t first, bool *out_bottom);
  pa_status (*take_buffers)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                            const pa_builtin *builtin, intptr_t skip, bool self, bool *out_bottom);
  const pa_builtin *(*text_builtin)(const pa_builtin *builtin, MlirType type); // infer_exceptions.c
  const char *(*text_function)(const struct pa_inference *inference, const char *builtin, MlirType type);
  bool (*dict_class_has_method)(MlirType type, const char *name); // infer_dict_classes.c
  // infer_ufunc.c, infer_elementwise.c, infer_contract.c, infer_reduce.c
  pa_status (*resolve_ufunc)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                             MlirOperation function, struct pa_resolved_call *out_call);
  pa_status (*plan_elementwise_call)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                                     const pa_builtin *builtin, intptr_t first, struct pa_elementwise **out_plan,
                                     MlirType *out_result, bool *out_bottom);
  pa_status (*plan_product)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                            const pa_builtin *builtin, const MlirValue *arguments, int count,
                            struct pa_product **out_product, MlirType *out_result);
  pa_status (*resolve_reduction)(struct pa_inference *inference, pa_instance *instance, MlirOperation op,
                                 const pa_builtin *builtin, intptr_t first, bool self,
                                 struct pa_resolved_call *out_call, bool *out_is);
  // Items of what is iterated over by position, within bounds: infer_record_emit.c, infer_memoryview.c
  MlirValue (*emit_record_item)(struct pa_instance_emitter *e, MlirValue records, MlirType kind, MlirValue position);
  MlirValue (*emit_memoryview_item)(struct pa_instance_emitter *e, MlirValue array, MlirType view, MlirValue position);
} pa_infer_forward;

typedef struct pa_inference {
  const pa_infer_forward *forward;
  MlirContext context;
  MlirOperation module;
  pa_arena *arena;
  pa_names names;
  pa_instance *first, **last;
  pa_instance *by_hash[1024];
  pa_map latest;     // function -> the last instance of it
  pa_map functions;  // name of a symbol -> the untyped function of the module
  pa_map parameters; // function -> its parameters (infer_parameters.c)
  int instance_count;
  unsigned round;    // of fixpoint iteration
  unsigned changes;  // counts every change of an instance's result
  unsigned searches; // for raises that a handler has in sight
  int depth;
  pa_growths *growths;
  pa_sites *sites;
  pa_signs *signs;
  pa_map overload_names, overloads; // names -> whether there are any, questions -> answers (infer_overload.c)
  pa_instance *current;             // that is walked or emitted
  MlirBlock made_block;             // its arguments are the values that infer_operands.c makes
  pa_map made_of;                   // operation -> those that it needs
  struct pa_made_value *made;       // of the call that is resolved
  size_t made_count, made_capacity;
  MlirValue *given; // its operands, spread
  intptr_t given_count;
  MlirAttribute text_dtype; // of the display that the call under way reads: pa_text_dtype_of_display
  MlirAttribute keywords;   // the names of the last of them, or null
  unsigned epoch;           // of the facts: counts how often they were forgotten
  bool emitting;            // the second phase is at work: facts are final
  bool guesses; // branches that are not taken are walked too, for what they put into containers that nothing else fills
  int rounds;   // loops whose bodies are walked, perhaps not for the last time
  bool guesses_dtypes;  // and arrays of containers that nothing is known to be in have a dtype
  pa_meeting *meetings; // of int64 and uint64 (infer_whole.c)
  size_t meeting_count, meeting_capacity;
  bool made_whole;  // one of them, in this round: another one is due
  MlirType *chosen; // functions that are one of several somewhere: their numbers (infer_choice.c)
  size_t chosen_count, chosen_capacity;
  bool is_entry;                             // the instance that is asked for is what Python calls
  bool offload;                              // an entry's arrays are a GPU's
  bool calls_precompiled, notes_precompiled; // infer_precompiled.c
  bool demanded; // a function has a parameter more whose value is to be known, in this round: another one is due
  int notes, notes_left_out; // of calls, in the message of a failure
} pa_inference;

// infer_precompiled.c. Reads the module's attribute, notes of a new instance whether it is machine code already; its
// key is NULL where it cannot be.
void pa_precompiled_begin(pa_inference *inference);
bool pa_give_up_precompiled(pa_inference *inference); // at the end; true: another inference is due
void pa_look_for_precompiled(pa_inference *inference, pa_instance *instance);
const char *pa_precompiled_key(pa_inference *inference, const pa_instance *instance);

// Kernels that the library has for whole arrays on a GPU are the functions of modules whose names begin so. These call
// no others.
#define PA_KERNEL_MODULE "device.kernels"

// Of the Python library, or made for a call: users are told nothing of it.
static inline bool pa_is_library_function(MlirOperation function) {
  return !mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame"));
}
static inline bool pa_is_int_enum(MlirType type) { return pa_is_tagged(type, "int enum"); }

typedef struct pa_ufunc_call pa_ufunc_call;

// A value that no untyped operation gives: element |element| of the tuple |source|, or the tuple of |parts|.
typedef struct pa_made_value {
  MlirValue value, source;
  int element;
  const MlirValue *parts; // NULL: of |source|
  int count;
  const char *exception, *message; // not NULL: what is in the optional |source|; that exception where it is None
  pa_instance *callee;             // not NULL: what it gives for |source|
  bool is_dict;                    // an empty dict
} pa_made_value;

struct pa_instance_emitter;

struct pa_meeting {
  const void *op;
  intptr_t index; // of a variable of the operation; 0 of an operator
  bool whole;
};

static inline pa_status pa_infer_instance(pa_inference *inference, pa_instance *instance) {
  return inference->forward->infer_instance(inference, instance);
}

// infer_instances.c
const char *pa_instance_name(pa_inference *inference, const pa_instance *instance); // "f$0"
// The instance of |function| for arguments of these types, and of these values where they are str, made if there is
// none.
pa_instance *pa_instance_get(pa_inference *inference, MlirOperation function, const pa_fact *arguments, intptr_t count);
// Whether the value of that parameter must be known when the function is compiled; then each makes an instance.
bool pa_takes_literal(MlirOperation function, intptr_t parameter);
// That |value| be known, which is one of the instance's arguments: from the next round on, callers have to know it, and
// of what Python calls it is told to the dispatcher. False where it cannot be; else what is under way fails.
bool pa_demand_literal(pa_inference *inference, pa_instance *instance, MlirValue value);
pa_value_entry *pa_value_entry_of(pa_inference *inference, pa_instance *instance, MlirValue value);

// infer_state.c
pa_fact pa_fact_get(pa_inference *inference, pa_instance *instance, MlirValue value); // what is known of it
bool pa_has_own_iterator(const pa_inference *inference, MlirType type); // its class says what is iterated over
const char *pa_frozen_name(MlirType frozen);                            // "list"
// What to do where a global container and another do not unify; "" where neither is one.
const char *pa_frozen_hint(pa_inference *inference, MlirType a, MlirType b);
bool pa_is_generator(MlirOperation function);
const char *pa_joined_name(pa_inference *inference, MlirOperation op, intptr_t index); // of the variable, or NULL
pa_status pa_infer_join(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, MlirValue earlier,
                        pa_fact fact, MlirValue from);
// The same of what goes from one walk of its operation to the next: of a loop, a result, a variable, which |place|
// stands for. A sign that it loses stays unknown.
pa_status pa_infer_carry(pa_inference *inference, const void *place, MlirOperation op, intptr_t index, pa_fact *target,
                         MlirValue earlier, pa_fact fact, MlirValue from);
pa_fact pa_infer_without_literal(pa_fact fact);
void pa_infer_set_fact(pa_inference *inference, pa_instance *instance, MlirValue value, pa_fact fact);
// The name of the builtin that |callee| is, or that |op|, a pyarray.apply, calls; empty for all others.
MlirStringRef pa_builtin_called(MlirType callee);
MlirStringRef pa_called_builtin(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_typing pa_typing_at(pa_inference *inference, MlirOperation op);
// The facts of the indices of a getitem or setitem, tuple-valued subscripts spread. |out_spread|: that tuple was
// spread.
const pa_fact *pa_index_facts(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact object,
                              intptr_t *out_count, bool *out_spread, bool *out_bottom);
// Joins |fact| into |target|; |op| and |index| say which variable of which statement, for a message.
pa_status pa_join_into(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, pa_fact fact);
// Whether an operand is not known (bottom); such operations are never reached.
bool pa_has_bottom_operand(pa_inference *inference, pa_instance *instance, MlirOperation op);
// Whether |op|, a getitem, is a slice of a tuple, and of which elements.
pa_status pa_tuple_slice(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                         int64_t *out_start, int64_t *out_step, intptr_t *out_count);
// -1 unknown, else the literal truth of an scf.if condition.
int pa_known_condition(pa_inference *inference, pa_instance *instance, MlirOperation if_op);

// infer_kept.c
// In the first phase, keeps |plan|, which is in arena memory or static, for the second.
void pa_keep_plan(pa_inference *inference, pa_instance *instance, pa_map *plans, MlirOperation op, const void *plan);
// In the second phase, the plan that was kept; NULL where there is none for the facts that the operands have here.
void *pa_plan_before(const pa_map *plans, MlirOperation op); // of an earlier walk, or NULL
const void *pa_kept_plan(pa_inference *inference, pa_instance *instance, const pa_map *plans, MlirOperation op);

// infer_operands.c
// Sets inference->given to the operands of a call: tuples that it spreads are their elements, and what the callee
// captured comes behind it.
pa_status pa_take_operands(pa_inference *inference, pa_instance *instance, MlirOperation op);
bool pa_spreads_mapping(MlirOperation op, intptr_t operand); // f(**operand)
// The site of what a function captures: of the container among it of which nothing is known yet; 0 where there is none,
// or there are several.
int pa_captured_site(pa_inference *inference, pa_instance *instance, const MlirValue *captured, intptr_t count);
MlirValue pa_make_element(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue tuple,
                          int element, pa_fact fact);
MlirValue pa_make_present(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue optional,
                          const char *exception, const char *message);
MlirValue pa_make_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *parts,
                        int count);
MlirValue pa_make_read_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *parts,
                             int count); // for what only reads it
MlirValue pa_make_dict(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact); // an empty one
// The mapping of keyword arguments of these names, strings.
MlirValue pa_make_keywords(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *values,
                           const MlirAttribute *names, int count);
// What the function |symbol|, of the module or the library, gives for |argument|, or without one; the fact is bottom
// where that is not known yet.
pa_status pa_make_call(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *symbol,
                       MlirValue argument, MlirValue *out_value);

// infer_displays.c
// |value|, or, of a display of a list that |at| alone uses, a tuple of its items, also within it.
MlirValue pa_make_displayed(pa_inference *inference, pa_instance *instance, MlirOperation at, MlirValue value);
bool pa_reads_display(MlirStringRef function, intptr_t argument); // whether this builtin only reads it, as a tuple
// The dtype, a callable, of the array of a text, or of a display of texts, that are all known; null of all else.
MlirAttribute pa_text_dtype_of_display(pa_inference *inference, pa_instance *instance, MlirValue value);
// Whether the display |op| of a list is a tuple: its items have types that no list has, and what gets it only reads it.
bool pa_is_read_as_tuple(pa_inference *inference, pa_instance *instance, MlirOperation op);
// The keys of the display |op| of a dict that is a tuple of its values, tagged "display" with these: the values have
// types that no dict has, and are only read by keys that are constants. Null of every other one.
MlirAttribute pa_keys_of_display(pa_inference *inference, pa_instance *instance, MlirOperation op);

// infer_call_sites.c
// Adds to a failure within |callee|, before its hint, where |caller| calls it; of many calls the first and the last.
pa_status pa_add_call_site(pa_inference *inference, pa_status status, pa_instance *callee, const pa_instance *caller,
                           MlirOperation op);

// infer_growth.c
// Failures where |instance| would be one more than |most| nested calls, and what changes from call to
// call; or one of too many in all.
pa_status pa_too_many_instances(const pa_instance *instance, int most);
pa_status pa_too_many_calls(const pa_inference *inference, const pa_instance *instance, int most);
// Fails once a type was too large, at |op| or where it grew.
pa_status pa_check_growth(pa_inference *inference, MlirOperation op);

// infer_literals.c
// The result of a comparison of str literals; bottom where |op| is something else.
pa_status pa_compare_strings(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact *out_result);
// A tuple of literals as the string of its Python literal, with the tuple's type; null where an element is no literal.
MlirAttribute pa_tuple_literal(pa_inference *inference, pa_instance *instance, MlirValue tuple);
// The elements of a tuple value, with their literals where the tuple was built here; in arena memory.
const pa_fact *pa_element_facts(pa_inference *inference, pa_instance *instance, MlirValue tuple, intptr_t *out_count);

// infer_meetings.c
pa_meeting *pa_meeting_numbered(pa_inference *inference, int site);
// The number of the meeting of int64 and uint64 that |fact|, a float64, comes from; 0: none.
int pa_meeting_of(pa_fact fact);
// Whether int64 and uint64 meet in variable |index| of |op|, or did in one of the two facts; |*out_fact| is what they
// give.
bool pa_meet(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact a, pa_fact b, pa_fact *out_fact);

// infer_known.c
bool pa_is_plain_call(MlirOperation op);
bool pa_is_literal_unroll(pa_inference *inference, pa_instance *instance, MlirOperation op); // a call of it
MlirOperation pa_maker_of(MlirValue value);                                                  // null for an argument
pa_known_tuple *pa_make_known(pa_inference *inference, intptr_t count);
// NULL where it was not made here of elements.
const pa_known_tuple *pa_known_elements(pa_inference *inference, pa_instance *instance, MlirValue tuple);
// |fact|, with the literal of that element where it is known.
pa_fact pa_known_element(pa_inference *inference, pa_instance *instance, MlirValue tuple, int64_t position,
                         pa_fact fact);

#endif // PYARRAY_LIB_PASSES_INFER_INTERNAL_H
