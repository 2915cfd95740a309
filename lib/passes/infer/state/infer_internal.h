// What the files of pyarray-infer-types share: infer_types.c (driver, instances), infer_facts.c (abstract
// interpretation, with infer_flow_facts.c, infer_calls.c, infer_ufunc.c, infer_ufunc_arguments.c and infer_literals.c)
// and infer_emit.c (typed operations, with infer_emit_operators.c, infer_ufunc_emit.c and infer_erase.c).
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
  unsigned searched;              // number of the last search for raises that came here
  const void *searched_within;    // the try that was between then, or NULL
  pa_value_entry *values;         // open addressing, capacity a power of two
  size_t value_count, value_capacity;
  size_t first_capacity; // what another instance of the function took; 0 of the first one
} pa_instance;

typedef struct pa_overload pa_overload;
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
  pa_map latest;    // function -> the last instance of it
  pa_map functions; // name of a symbol -> the untyped function of the module
  int instance_count;
  unsigned round;    // of fixpoint iteration
  unsigned changes;  // counts every change of an instance's result
  unsigned searches; // for raises that a handler has in sight
  int depth;
  pa_growths *growths;
  pa_sites *sites;
  pa_signs *signs;
  pa_overload *overloads;     // that were asked for
  pa_instance *current;       // that is walked or emitted
  MlirBlock made_block;       // its arguments are the values that infer_operands.c makes
  pa_map made_of;             // operation -> those that it needs
  struct pa_made_value *made; // of the call that is resolved
  size_t made_count, made_capacity;
  MlirValue *given; // its operands, spread
  intptr_t given_count;
  MlirAttribute keywords; // the names of the last of them, or null
  unsigned epoch;         // of the facts: counts how often they were forgotten
  bool emitting;          // the second phase is at work: facts are final
  bool guesses; // branches that are not taken are walked too, for what they put into containers that nothing else fills
  pa_meeting *meetings; // of int64 and uint64 (infer_whole.c)
  size_t meeting_count, meeting_capacity;
  bool made_whole;  // one of them, in this round: another one is due
  MlirType *chosen; // functions that are one of several somewhere: their numbers (infer_choice.c)
  size_t chosen_count, chosen_capacity;
  bool is_entry; // the instance that is asked for is what Python calls
  bool demanded; // a function has a parameter more whose value is to be known, in this round: another one is due
  int notes, notes_left_out; // of calls, in the message of a failure
} pa_inference;

// Of the Python library, or made for a call: users are told nothing of it.
static inline bool pa_is_library_function(MlirOperation function) {
  return !mlirAttributeIsNull(pa_get_attr(function, "pyarray.no_frame"));
}

// infer_instances.c
// The instance of |function| for arguments of these types, and of these values where they are str, made if there is
// none.
pa_instance *pa_instance_get(pa_inference *inference, MlirOperation function, const pa_fact *arguments, intptr_t count);
// Whether the value of that parameter must be known when the function is compiled; then each makes an instance.
bool pa_takes_literal(MlirOperation function, intptr_t parameter);
// That |value| be known, which is one of the instance's arguments: from the next round on, callers have to know it, and
// of what Python calls it is told to the dispatcher. False where it cannot be; else what is under way fails.
bool pa_demand_literal(pa_inference *inference, pa_instance *instance, MlirValue value);
pa_value_entry *pa_value_entry_of(pa_inference *inference, pa_instance *instance, MlirValue value);

pa_fact pa_fact_get(pa_inference *inference, pa_instance *instance, MlirValue value); // what is known of it

typedef struct pa_ufunc_call pa_ufunc_call;

// infer_kept.c
// In the first phase, keeps |plan|, which is in arena memory or static, for the second.
void pa_keep_plan(pa_inference *inference, pa_instance *instance, pa_map *plans, MlirOperation op, const void *plan);
// In the second phase, the plan that was kept; NULL where there is none for the facts that the operands have here.
const void *pa_kept_plan(pa_inference *inference, pa_instance *instance, const pa_map *plans, MlirOperation op);

// infer_operands.c
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
// infer_displays.c. |value|, or, of a display of a list that |at| alone uses, a tuple of its items, also within it.
MlirValue pa_make_displayed(pa_inference *inference, pa_instance *instance, MlirOperation at, MlirValue value);
MlirValue pa_make_dict(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact fact); // an empty one
// The mapping of keyword arguments of these names, strings.
MlirValue pa_make_keywords(pa_inference *inference, pa_instance *instance, MlirOperation op, const MlirValue *values,
                           const MlirAttribute *names, int count);
// What the function |symbol|, of the module or the library, gives for |argument|, or without one; the fact is bottom
// where that is not known yet.
pa_status pa_make_call(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *symbol,
                       MlirValue argument, MlirValue *out_value);

// infer_calls.c
// What a call becomes; asked by both phases, with the same answer once facts are final.
typedef struct pa_resolved_call {
  pa_instance *instance; // of a compiled function, or NULL: |plan|
  pa_call_plan plan;
  const MlirValue *arguments; // untyped values in parameter order; null: |constants|
  const MlirAttribute *constants;
  int count;
  bool bottom;                      // an argument is not known yet
  const struct pa_made_value *made; // what is to be made for it first
  size_t made_count;
  bool typed;                 // it makes a container of pyarray.typed
  pa_ufunc_call *ufunc;       // of a ufunc, whose kernel |instance| is, or NULL; |arguments| are inputs and outputs
  struct pa_product *product; // of matrices and vectors, or NULL (infer_contract.h)
  struct pa_elementwise *elementwise; // of one of NumPy's functions with arrays, or NULL (infer_elementwise.h)
  struct pa_reduction *reduction;     // of a reduction of an array, or NULL (infer_reduce.h)
  struct pa_array_view *view;         // of one that gives a view, or NULL (infer_array_views.h)
} pa_resolved_call;
// The same of an attribute that a user's function computes: |instance| is NULL where there is none.
pa_status pa_resolve_attribute(pa_inference *inference, pa_instance *instance, MlirOperation op,
                               pa_resolved_call *out_call);
// The builtin methods that Python's class |type| has begin with this, "str"; NULL where it is no such class.
const char *pa_class_family(pa_inference *inference, MlirType type, const char *method);
// What the names of methods of values of |type| begin with; NULL where they have none.
const char *pa_method_family(MlirType type);
// The builtin method |name| of values of |type|, or NULL. |*out_family| is as above.
const pa_builtin *pa_method_of_type(pa_inference *inference, MlirType type, const char *name, const char **out_family);
bool pa_has_plain_item(MlirType type); // named tuples and others have the methods of what is tagged
// Whether values of |type| have that method: a builtin, or of their class.
bool pa_has_method(pa_inference *inference, MlirType type, const char *name);
// Whether values of operand 0's type have the method that |op|, a getattr, names: a builtin, of its class, or an
// overload.
pa_status pa_find_method(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_has);
pa_status pa_resolve_call(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_resolved_call *out_call);
// The same where |op| is a pyarray.binary that extends its left operand; |*out_is|: it is one.
pa_status pa_resolve_extension(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                               pa_resolved_call *out_call);
// The call of the function |symbol| with inference->given, the last of which the keywords of |op| name.
pa_status pa_resolve_function(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirStringRef symbol,
                              pa_resolved_call *out_call);
// Adds to a failure within |callee|, before its hint, where |caller| calls it; of many calls the first and the last.
pa_status pa_add_call_site(pa_inference *inference, pa_status status, pa_instance *callee, const pa_instance *caller,
                           MlirOperation op);

// infer_classes.c
// What an operation on an instance of a class, or on a class, becomes; asked by both phases.
typedef struct pa_class_plan {
  enum {
    PA_CLASS_NOTHING,       // it is no such operation
    PA_CLASS_CALL,          // of a function: |call|
    PA_CLASS_CONSTANT,      // |constant|, of type |result| if that is not null
    PA_CLASS_FIELD,         // |field| of |object|, of type |result|
    PA_CLASS_SET_FIELD,     // the same, set to |value|
    PA_CLASS_ELEMENT,       // element |element| of the tuple |object|
    PA_CLASS_TUPLE,         // of |element| |values|, of type |result|
    PA_CLASS_VALUE,         // |object| itself, as |result|
    PA_CLASS_KEYWORD_NAMES, // of |object|, a mapping of keyword arguments: a tuple
    PA_CLASS_KEYWORD_ITEMS, // the same of pairs
    PA_CLASS_BUILTIN, // |builtin| of |operands|, as |operand_type| if that is not null: of type |result|, or a bool
  } kind;
  pa_resolved_call call;
  MlirAttribute constant, field;
  MlirType result, operand_type;
  MlirValue object, value, operands[2];
  intptr_t element;
  int site; // of |result|
  const MlirValue *values;
  const char *builtin;
  MlirAttribute callee;      // of the builtin; null for most
  bool truth, negated;       // the result is made a bool; its negation is meant
  const pa_made_value *made; // what is to be made first
  size_t made_count;
} pa_class_plan;
typedef struct pa_class_operation {
  pa_inference *inference;
  pa_instance *instance;
  MlirOperation op;
  pa_op_kind kind;
  pa_typing typing;
  pa_class_plan *plan;
} pa_class_operation;
// The operation becomes a call of the function |symbol|, a symbol reference.
pa_status pa_plan_function(pa_class_operation *o, MlirAttribute symbol, const MlirValue *arguments, intptr_t count);
// Whether two instances, or None, are the same; what is neither never is.
pa_status pa_plan_identity(pa_class_operation *o, MlirValue left, MlirValue right, bool negated);
// The types of values, and of operands of the operation; null where they are not known yet.
static inline MlirType pa_value_type(const pa_class_operation *o, MlirValue value) {
  return pa_fact_get(o->inference, o->instance, value).type;
}
static inline MlirValue pa_operand_of(const pa_class_operation *o, intptr_t i) {
  return mlirOperationGetOperand(o->op, i);
}
static inline MlirType pa_operand_type(const pa_class_operation *o, intptr_t i) {
  return pa_value_type(o, pa_operand_of(o, i));
}
// Of an attribute or method.
static inline MlirStringRef pa_name_of(const pa_class_operation *o) {
  return mlirStringAttrGetValue(pa_get_attr(o->op, "name"));
}
// The operands of the call that the operation becomes, as pa_resolve_function takes them.
void pa_give(pa_inference *inference, const MlirValue *values, intptr_t count);
pa_status pa_plan_of_class(pa_class_operation *o); // infer_classes.c
pa_status pa_plan_class_operation(pa_inference *inference, pa_instance *instance, MlirOperation op,
                                  pa_class_plan *out_plan);
// |call_result|: that of the function, bottom where it is not known yet.
pa_fact pa_class_operation_result(pa_inference *inference, const pa_class_plan *plan, pa_fact call_result);

// infer_records.c
// An operation on a record, or an array of such; |*out_done|: it was one.
pa_status pa_walk_record_operation(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_done);

pa_status pa_plan_record_operation(pa_class_operation *o); // infer_record_values.c
pa_status pa_plan_vector_operation(pa_class_operation *o);
// infer_dict_classes.c: Counter and defaultdict
pa_status pa_plan_dict_class_operation(pa_class_operation *o);
bool pa_dict_class_has_method(MlirType type, const char *name); // of its own
pa_status pa_plan_range_operation(pa_class_operation *o);       // infer_ranges.c
pa_status pa_plan_bytearray_operation(pa_class_operation *o);   // infer_bytearray.c
// infer_memoryview.c
pa_status pa_plan_memoryview_operation(pa_class_operation *o);
// The array that operand |i|, a memoryview, shows, where the operation takes that instead; null where it does not.
MlirType pa_memoryview_as_array(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                                intptr_t i);
bool pa_joins_buffers(const pa_typing *typing,
                      pa_fact parts); // whether bytes.join() is given what is no bytes but has them
// A method of bytes gets bytes for memoryviews, and for a number that it looks for.
pa_status pa_take_buffers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t skip, bool self, bool *out_bottom);
pa_status pa_plan_equality(pa_class_operation *o); // infer_equality.c
// infer_conversions.c
pa_status pa_plan_index(pa_class_operation *o); // a subscript by an instance
// Instances among inference->given, from |first| on, become the numbers that |builtin| needs.
pa_status pa_take_numbers(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                          intptr_t first, bool *out_bottom);
pa_status pa_plan_mixed_operation(pa_class_operation *o); // infer_mixed.c
pa_status pa_plan_view_operation(pa_class_operation *o);  // infer_views.c
pa_status pa_plan_array_attribute(pa_class_operation *o); // infer_array_attributes.c
// infer_iterators.c
bool pa_has_own_iterator(const pa_inference *inference, MlirType type); // its class says what is iterated over
// Where that is so, |*value| becomes the generator of its items; the fact is bottom where that is not known yet.
pa_status pa_make_iterator(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue *value);
pa_status pa_plan_iterator(pa_class_operation *o);  // of a pyarray.iterator
pa_status pa_plan_iteration(pa_class_operation *o); // of a call of a builtin, of an instance
bool pa_goes_over(const pa_builtin *builtin); // whether it goes over an argument; those of the library do by a loop
// The same of what |builtin| goes over, inference->given from |first| on.
pa_status pa_take_iterators(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t first, bool *out_bottom);
// infer_keywords.c
pa_status pa_plan_keywords_operation(pa_class_operation *o);
pa_status pa_plan_unroll(pa_class_operation *o);    // infer_unroll.c
pa_status pa_plan_set_items(pa_class_operation *o); // infer_set_items.c
// infer_classes.c: the type of an instance, also of one that may be None, else null; and the symbol of a method, null
// where there is none.
MlirType pa_instance_type(MlirType type);
MlirAttribute pa_find_class_method(pa_inference *inference, MlirType type, const char *name);
// infer_class_builtins.c: a builtin whose first argument is an instance, |first| its type: what it calls, null where it
// is none of those that call a method.
pa_status pa_decide_class_builtin(pa_class_operation *o, MlirStringRef name, MlirType first, MlirAttribute *out_method);
// A builtin that is given an instance for which it is overloaded.
pa_status pa_plan_overloaded_call(pa_class_operation *o);
// infer_overloaded.c: an operation as a call of what the user's overloads give for its operator or function, if they
// give something.
pa_status pa_plan_overloaded(pa_class_operation *o, bool *out_found);
// Notes that for |op|, which has failed, so that pa_plan_noted makes it that call; and forgets it.
pa_status pa_note_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_found);
void pa_forget_overloaded(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_plan_noted(pa_class_operation *o);
MlirType pa_keyword_names_type(pa_inference *inference, MlirType mapping);
// infer_frozen.c
pa_status pa_check_frozen(pa_class_operation *o); // fails where the operation changes a global container
const char *pa_frozen_name(MlirType frozen);      // "list"
// What to do where a global container and another do not unify; "" where neither is one.
const char *pa_frozen_hint(pa_inference *inference, MlirType a, MlirType b);
bool pa_reads_frozen(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind, intptr_t i);
// infer_growth.c: failures where |instance| would be one more than |most| nested calls, and what changes from call to
// call; or one of too many in all.
pa_status pa_too_many_instances(const pa_instance *instance, int most);
pa_status pa_too_many_calls(const pa_inference *inference, const pa_instance *instance, int most);
pa_status pa_check_enum_values(const pa_class_operation *o, MlirAttribute description,
                               MlirType type); // infer_enum_values.c

// infer_named.c
pa_status pa_plan_named_operation(pa_class_operation *o); // the same for named tuples and enums
// What operand |i| is taken as, where the operation needs what represents it; null where it does not.
MlirType pa_represented_as(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_op_kind kind,
                           intptr_t i);
MlirType pa_iterated_type(pa_inference *inference, pa_instance *instance, MlirOperation op); // what a loop goes over
MlirType pa_member_type(MlirContext context, MlirAttribute description, MlirStringRef class);
// The function of the library that does what |builtin|, str or repr, does for a value of |type|; NULL where the builtin
// does.
const char *pa_text_function(const pa_inference *inference, const char *builtin, MlirType type);
const pa_builtin *pa_text_builtin(const pa_builtin *builtin,
                                  MlirType type); // |builtin|, or what str() and repr() of an exception are
static inline bool pa_is_int_enum(MlirType type) { return pa_is_tagged(type, "int enum"); }
// Whether text of a value cannot be made of its representation alone; |within|: of an item of a container, or with
// conversions such as %r.
bool pa_has_own_text(const pa_inference *inference, MlirType type, bool within);
// What templates show of such a value; bottom where that is not known yet.
pa_status pa_describe(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirValue value,
                      MlirValue *out_description);
// infer_text.c
pa_status pa_plan_percent_operation(pa_class_operation *o);
bool pa_has_no_items(pa_inference *inference, pa_instance *instance,
                     intptr_t skip); // the first argument is a dict that nothing is put into
// Where |builtin| makes text of its arguments, those from number |first| on that it cannot read become text.
pa_status pa_take_texts(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *builtin,
                        intptr_t first, bool *out_bottom);

// infer_getters.c
// The function that a call of operator.itemgetter, attrgetter or methodcaller gives, with inference->given from |skip|
// on; null where |builtin| is none of them, or the items are not known.
pa_status pa_resolve_getter(pa_inference *inference, pa_instance *instance, MlirOperation op, const pa_builtin *builtin,
                            intptr_t skip, MlirType *out_function);

// An untyped function of the module, as if it were in the library: parameters of these names and kinds, its region.
pa_status pa_add_function(pa_inference *inference, pa_instance *instance, MlirLocation location, const char *symbol,
                          MlirRegion body, int count, const char *const *names, const char *kinds);

// infer_bound.c
pa_status pa_plan_bound_method(
    pa_class_operation *o); // a getattr that names a method of the object, or of the class that the object is
pa_status pa_bind_method(
    pa_class_operation *o); // the same of an object that has no such attribute; no plan where it has no such method
// A special method that Python's own values have, as "operator.getitem" of __getitem__; NULL where |name| is none.
const char *pa_special_function(const char *name);

// infer_library.c
// The function of the Python library that is called: the builtin is one, or its own rule does not do this call. Or
// NULL.
const char *pa_library_variant(pa_inference *inference, pa_instance *instance, const pa_builtin *builtin,
                               intptr_t skip);

// infer_overload.c
// The function that a user has for |name| with the arguments of |op| from operand |first| on; NULL where there is none.
pa_status pa_overload_symbol(pa_inference *inference, pa_instance *instance, MlirOperation op, const char *name,
                             intptr_t first, const char **out_symbol);

// infer_attributes.c
bool pa_class_has_method(pa_inference *inference, MlirType type, MlirStringRef name); // of a user's class
// |op|: a getattr that asks whether there is such an attribute; |walk| finds its type.
pa_status pa_walk_probe(pa_inference *inference, pa_instance *instance, MlirOperation op,
                        pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation));

// infer_ufunc.c
pa_status pa_resolve_ufunc(pa_inference *inference, pa_instance *instance, MlirOperation op, MlirOperation function,
                           pa_resolved_call *out_call);
// The result of the call, once the kernel's is known; bottom before.
pa_status pa_ufunc_result(pa_inference *inference, MlirOperation op, const pa_ufunc_call *call, pa_fact *out_result);
// infer_ufunc_emit.c
// |operands|: typed values of inputs and outputs, null for outputs not given.
MlirValue pa_emit_ufunc(pa_inference *inference, pa_builder *at, const pa_ufunc_call *call, MlirValue *operands);

// infer_literals.c
// The result of a comparison of str literals; bottom where |op| is something else.
pa_status pa_compare_strings(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact *out_result);
// A tuple of literals as the string of its Python literal, with the tuple's type; null where an element is no literal.
MlirAttribute pa_tuple_literal(pa_inference *inference, pa_instance *instance, MlirValue tuple);

// The elements of a tuple value, with their literals where the tuple was built here; in arena memory.
const pa_fact *pa_element_facts(pa_inference *inference, pa_instance *instance, MlirValue tuple, intptr_t *out_count);

// infer_optional.c
// Until they are closed, operands that may be None and that the operation needs as values have the facts of these; with
// an emitter they are taken out, which raises where there is none.
typedef struct pa_open_values {
  pa_value_entry *saved;
  int count;
} pa_open_values;
struct pa_instance_emitter;
void pa_open_optionals(pa_inference *inference, pa_instance *instance, MlirOperation op,
                       struct pa_instance_emitter *emitter, pa_open_values *out_open);
void pa_close_optionals(pa_inference *inference, pa_instance *instance, const pa_open_values *open);
// A truth test, `not`, == or != of what may be None; |*out_done|: it was one.
pa_status pa_walk_optional(pa_inference *inference, pa_instance *instance, MlirOperation op,
                           pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done);
// The value of type |item| in |optional|, after a raise where that is None.
MlirValue pa_emit_not_none(struct pa_instance_emitter *emitter, MlirValue optional, MlirType item,
                           const char *exception, const char *message);
pa_status pa_emit_optional(struct pa_instance_emitter *emitter, MlirOperation op,
                           pa_status (*emit)(struct pa_instance_emitter *, MlirOperation), bool *out_done);
// A comparison of typed values of which one may be None, by ==, != or `is`; |compare| compares values that are there.
typedef pa_status (*pa_compare_values)(struct pa_instance_emitter *, const pa_typing *, pyarray_compare_kind,
                                       MlirValue lhs, MlirValue rhs, MlirValue *out);
pa_status pa_compare_optional_values(struct pa_instance_emitter *emitter, const pa_typing *typing,
                                     pyarray_compare_kind kind, MlirValue lhs, MlirValue rhs, pa_compare_values compare,
                                     MlirValue *out, bool *out_done);

// infer_choice.c
// A call of what may be one of several functions; |*out_done|: it was one.
pa_status pa_walk_choice(pa_inference *inference, pa_instance *instance, MlirOperation op,
                         pa_status (*walk)(pa_inference *, pa_instance *, MlirOperation), bool *out_done);
pa_status pa_emit_choice_call(struct pa_instance_emitter *emitter, MlirOperation op,
                              pa_status (*emit)(struct pa_instance_emitter *, MlirOperation), bool *out_done);
pa_status pa_plan_choice_operation(pa_class_operation *o); // a comparison of two functions, one of which is not known
// |value|, of |kind|, in the representation |wanted|: a function, also in a tuple, becomes its number there; else
// |value|.
MlirValue pa_emit_function_number(struct pa_instance_emitter *emitter, MlirType function); // among the chosen ones
MlirValue pa_emit_choice(struct pa_instance_emitter *emitter, MlirValue value, MlirType kind, MlirType wanted);

// infer_exceptions.c
// The arguments of a pyarray.raise or pyarray.cause have types that an exception can have.
pa_status pa_check_raise(pa_inference *inference, pa_instance *instance, MlirOperation op);
// What pyarray.reraise names is an exception.
pa_status pa_check_reraise(pa_inference *inference, pa_instance *instance, MlirOperation op);
bool pa_exception_can_hold(MlirType type); // numbers, text, None, and tuples of these
// infer_exception_values.c
// For raises in sight of a handler: |op| calls |callee|.
void pa_note_call(pa_inference *inference, pa_instance *caller, MlirOperation op, pa_instance *callee);
// Of the pyarray.exception |op|, with the type of its arguments, where that is known and asked for.
pa_fact pa_exception_fact(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_plan_exception_operation(pa_class_operation *o);
// A value that leaves the handler, or the function, is no exception that is being handled.
pa_status pa_check_leaves(pa_inference *inference, MlirOperation op, pa_fact fact);

// infer_declared.c
// The arguments of a call of |function|, where it has declared signatures, as the one that fits best has them;
// |*out_result|: its result, or null.
pa_status pa_fit_to_declared(const pa_typing *typing, MlirOperation function, const char *name, pa_fact *facts,
                             int count, MlirType *out_result);

// infer_generators.c
bool pa_is_generator(MlirOperation function);
// The result that is declared of a generator is one.
pa_status pa_check_generator(pa_inference *inference, const pa_instance *instance);
pa_status pa_walk_suspend(pa_inference *inference, pa_instance *instance, MlirOperation op);
// What a generator is at its end, where nothing that it yields is known: bottom, or one of None.
pa_fact pa_generator_without_items(pa_inference *inference, const pa_instance *instance);
pa_status pa_plan_generator_operation(struct pa_class_operation *operation);
// Those that yield nothing, as all facts are final, are generators of None; whether there is a new one of them.
bool pa_generators_settle(pa_inference *inference);

// infer_growth.c
// Fails once a type was too large, at |op| or where it grew.
pa_status pa_check_growth(pa_inference *inference, MlirOperation op);

// infer_whole.c
struct pa_meeting {
  const void *op;
  intptr_t index; // of a variable of the operation; 0 of an operator
  bool whole;
};
pa_meeting *pa_meeting_numbered(pa_inference *inference, int site);
// The number of the meeting of int64 and uint64 that |fact|, a float64, comes from; 0: none.
int pa_meeting_of(pa_fact fact);
// Whether int64 and uint64 meet in variable |index| of |op|, or did in one of the two facts; |*out_fact| is what they
// give.
bool pa_meet(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact a, pa_fact b, pa_fact *out_fact);
pa_status pa_plan_whole_division(pa_class_operation *o);    // of a uint64 of bits and a signed integer
pa_status pa_plan_unsigned_function(pa_class_operation *o); // gcd and others of a uint64
// pa_type_binary for |op|, a pyarray.binary.
pa_status pa_type_binary_at(pa_inference *inference, MlirOperation op, pa_fact lhs, pa_fact rhs,
                            pa_operator *out_operator, pa_fact *out_result);
// |op| failed. Whether it is an operator of bits on what comes from meetings, which are uint64 in the next round.
bool pa_make_whole(pa_inference *inference, pa_instance *instance, MlirOperation op);

// infer_flow_facts.c
void pa_infer_guess_from_branches(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_infer_walk_while(pa_inference *inference, pa_instance *instance, MlirOperation op);
pa_status pa_infer_walk_branches(pa_inference *inference, pa_instance *instance, MlirOperation op, int known);
pa_status pa_infer_walk_for(pa_inference *inference, pa_instance *instance, MlirOperation op);

// infer_facts.c, for infer_flow_facts.c and infer_growth.c
const char *pa_joined_name(pa_inference *inference, MlirOperation op, intptr_t index); // of the variable, or NULL
pa_status pa_infer_join(pa_inference *inference, MlirOperation op, intptr_t index, pa_fact *target, MlirValue earlier,
                        pa_fact fact, MlirValue from);
// The same of what goes from one walk of its operation to the next: of a loop, a result, a variable, which |place|
// stands for. A sign that it loses stays unknown.
pa_status pa_infer_carry(pa_inference *inference, const void *place, MlirOperation op, intptr_t index, pa_fact *target,
                         MlirValue earlier, pa_fact fact, MlirValue from);
pa_status pa_infer_walk_block(pa_inference *inference, pa_instance *instance, MlirBlock block);
pa_fact pa_infer_without_literal(pa_fact fact);
void pa_infer_set_fact(pa_inference *inference, pa_instance *instance, MlirValue value, pa_fact fact);

// infer_facts.c
pa_status pa_walk_instance(pa_inference *inference, pa_instance *instance); // infer_recursion.c
static inline pa_status pa_infer_instance(pa_inference *inference, pa_instance *instance) {
  return inference->forward->infer_instance(inference, instance);
}
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
// Loops over what pa_is_mixed: the facts of the body for an item, with the |carried| ones before it, and then after it.
pa_status pa_walk_element(pa_inference *inference, pa_instance *instance, MlirOperation op, pa_fact item,
                          pa_fact *carried);
pa_fact *pa_initial_carried(pa_inference *inference, pa_instance *instance, MlirOperation op);
// infer_unroll.c. What is known of item |number|, also of its elements. To be called right before pa_walk_element.
pa_fact pa_mixed_fact(pa_inference *inference, pa_instance *instance, MlirOperation op, intptr_t number);
// Whether a loop over |iterable| is one over literal_unroll(), perhaps within enumerate, zip or reversed.
bool pa_unrolls_literals(pa_inference *inference, pa_instance *instance, MlirValue iterable);
bool pa_is_plain_call(MlirOperation op);
bool pa_is_literal_unroll(pa_inference *inference, pa_instance *instance, MlirOperation op); // a call of it
MlirOperation pa_maker_of(MlirValue value);                                                  // null for an argument
pa_known_tuple *pa_make_known(pa_inference *inference, intptr_t count);
// NULL where it was not made here of elements.
const pa_known_tuple *pa_known_elements(pa_inference *inference, pa_instance *instance, MlirValue tuple);
// |fact|, with the literal of that element where it is known.
pa_fact pa_known_element(pa_inference *inference, pa_instance *instance, MlirValue tuple, int64_t position,
                         pa_fact fact);
// Whether |op|, a getitem, is a slice of a tuple, and of which elements.
pa_status pa_tuple_slice(pa_inference *inference, pa_instance *instance, MlirOperation op, bool *out_is,
                         int64_t *out_start, int64_t *out_step, intptr_t *out_count);
// -1 unknown, else the literal truth of an scf.if condition.
int pa_known_condition(pa_inference *inference, pa_instance *instance, MlirOperation if_op);

// infer_typed.c. Whether a row of builtins.def makes a container of pyarray.typed.
bool pa_makes_typed(const pa_builtin *builtin);

// infer_emit.c
// Appends the typed function to the module.
pa_status pa_emit_instance(pa_inference *inference, pa_instance *instance);

// infer_erase.c
void pa_erase_unused(pa_inference *inference, MlirBlock block);

#endif // PYARRAY_LIB_PASSES_INFER_INTERNAL_H
