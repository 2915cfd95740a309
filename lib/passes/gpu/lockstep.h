// What the files of pyarray-gpu-to-cpu share: gpu_to_cpu.c (the pass), lockstep_control.c (control flow around
// barriers), lockstep_uniform.c (which values all threads of a block have alike), lockstep_stride.c (loops that the
// threads share out), lockstep_segment.c (segments, and values that live from one to another), lockstep_barrier.c
// (synchronising operations), lockstep_races.c (race mode), lockstep_function.c (what is around it).
//
// The kernel is re-emitted from top to bottom. Operations are only read from the gpu.func and only written to the new
// function. An operation is *synchronising* if it is a barrier, a call of a function with the attribute pyarray.sync,
// or a loop with pyarray.lockstep, or holds such an operation; the blocks that hold synchronising operations are cut
// there. After a failure every builder call does nothing.
#ifndef PYARRAY_LIB_PASSES_LOCKSTEP_H
#define PYARRAY_LIB_PASSES_LOCKSTEP_H

#include "ir/ir.h"
#include "support/map.h"

enum { PA_DIMENSIONS = 3 };

// Byte offsets of the fields of pa_block (lib/runtime/cuda/block.h).
enum {
  PA_BLOCK_GRID = 0,
  PA_BLOCK_EXTENTS = 24,
  PA_BLOCK_INDEX = 48,
  PA_BLOCK_SHARED_BYTES = 72,
  PA_BLOCK_SHARED = 80,
  PA_BLOCK_SCRATCH = 88,
  PA_BLOCK_THREAD = 96,
  PA_BLOCK_CLUSTER = 104,
  PA_BLOCK_SHARED_STRIDE = 128,
};

// ORDER WAITS: PA_BLOCK_WAITS_... in lib/runtime/cuda/block.h.
enum { PA_WAITS_FOR_GRID = 1, PA_WAITS_FOR_CLUSTER = 2 };

// Scratch memory of one value: an element for each thread.
typedef struct pa_slot {
  MlirType type;   // of the value
  MlirType memory; // as stored, of the llvm dialect; null for the storage of a memref.alloca
  int64_t bytes;   // of an element
  MlirValue base;  // the address of thread 0's, i.e. of the array
} pa_slot;

// The loop over the threads of a block that is being filled.
typedef struct pa_segment {
  bool open;
  MlirRegion regions[PA_DIMENSIONS], masked; // of the loops, outermost first; of the scf.if on the mask
  MlirBlock blocks[PA_DIMENSIONS];
  pa_builder before; // ahead of the test of the mask
  pa_builder body;
  MlirValue thread[PA_DIMENSIONS]; // index, x first
  MlirValue linear;                // i64
  MlirValue lane;                  // index: in the warp
  pa_map values;                   // value of the kernel -> the one here
} pa_segment;

typedef struct pa_lockstep {
  pa_arena *arena;
  MlirContext context;
  pa_names names;
  MlirOperation module, kernel; // the builtin.module; the gpu.func
  MlirOperation kernels;        // the gpu.module
  MlirType i1, i8, i32, i64, index, ptr;
  bool races;           // every access of memory is checked
  pa_map synchronising; // operation -> itself
  pa_map divergent;     // value -> not null where threads may have different ones
  pa_map numbers;       // operation of a cut block -> 1 + number of the segment that reads its operands
  pa_map uniform;       // value of the kernel -> the one computed once for the block
  pa_map slots;         // value of the kernel -> pa_slot
  int64_t scratch;      // bytes for each thread
  pa_builder entry;     // the addresses of slots, at the top of the function
  pa_builder once;      // where code of the whole block goes
  pa_segment segment;
  const pa_slot *mask;     // which threads are active; NULL: all
  const pa_slot *required; // which threads have not returned; NULL: all
  const pa_slot *absent;   // who missed a barrier (lockstep_barrier.c); NULL where nobody can
  pa_map checked;          // blocks of a segment with pa_check_present
  MlirValue block;         // the pa_block
  MlirValue threads;       // their number, i64
  MlirValue extents[PA_DIMENSIONS], indices[PA_DIMENSIONS], grid[PA_DIMENSIONS]; // index: blockDim, blockIdx, gridDim
  MlirValue zero, one;                                                           // index
  MlirValue scratch_base;                                                        // the address of scratch memory
  MlirValue dynamic_shared, dynamic_bytes;                                       // address, i64
  int64_t waits; // for what the blocks wait together: PA_WAITS_...
} pa_lockstep;

//===-- lockstep_stride.c -------------------------------------------------------------------------===//

// Makes loops that the threads share out run once for the block: first of all, on the kernel itself.
void pa_interchange_loops(pa_lockstep *lock);

//===-- lockstep_uniform.c ------------------------------------------------------------------------===//

bool pa_is_barrier(const pa_lockstep *lock, MlirOperation op);
// "warp", "block", "cluster" or "grid" for a call of a synchronising function, else NULL.
const char *pa_sync_kind(const pa_lockstep *lock, MlirOperation op);
// A barrier, or such a call, which all threads of the block have to reach.
bool pa_is_for_block(const pa_lockstep *lock, MlirOperation op);
static inline bool pa_is_synchronising(const pa_lockstep *lock, MlirOperation op) {
  return pa_map_get(&lock->synchronising, op.ptr) != NULL;
}
// Fills lock->synchronising and lock->divergent.
void pa_find_uniform(pa_lockstep *lock);
static inline bool pa_is_divergent(const pa_lockstep *lock, MlirValue value) {
  return pa_map_get(&lock->divergent, value.ptr) != NULL;
}
// Whether threads may go different ways in an scf.if, scf.for or scf.while.
bool pa_is_divergent_branch(const pa_lockstep *lock, MlirOperation op);
// Computed once for the block: without effects, of uniform operands.
bool pa_is_uniform_op(const pa_lockstep *lock, MlirOperation op);
// An operation without effects and without regions.
bool pa_is_pure(const pa_lockstep *lock, MlirOperation op);
// Changes memory, or calls what may.
bool pa_has_effect(const pa_lockstep *lock, MlirOperation op);

//===-- lockstep_segment.c ------------------------------------------------------------------------===//

// Fills lock->numbers.
void pa_number_segments(pa_lockstep *lock);

pa_slot *pa_new_slot(pa_lockstep *lock, MlirType type);
// Bytes of an element of an array.
int64_t pa_element_bytes(const pa_lockstep *lock, MlirType type);

enum { PA_ROOM_ALIGNMENT = 16 };                    // of shared and local memory where nothing else is asked for
int64_t pa_align(int64_t bytes, int64_t alignment); // up to the next multiple
// The slot of a value of the kernel, made where there is none.
pa_slot *pa_slot_of(pa_lockstep *lock, MlirValue value);
// Where the |thread|th element is.
MlirValue pa_slot_address(pa_builder *at, const pa_slot *slot, MlirValue thread);
void pa_slot_store(pa_lockstep *lock, pa_builder *at, const pa_slot *slot, MlirValue thread, MlirValue value);
MlirValue pa_slot_load(pa_lockstep *lock, pa_builder *at, const pa_slot *slot, MlirValue thread);

// A memref over |address|, whose type has static extents; or one dynamic extent, |size|.
MlirValue pa_memref_at(pa_lockstep *lock, pa_builder *at, MlirValue address, MlirType type, MlirValue size);

// The open segment; begins one if there is none.
pa_segment *pa_segment_open(pa_lockstep *lock);
void pa_segment_close(pa_lockstep *lock);
// A value of the kernel within the open segment, or, of uniform ones, anywhere.
MlirValue pa_segment_value(pa_lockstep *lock, MlirValue value);
MlirValue pa_uniform_value(pa_lockstep *lock, MlirValue value);
// An operation that does not synchronise: into the segment, or, where it is uniform, in front of it.
void pa_segment_add(pa_lockstep *lock, MlirOperation op);

static inline void pa_bind_uniform(pa_lockstep *lock, MlirValue value, MlirValue computed) {
  pa_map_put(lock->arena, &lock->uniform, value.ptr, (void *)computed.ptr);
}

//===-- lockstep_function.c -----------------------------------------------------------------------===//

// Memory spaces are one on the CPU.
void pa_drop_spaces(MlirOperation kernel);
// At the top of the function, whose block is |body|: what a launch gives, and the kernel's parameters. Gives the bytes
// of static shared memory: that of the workgroup attributions.
int64_t pa_bind_launch(pa_lockstep *lock, MlirBlock body);
// What a call of a function of kind VALUE gives, at the top of the function or anywhere below; null for other
// operations.
MlirValue pa_launch_value(pa_lockstep *lock, pa_builder *at, MlirOperation op);
void pa_export_number(pa_lockstep *lock, const char *name, int64_t number);
// Moves functions and constants that the kernel uses.
void pa_move_to_module(pa_lockstep *lock);

//===-- lockstep_barrier.c ------------------------------------------------------------------------===//

void pa_lockstep_declare(pa_lockstep *lock, const char *name, MlirType type, bool noreturn);
// Calls a function of the runtime from code that runs once for the block. A null |result|: it returns nothing.
MlirValue pa_lockstep_call(pa_lockstep *lock, const char *name, MlirType result, const MlirValue *operands,
                           intptr_t count);
// Threads that do not take this branch of an scf.if have nothing more to do.
bool pa_others_return(const pa_lockstep *lock, MlirOperation op, int branch);
// At the start: prepares for barriers that threads may miss, if there are any.
void pa_watch_barriers(pa_lockstep *lock);
// Within a segment, ahead of an effect: an error if the thread has missed a barrier.
void pa_check_present(pa_lockstep *lock, pa_builder *at);
// A new raise site, of the kernel; gives its number.
int64_t pa_new_raise_site(pa_lockstep *lock, MlirLocation location, const char *exception, const char *message);
// Leaves with the error that is recorded, if |status| (i32, made by lock->once) is not 0.
void pa_leave_if(pa_lockstep *lock, MlirValue status);
void pa_emit_barrier(pa_lockstep *lock, MlirOperation op);
void pa_emit_sync_call(pa_lockstep *lock, MlirOperation op);

//===-- lockstep_control.c ------------------------------------------------------------------------===//

// An operation that is a barrier, or has one within.
void pa_emit_synchronising(pa_lockstep *lock, MlirOperation op);

//===-- gpu_to_cpu.c ------------------------------------------------------------------------------===//

// All operations of the block but the terminator. The last segment stays open.
void pa_lockstep_emit_block(pa_lockstep *lock, MlirBlock block);

//===-- lockstep_races.c --------------------------------------------------------------------------===//
// They do nothing unless lock->races.

// Ahead of |op|, which may access memory.
void pa_tell_access(pa_lockstep *lock, pa_builder *at, MlirOperation op);
void pa_tell_order(pa_lockstep *lock, const char *function);

void pa_lockstep_fail(pa_lockstep *lock, MlirOperation op, const char *text);

#endif // PYARRAY_LIB_PASSES_LOCKSTEP_H
