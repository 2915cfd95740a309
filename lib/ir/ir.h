// Building and reading IR through the MLIR C API: the one way in which lib/ constructs operations.
#ifndef PYARRAY_LIB_IR_IR_H
#define PYARRAY_LIB_IR_IR_H

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"
#include "pyarray-c/Types.h"
#include "support/support.h"
#include "support/time_unit.h"

//===-- Names -------------------------------------------------------------------------------------===//

typedef enum pa_op_kind {
  PA_OP_OTHER, // an operation that ops.def does not list
#define PA_OP(enumerator, name) PA_OP_##enumerator,
#include "ops.def"
#undef PA_OP
  PA_OP_KIND_COUNT
} pa_op_kind;

extern const char *const pa_op_names[PA_OP_KIND_COUNT]; // pa_op_names[PA_OP_BINARY] is "pyarray.binary"
#define PA_OP_NAME(kind) pa_op_names[PA_OP_##kind]      // PA_OP_NAME(BINARY)

// Interned operation names of one MLIR context. Cheap to make; immutable afterwards.
typedef struct pa_names {
  MlirContext context;
  struct {
    const void *key;
    pa_op_kind kind;
  } table[128];
} pa_names;

void pa_names_init(pa_names *names, MlirContext context);
pa_op_kind pa_kind(const pa_names *names, MlirOperation op);
pa_op_kind pa_kind_or_other(const pa_names *names, MlirOperation op); // of one that may be null
// For operations that ops.def does not list; false of a null operation.
bool pa_op_is(MlirOperation op, const char *name);

//===-- Building ----------------------------------------------------------------------------------===//

typedef struct pa_attr {
  const char *name;
  MlirAttribute value;
} pa_attr;

// Where and with what location operations are made: before |before| if it is not null, else at the end of |block|.
typedef struct pa_builder {
  MlirContext context;
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
  pa_status failure; // the first operation that could not be made; owned by the builder's user
} pa_builder;

typedef struct pa_op_spec {
  const MlirValue *operands;
  intptr_t operand_count;
  const MlirType *results;
  intptr_t result_count;
  const pa_attr *attrs;
  intptr_t attr_count;
  const MlirRegion *regions; // given away
  intptr_t region_count;
  const MlirBlock *successors;
  intptr_t successor_count;
} pa_op_spec;

#define PA_COUNT(...) ((intptr_t)(sizeof(__VA_ARGS__) / sizeof(*(__VA_ARGS__))))
#define PA_OPERANDS(...) .operands = (MlirValue[]){__VA_ARGS__}, .operand_count = PA_COUNT((MlirValue[]){__VA_ARGS__})
#define PA_OPERAND_ARRAY(array, count) .operands = (array), .operand_count = (count)
#define PA_RESULTS(...) .results = (MlirType[]){__VA_ARGS__}, .result_count = PA_COUNT((MlirType[]){__VA_ARGS__})
#define PA_RESULT_ARRAY(array, count) .results = (array), .result_count = (count)
#define PA_ATTRS(...) .attrs = (pa_attr[]){__VA_ARGS__}, .attr_count = PA_COUNT((pa_attr[]){__VA_ARGS__})
#define PA_REGIONS(...) .regions = (MlirRegion[]){__VA_ARGS__}, .region_count = PA_COUNT((MlirRegion[]){__VA_ARGS__})
#define PA_SUCCESSORS(...)                                                                                             \
  .successors = (MlirBlock[]){__VA_ARGS__}, .successor_count = PA_COUNT((MlirBlock[]){__VA_ARGS__})

// Makes and inserts an operation with exactly the given results. An unknown name or an operation that MLIR refuses sets
// builder->failure; then a null operation comes back, and further calls of the builder do nothing.
MlirOperation pa_build(pa_builder *builder, const char *name, const pa_op_spec *spec);
#define pa_op(builder, name, ...) pa_build((builder), (name), &(pa_op_spec){__VA_ARGS__})
// The first result of such an operation (a null value on failure).
MlirValue pa_build_value(pa_builder *builder, const char *name, const pa_op_spec *spec);
#define pa_value(builder, name, ...) pa_build_value((builder), (name), &(pa_op_spec){__VA_ARGS__})

// Values of a failed builder are null; these accept them.
static inline bool pa_failed(const pa_builder *builder) { return builder->failure != NULL; }

// A region with one block having the given arguments; |*out_block| is that block.
MlirRegion pa_region(MlirLocation location, const MlirType *arguments, intptr_t count, MlirBlock *out_block);

// arith.constant of an integer (any width, signless) or index type; of a float type.
MlirValue pa_constant_int(pa_builder *builder, MlirType type, int64_t value);
MlirValue pa_constant_float(pa_builder *builder, MlirType type, double value);
MlirValue pa_llvm_constant(pa_builder *builder, MlirType type, int64_t value); // llvm.mlir.constant of an integer
// Whether |value| is an arith.constant that is an integer, and which one.
bool pa_is_constant_int(MlirValue value, int64_t *out_number);

//===-- Attributes --------------------------------------------------------------------------------===//

MlirStringRef pa_ref(const char *text);
MlirAttribute pa_string_attr(MlirContext context, const char *text);
MlirAttribute pa_i64_attr(MlirContext context, int64_t value);
MlirAttribute pa_i32_attr(MlirContext context, int64_t value);
MlirAttribute pa_unit_attr(MlirContext context);
MlirAttribute pa_symbol_attr(MlirContext context, const char *name);

// A null attribute when the operation has none of that name. Inherent and discardable attributes alike.
MlirAttribute pa_get_attr(MlirOperation op, const char *name);
bool pa_has_attr(MlirOperation op, const char *name);
void pa_set_attr(MlirOperation op, const char *name, MlirAttribute value);
// An entry of the dictionary attribute |dictionary| of |op|: options of a function, say. Defaults where absent.
bool pa_option_bool(MlirOperation op, const char *dictionary, const char *name, bool otherwise);
// Whether an entry of such a dictionary is the string |text|.
// NULL where it is absent or no text.
const char *pa_option_text(MlirOperation op, const char *dictionary, const char *name, pa_arena *arena);
bool pa_option_is(MlirOperation op, const char *dictionary, const char *name, const char *text);
bool pa_is_device_function(MlirOperation function); // compiled for a GPU, or for the CPU that emulates one
// Copies a string attribute into |arena|; NULL if |attribute| is null or no string.
const char *pa_attr_text(pa_arena *arena, MlirAttribute attribute);
bool pa_ref_equal(MlirStringRef ref, const char *text);
// literal.c. Appends the Python literal of a number, a string or unit (None). A string whose type is a tuple stands for
// that tuple: it holds the literal already.
void pa_python_literal(pa_string *out, MlirAttribute value);

// sites.c. A field of a blob, which ends with a NUL.
void pa_append_field(pa_string *out, const char *text, size_t length);
// The attribute pyarray.sites as the blob that Core.h describes.
pa_status pa_raise_sites_blob(MlirOperation module, pa_string *out_blob);
// The attribute pyarray.warnings likewise.
void pa_warnings_blob(MlirOperation module, pa_string *out_blob);

//===-- Walking -----------------------------------------------------------------------------------===//

#define PA_FOR_EACH_OP(op, block)                                                                                      \
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);                                 \
       op = mlirOperationGetNextInBlock(op))

MlirBlock pa_body(MlirOperation op, intptr_t region); // the first block of a region; null when there is none
MlirBlock pa_module_body(MlirOperation module);
// Calls |visit| for every operation of |block| and of the blocks within, inner ones first, until it fails. |visit| may
// replace or destroy the operation it is given, and put others before it, which are not visited.
typedef pa_status (*pa_visitor)(void *data, MlirOperation op);
pa_status pa_walk(MlirBlock block, pa_visitor visit, void *data);
// Operations, in |arena|: for changes that a walk under way would not bear.
typedef struct pa_op_list {
  pa_arena *arena;
  MlirOperation *items;
  size_t count, capacity;
} pa_op_list;

void pa_op_list_add(pa_op_list *list, MlirOperation op);
pa_op_list pa_ops_within(pa_arena *arena, MlirOperation op, MlirWalkOrder order); // |op| and all that it holds
// The function named |name| in the module, or a null operation.
MlirOperation pa_lookup(MlirOperation module, MlirStringRef name);
bool pa_holds_try(MlirOperation module);            // a pyarray.try anywhere
void pa_append_text(MlirStringRef text, void *out); // to a pa_string: what MLIR's printers call

//===-- Locations ---------------------------------------------------------------------------------===//

// The innermost file location of |location| (through name, fused and call-site locations). |file| is copied to |arena|.
pa_location pa_source_location(pa_arena *arena, MlirLocation location);
// Fails at an operation's or value's place.
pa_status pa_fail_at(pa_code code, MlirLocation location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Keeps a warning in the module's attribute pyarray.warnings (warnings.c), once.
void pa_warn(MlirOperation module, pa_location place, const char *kind, const char *text);

// fold_text.c. What a pyarray.reduce of no element raises ValueError with; NULL: it gives what changes nothing.
const char *pa_empty_fold_text(pa_arena *arena, MlirOperation reduce);

//===-- Types -------------------------------------------------------------------------------------===//

// ORDER SCALAR: rows of pa_scalars in types.c.
typedef enum pa_scalar {
  PA_BOOL,
  PA_I8,
  PA_I16,
  PA_I32,
  PA_I64,
  PA_U8,
  PA_U16,
  PA_U32,
  PA_U64,
  PA_BF16,
  PA_F16,
  PA_F32,
  PA_F64,
  PA_C64,
  PA_C128,
  PA_SCALAR_COUNT,
  PA_NOT_SCALAR = -1
} pa_scalar;

pa_scalar pa_scalar_of(MlirType type); // of a dialect type such as si64, PA_NOT_SCALAR for others
MlirType pa_scalar_type(MlirContext context, pa_scalar scalar);
const char *pa_scalar_name(pa_scalar scalar); // "float64"
static inline bool pa_is_integer(pa_scalar s) { return s >= PA_I8 && s <= PA_U64; }
static inline bool pa_is_signed(pa_scalar s) { return s >= PA_I8 && s <= PA_I64; }
static inline bool pa_is_unsigned(pa_scalar s) { return s >= PA_U8 && s <= PA_U64; }
static inline bool pa_is_float(pa_scalar s) { return s >= PA_BF16 && s <= PA_F64; }
static inline bool pa_is_half(pa_scalar s) { return s == PA_F16 || s == PA_BF16; } // a float of 16 bits
static inline bool pa_is_complex(pa_scalar s) { return s == PA_C64 || s == PA_C128; }
int pa_scalar_bytes(pa_scalar scalar);
char pa_scalar_code(pa_scalar scalar); // type code: 'd'
pa_scalar pa_scalar_from_code(char code);

// Datetimes and timedeltas are no scalars in this sense (time_types.c).
typedef struct pa_time {
  bool delta;
  pa_time_unit unit;
} pa_time;

bool pa_is_time(MlirType type); // of a null type: false
bool pa_time_of(MlirType type, pa_time *out_time);
MlirType pa_time_type(MlirContext context, pa_time time);
void pa_time_name(pa_string *out, pa_time time); // "timedelta64[25s]", "datetime64" where generic
void pa_time_to_code(pa_string *out, pa_time time);
bool pa_time_from_code(const char **code, pa_time *out_time);   // advances |*code|
bool pa_time_from_dtype(MlirStringRef text, pa_time *out_time); // "M8[D]", "timedelta64[ns]"

// An array whose extents are known at run time only.
MlirType pa_array_type(MlirContext context, intptr_t rank, MlirType element, pyarray_layout layout, bool readonly);
bool pa_is_full_slice(MlirType index); // a[:]
// Of a view of an array of |rank| axes and this layout: |indices| has the index of each axis, an integer or a slice;
// null where it is taken whole.
pyarray_layout pa_view_layout(pyarray_layout layout, const MlirType *indices, intptr_t rank);

MlirType pa_with_item(MlirType type, MlirType item); // the kind of list or set that |type| is, of other items
bool pa_is_text(MlirType type);                      // str or bytes
bool pa_is_handle(
    MlirType type); // str, bytes, list, dict, set, cell, object: at level 4 the address of an object on the heap
bool pa_is_managed(MlirType type); // its values own memory: an array, a handle, or a tuple or optional of them

// A tagged type of that kind; what values of the type, tagged ones within it too, are represented by.
// Why a GPU cannot make values of this type, with a hint; NULL where it can.
const char *pa_missing_on_device(MlirType type);
bool pa_is_tagged(MlirType type, const char *kind);
MlirType pa_erased_type(MlirType type);
MlirType pa_frozen_type(MlirType type); // what holds lists, dicts and sets that cannot be changed
bool pa_is_named(MlirType type);        // a named tuple or a member of an enum; the tag names the class
bool pa_is_enum(MlirType type);
bool pa_is_dict_class(MlirType type);  // a Counter or defaultdict, tagged dicts
MlirType pa_plain_type(MlirType type); // of a named tuple, and of a member that is an integer, what they are for Python
                                       // beside that; else |type|
bool pa_is_iterable_tag(MlirType type); // enumerate, zip, reversed, and the two that follow
bool pa_is_view_tag(MlirType type);     // keys, values, items: a tuple of the dict
bool pa_is_iterator_tag(
    MlirType type); // "keys iterator" and so on: a tuple of the dict, set or deque and the version that it had
MlirType pa_iterator_type(MlirType iterable); // of a dict, a set, a view or a deque; of all else itself

// Records, and arrays of items that lie in memory as bytes (records.c; docs/internals-objects.md). |code|: of the item
// (support/record_code.h).
MlirType pa_record_type(MlirContext context, const char *code, bool readonly);
// A null type where there is none of that rank.
MlirType pa_records_type(MlirContext context, const char *code, intptr_t rank, pyarray_layout layout, bool readonly);
bool pa_is_record(MlirType type); // of a null type: false
bool pa_is_records(MlirType type);
const char *pa_item_code_of(pa_arena *arena, MlirType type); // of either
intptr_t pa_records_rank(MlirType type);
// What an item is as a value: a record, a vector, a number, a time, str or bytes.
MlirType pa_record_item_type(MlirContext context, const char *code, bool readonly);
MlirType pa_records_item(MlirContext context, MlirType records); // of an array with dimensions, along the first one
MlirType pa_join_records(MlirType a, MlirType b);                // a null type where they do not unify
void pa_record_type_name(pa_string *out, MlirType type);
MlirType pa_record_from_code(MlirContext context, const char **code);
MlirType pa_records_from_code(MlirContext context, const char **code, intptr_t rank, pyarray_layout layout,
                              bool readonly);
bool pa_record_to_code(pa_string *out, MlirType type);

// A vector of CUDA's: a tagged tuple, whose tag is its code, "x(ffff)".
MlirType pa_vector_type(MlirContext context, const char *code); // a null type where |code| starts with no vector
bool pa_is_vector(MlirType type);                               // of a null type: false

// A memoryview (memoryview.c): the tag is the letter of its items' format, the representation the array that it shows.
MlirType pa_memoryview_type(MlirContext context, char format, MlirType array);
bool pa_is_memoryview(MlirType type); // of a null type: false
char pa_memoryview_format(MlirType type);
MlirType pa_memoryview_item(MlirType type); // what an item is as a value: a bool, si64, ui64 or f64
char pa_format_of(pa_scalar scalar);        // that NumPy gives arrays of it; 0: memoryviews have no such items
MlirType pa_memoryview_from_code(MlirContext context, const char **code); // |*code| is past the letter 'V'
bool pa_memoryview_to_code(pa_string *out, MlirType type);

// NumPy's Generator, or BitGenerator (random.c): the representation is an array over the words of its bitgen_t.
MlirType pa_random_type(MlirContext context, bool bits);
bool pa_is_random(MlirType type); // of a null type: false
bool pa_is_bit_generator(MlirType type);

// A C function of NumPy's for one of them, without that parameter (distributions.def).
typedef struct pa_distribution {
  const char *name, *parameters;
  char result;
} pa_distribution;
const pa_distribution *pa_distribution_find(MlirStringRef name); // NULL: none of these

// Appends Numba's name of a type, as messages show it: "array(float64, 2d, C)", "UniTuple(int64, 2)".
void pa_type_name(pa_string *out, MlirType type);
const char *pa_type_text(pa_arena *arena, MlirType type);

// Type codes (docs/internals.md) to types and back. A null type / false for what has no code or is malformed.
MlirType pa_type_from_code(MlirContext context, const char **code); // advances |*code|
bool pa_type_to_code(pa_string *out, MlirType type);

#endif // PYARRAY_LIB_IR_IR_H
