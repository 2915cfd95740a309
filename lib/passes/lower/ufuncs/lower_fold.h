// What the files of pyarray.reduce share: lower_fold.c (dimensions), lower_fold_rows.c and lower_fold_columns.c (the
// innermost one, folded and not), lower_fold_few.c (both where it is short), lower_fold_leaves.c and
// lower_fold_blocks.c (sums in NumPy's order), lower_fold_strips.c (elements as linalg.generic), lower_fold_threads.c,
// lower_fold_loops.c (scf.parallel) and lower_fold_words.c.
#ifndef PYARRAY_LIB_PASSES_LOWER_FOLD_H
#define PYARRAY_LIB_PASSES_LOWER_FOLD_H

#include "lower_internal.h"

// ORDER FOLD
typedef enum pa_fold_word {
  PA_FOLD_ADD,
  PA_FOLD_MUL,
  PA_FOLD_MIN,
  PA_FOLD_MAX,
  PA_FOLD_AND,
  PA_FOLD_OR,
  PA_FOLD_XOR,
  PA_FOLD_ARGMIN,
  PA_FOLD_ARGMAX,
  PA_FOLD_COUNT
} pa_fold_word;

// One array of a fold: its memory by an offset and a stride for each loop dimension (index type, in elements).
typedef struct pa_fold_operand {
  pa_array array;   // a null memref: |number|
  MlirValue number; // of an input
  MlirValue base, offset, strides[PA_MAX_RANK];
} pa_fold_operand;

// What a word makes of the elements.
typedef struct pa_fold_result {
  pa_fold_word word;
  bool times;        // int64 whose least value is NaT
  pa_scalar element; // that is yielded
  pa_fold_operand output;
  MlirValue leaves; // of a pairwise sum: the address (i64) at which the runtime keeps what is not added up yet
  pa_array total;   // and where it stores the sum
  MlirValue found;  // of a search: memory (i64) for the position, and for the element there
} pa_fold_result;

typedef struct pa_fold {
  MlirOperation op;
  MlirBlock body;
  int rank;                     // of the loop
  bool folded[PA_MAX_RANK];     // of the dimensions, as the operation has them
  int kept;                     // how many are not
  bool of_many;                 // it stands in the body of a ufunc: one of many folds
  bool ordered;                 // elements lie as in a new array, whose outermost dimension is the first
  bool contiguous;              // the loop has one dimension, along which all inputs lie without gaps
  MlirValue sizes[PA_MAX_RANK]; // index type, outermost first
  int few;                      // elements of a row, where there is a loop for so many; 0: any
  MlirValue run;                // how many elements a run of rows has, index type
  int run_first;                // its outermost dimension
  MlirValue position;           // of the first element of a row, index type, where one is sought
  int input_count, result_count;
  pa_fold_operand *inputs;
  pa_fold_result *results;
} pa_fold;

static inline bool pa_is_position(pa_fold_word word) { return word == PA_FOLD_ARGMIN || word == PA_FOLD_ARGMAX; }
// An extreme that the runtime looks for in a row of memory.
static inline bool pa_is_searched(const pa_fold_result *result) {
  bool extreme = result->word == PA_FOLD_MIN || result->word == PA_FOLD_MAX;
  bool truth = result->word == PA_FOLD_AND || result->word == PA_FOLD_OR;
  return (extreme && pa_is_complex(result->element)) || ((extreme || truth) && result->element == PA_BOOL);
}
// Added up pairwise.
static inline bool pa_is_pairwise(const pa_fold_result *result) {
  return result->word == PA_FOLD_ADD && (pa_is_float(result->element) || pa_is_complex(result->element));
}
static inline pa_scalar pa_fold_stored(const pa_fold_result *result) { // the element of its output
  return pa_is_position(result->word) ? PA_I64 : result->element;
}

// lower_fold_thread.c: within a kernel, by one thread.
void pa_lower_fold_thread(pa_lowering *lower, const pa_fold *fold);
// lower_fold_grid.c: of a kernel.
void pa_lower_fold_grid(pa_lowering *lower, MlirOperation op);
bool pa_fold_read_word(MlirAttribute attribute, pa_fold_result *result); // lower_fold.c

// lower_fold_words.c
MlirValue pa_fold_start(pa_lowering *lower, const pa_fold_result *result);   // what changes nothing
MlirValue pa_fold_nothing(pa_lowering *lower, const pa_fold_result *result); // of a sum of floats, exactly: -0.0
MlirValue pa_fold_combine(pa_lowering *lower, const pa_fold_result *result, MlirValue a, MlirValue b);

enum { PA_FOUND_WORDS = 3 };

// An output at |offset|, as an array of one element.
pa_array pa_fold_point(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset);

// lower_fold_threads.c. |lower_part| of |f|, of which some dimension is not folded, on several threads.
void pa_spread_fold(pa_lowering *lower, pa_fold *f, void (*lower_part)(pa_lowering *lower, pa_fold *f));
// The same of a fold of all dimensions, two at least, whose order changes nothing; |words|: of its results.
void pa_spread_whole(pa_lowering *lower, pa_fold *f, MlirAttribute words,
                     void (*lower_part)(pa_lowering *lower, pa_fold *f));
// Folded by the loops for threads of prange, where the order of the elements changes nothing; else null.
MlirAttribute pa_fold_thread_words(pa_lowering *lower, const pa_fold *f);

// lower_fold_rows.c: the innermost dimension, at |offsets| of the inputs, then the outputs.
void pa_fold_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets); // is folded
// The sum of the elements of the one input, floats, as they lie in memory: NumPy's order takes several rows together.
bool pa_sums_memory(const pa_fold *f);
// The last two dimensions, at |offsets|: rows to a row of results, or each to its own, or its sum to its result.
void pa_add_matrix(pa_lowering *lower, pa_fold *f, const MlirValue *offsets);
// The position in each row of memory, where the last dimension is the only one that is folded.
void pa_find_positions(pa_lowering *lower, pa_fold *f, const MlirValue *offsets);
// Of all dimensions, none of which is kept; |numbers|: of pyarray_rt_order_reduction.
void pa_sum_all(pa_lowering *lower, pa_fold *f, MlirValue numbers);
// |rows| (index type) of them, |row_stride| apart; a null stride: one row.
void pa_sum_rows(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, MlirValue row_stride);
// lower_fold_leaves.c. The dimensions from |first| on as one row of |rows|: all results are sums of floats.
void pa_fold_run(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, MlirValue rows, int first);
// lower_fold_few.c. Whether there may be loops for rows of PA_LEAST_FEW to PA_MOST_FEW elements without gaps; whether
// rows have |few| and lie so (i1); and the last two dimensions then, of which the last one is |folded|, or not.
enum { PA_LEAST_FEW = 2, PA_MOST_FEW = 4 };
bool pa_folds_few(const pa_lowering *lower, const pa_fold *f);
MlirValue pa_has_few(pa_lowering *lower, const pa_fold *f, int few, bool folded);
void pa_fold_few(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets);
void pa_update_few(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets);
// lower_fold_columns.c: the innermost dimension is not folded.
void pa_update_row(pa_lowering *lower, pa_fold *f, const MlirValue *offsets);
// Whether the last dimension, which is not folded, is short, and the one before it is folded (i1).
MlirValue pa_has_short_columns(pa_lowering *lower, const pa_fold *f);
// These two then: point by point of the result.
void pa_update_columns(pa_lowering *lower, pa_fold *f, const MlirValue *offsets);

//===-- Rows, for each other ----------------------------------------------------------------------===//

// A row that is folded.
typedef struct pa_folded_row {
  const pa_array *rows, *buffers; // of inputs; of results that have one
  const int *numbers;             // of results that are carried in registers
  int count;
  bool unit, strips;        // without gaps; its elements are computed strip by strip
  bool blocks;              // they are added up as they are computed
  const MlirValue *starts;  // where the rows of the inputs begin
  const MlirValue *offsets; // of a run of rows, whose views |rows| are made one after the other; else NULL
  MlirValue place;          // of the first element in the buffers; null: 0
  MlirValue total;          // where the sum goes, of one result (i64); null: memory of the result's own
} pa_folded_row;

static inline bool pa_is_number_operand(const pa_fold_operand *operand) {
  return mlirValueIsNull(operand->array.memref);
}

// |operand| along one dimension; a null stride is 1.
pa_array pa_row_of(pa_lowering *lower, const pa_fold_operand *operand, MlirValue offset, MlirValue count,
                   MlirValue stride);
pa_array *pa_rows_of_inputs(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, bool unit);
// Between these, a reduction has its stack memory to itself; after it, others take it.
void pa_fold_begin(pa_lowering *lower);
void pa_fold_end(pa_lowering *lower);
pa_array pa_stack_buffer(pa_lowering *lower, pa_scalar element, int64_t count);
MlirValue pa_memref_address(pa_lowering *lower, MlirValue memref); // i64
const char *pa_sum_suffix(pa_scalar element);
// Where the elements of the inputs from number |first| of the row on begin.
MlirValue *pa_offsets_from(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue first);
pa_scalar pa_summed(const pa_fold_result *result);         // sums of halves are of float32
pa_scalar pa_carried_scalar(const pa_fold_result *result); // in which a result is carried along a row
// Adds |total| to the element at |point|.
void pa_add_total(pa_lowering *lower, const pa_fold_result *result, const pa_array *point, MlirValue total);
void pa_find_position(pa_lowering *lower, const pa_fold_result *result, MlirValue count, MlirValue data,
                      MlirValue stride, MlirValue begin);
// What is folded is the elements of the one input, as they lie in memory.
bool pa_folds_memory(const pa_fold *f);
// |copy| of a loop for rows without gaps, and one for any; one where strides, of |outputs| too, make no difference.
void pa_fold_copies(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool outputs,
                    void (*copy)(pa_lowering *lower, pa_fold *f, const MlirValue *offsets, bool unit));
// Of loops that go through memory by strides: vectors would be put together element by element.
MlirAttribute pa_strided_annotation(pa_lowering *lower, bool unit);
MlirAttribute pa_scalar_annotation(pa_lowering *lower); // of loops that are to stay as they are
// |offsets|, at |index| along dimension |depth|.
MlirValue *pa_step_along(pa_lowering *lower, const pa_fold *f, int depth, MlirValue index, const MlirValue *offsets);
// The body at |index| of the rows; what it yields.
void pa_fold_body(pa_lowering *lower, const pa_fold *f, const pa_array *rows, MlirValue index);
MlirValue pa_fold_yielded(pa_lowering *lower, const pa_fold *f, int number);
// for (j = 0; j < count; ++j), the elements from |first| on: to buffers, and folded into |before|.
void pa_fold_elements(pa_lowering *lower, const pa_fold *f, const pa_folded_row *r, MlirValue first, MlirValue count,
                      const MlirValue *before, MlirValue *out_after);

enum { PA_LEAVES = 200 }; // words of memory that pyarray_rt_sum_begin asks for
// lower_fold_leaves.c. |count| elements of a row, of results that are not all carried.
void pa_fold_leaves(pa_lowering *lower, pa_fold *f, pa_folded_row *r, MlirValue count, const pa_array *points,
                    const MlirValue *before, MlirValue *out_after);

// lower_fold_strips.c. Whether elements may be computed as linalg.generic: at most PA_STRIP of them, from |offsets| of
// the inputs on, to |place| (null: 0) of the buffers, of which every result has one.
enum { PA_STRIP = 512 };
bool pa_has_strips(const pa_lowering *lower, const pa_fold *f);
void pa_fold_strip(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, MlirValue count, MlirValue place,
                   const pa_array *buffers);
// Whether the body makes one real number of real numbers, some of which it may gather, by a few instructions.
bool pa_is_simple(const pa_lowering *lower, const pa_fold *f);
// Whether a sum of floats is of elements that take as long to compute as to write down and read. Then its leaves are
// blocks, which are added up as they are computed: |count| elements from |offsets| on, to the element of |sum|.
bool pa_adds_blocks(const pa_lowering *lower, const pa_fold *f);
void pa_add_block(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets, MlirValue count, const pa_array *sum);
// lower_fold_blocks.c. The sum of the elements from |begin| to |end| then.
void pa_fold_blocks(pa_lowering *lower, pa_fold *f, const pa_folded_row *r, MlirValue begin, MlirValue end);
// A row that is not folded, at |offsets| of the inputs, then the outputs.
void pa_update_strip(pa_lowering *lower, const pa_fold *f, const MlirValue *offsets);

// lower_fold_loops.c. scf.parallel from |low| to |high| (index type); the block argument is the index.
pa_scope pa_parallel_begin(pa_lowering *lower, MlirValue *out_index);
void pa_parallel_end(pa_lowering *lower, pa_scope scope, MlirValue low, MlirValue high, const char *marker);
// The same over |count| dimensions with these extents. |grain| of a loop for threads, or null: as its body costs.
pa_scope pa_grid_begin(pa_lowering *lower, int count);
void pa_grid_end(pa_lowering *lower, pa_scope scope, const MlirValue *extents, int count, const char *marker,
                 MlirAttribute grain);

#endif // PYARRAY_LIB_PASSES_LOWER_FOLD_H
