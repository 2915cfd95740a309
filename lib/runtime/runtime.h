// What compiled code calls (runtime.def), and how the dispatcher sees its memory and its errors.
// Knows nothing of MLIR, LLVM or Python.
#ifndef PYARRAY_LIB_RUNTIME_RUNTIME_H
#define PYARRAY_LIB_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PA_RUNTIME(name, result, parameters) result name parameters;
#include "runtime.def"
#undef PA_RUNTIME

// The function of runtime.def so named, or NULL.
void *pa_runtime_lookup(const char *name);

//===-- Owners ------------------------------------------------------------------------------------===//

enum {
  PA_OWNER_HEAP,     // a heap array: the header lies right before its data
  PA_OWNER_BORROWED, // an array argument, or text of the runtime: never freed; |object| names its PyObject
  PA_OWNER_LITERAL,  // part of compiled code, which stays in memory as long as there is more than one reference;
                     // |reserved| is PA_LITERAL_MARK
};

#define PA_LITERAL_MARK INT64_C(0x6c61726574696c70) // the object loader knows literals among the code's data by it

// An owner handle is the address just past a pa_owner, so for a heap array the address of its data.
typedef struct pa_owner {
  int64_t references; // not of borrowed ones; see pa_references_alone
  int32_t kind;
  int32_t block_class;               // heap: which free list takes the block back
  void *object;                      // heap: what free() takes; borrowed: the PyObject, borrowed
  int64_t bytes;                     // heap: size of the data
  const struct pa_object_type *type; // of an object (objects.h); NULL: memory of an array
  struct pa_owner *pending;          // of an object that is being destroyed: the next one
  void *proxy; // of an instance of a class: the object that Python has of it, borrowed, or NULL; of a list, dict or
               // set: pa_is_typed
  int64_t reserved;
} pa_owner;

_Static_assert(sizeof(pa_owner) == 64, "compiled code finds the header 64 bytes before the data");

static inline pa_owner *pa_owner_of(int64_t handle) { return (pa_owner *)(uintptr_t)(handle - 64); }

// Makes the record of an array argument, usually on the dispatcher's stack, and returns its handle.
// Nothing may hold the handle once the record is gone.
static inline int64_t pa_owner_borrow(pa_owner *record, void *object) {
  *record = (pa_owner){.references = 1, .kind = PA_OWNER_BORROWED, .object = object};
  return (int64_t)(uintptr_t)(record + 1);
}

// Says that of all threads one at a time runs compiled code, and makes a lock's hand-over between two: counts of
// references need no atomic operations, which are most of the time of short text. It holds until pa_references_shared,
// which is to be called by whoever is about to run compiled code without that lock, before others can do so beside it.
// At first counts are shared.
void pa_references_alone(void);
void pa_references_shared(void);

typedef struct pa_allocation_counts {
  int64_t allocated; // heap arrays made since the process started, in all threads
  int64_t freed;
} pa_allocation_counts;

// Exact while no other thread allocates.
pa_allocation_counts pa_allocation_counts_now(void);

//===-- Errors ------------------------------------------------------------------------------------===//

enum { PA_MAX_FRAMES = 64, PA_MAX_VALUES = 96 };

typedef struct pa_error pa_error; // an error that a handler has caught; counted

// The error that compiled code of this thread left with. Sites are numbers in the compiled object's own site table.
typedef struct pa_raised {
  int32_t count;               // frames recorded; 0 when there is no error
  int32_t site[PA_MAX_FRAMES]; // site[0] raised, the others were passed through, innermost first
  int32_t value_count;         // that the message names
  int64_t values[PA_MAX_VALUES];
  uint64_t handles; // bit i: values[i] is a handle, whose reference is held
  // Of an error that was caught before, |caught|, they are that one's; else owned.
  pa_error *context, *cause; // errors that were handled when it was raised, and that its raise names; or NULL
  pa_error *caught;
  bool from;   // its raise names a cause, perhaps None
  bool is_new; // made as a cause, never raised: has no traceback
} pa_raised;

struct pa_error {
  int64_t references; // changed by atomic operations alone
  pa_raised raised;
};

pa_raised *pa_raised_current(void); // borrowed, valid as long as the thread
void pa_raised_clear(void);
// Moves the thread's error out of it, or into it; drops what a moved one holds.
pa_raised pa_raised_take(void);
void pa_raised_put(const pa_raised *raised);
void pa_raised_drop(pa_raised *raised);
// How many errors the thread is handling.
int64_t pa_handled_count(void);

// For pyarray_rt_report_unraisable: |report| finds the error in pa_raised_current. To be set before compiled code runs;
// NULL: nobody is told.
void pa_set_unraisable_report(void (*report)(int64_t context));

// For pyarray_rt_exception_part: |owner| is what the word PA_OWNER_SYMBOL of the compiled object was set to when it was
// loaded.
#define PA_OWNER_SYMBOL "pyarray_owner"
typedef enum pa_exception_part {
  PA_EXCEPTION_STR,
  PA_EXCEPTION_REPR,
  PA_EXCEPTION_NAME,
  PA_EXCEPTION_ARGUMENTS
} pa_exception_part; // the third: of its class
typedef int64_t (*pa_exception_reader)(int64_t owner, const pa_error *error, pa_exception_part part, const char *codes,
                                       uint64_t *out);
void pa_set_exception_reader(pa_exception_reader reader);

// For pyarray_rt_call_block.
void pa_set_block_caller(int64_t (*call)(int64_t number, const char *codes, const uint64_t *arguments,
                                         uint64_t *results));
void pa_set_handled_reader(int64_t (*read)(void)); // for pyarray_rt_handled_outside

// A value of a FunctionType is the address of one. The reader takes the error that |entry| left in this thread: a
// handle of the exception, its lowest bit set where that is no Exception.
typedef struct pa_function {
  int32_t (*entry)(const uint64_t *arguments, uint64_t *results); // pyarray_entry
} pa_function;
void pa_set_function_error_reader(int64_t (*read)(const pa_function *function));

//===-- Random ------------------------------------------------------------------------------------===//

enum { PA_RANDOM_WORDS = 624 };

// An MT19937 generator. An inlined random(): if position > 622, refill as random.c does; else
// ((outputs[position] >> 5) << 26 | outputs[position + 1] >> 6) * 0x1p-53 and position += 2.
typedef struct pa_random {
  int64_t position;                    // of the next output; PA_RANDOM_WORDS when used up
  uint32_t outputs[PA_RANDOM_WORDS];   // tempered
  uint32_t words[PA_RANDOM_WORDS + 4]; // the state; the last 4 are scratch of refilling
  int64_t seeded;                      // 0: refilling takes a seed from the operating system first
  double gauss;                        // the second of a pair of normal deviates
  int64_t has_gauss;                   // whether it is still to be used
} pa_random;

#endif // PYARRAY_LIB_RUNTIME_RUNTIME_H
