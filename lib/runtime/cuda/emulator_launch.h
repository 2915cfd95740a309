// Kernels on emulated devices, and launches of them.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_LAUNCH_H
#define PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_LAUNCH_H

#include "../../device/error.h"
#include "block.h"
#include "emulator_internal.h"
#include "object_loader.h"
#include "races.h"

//===-- Kernels: emulator_kernels.c ---------------------------------------------------------------===//

typedef struct emulated_function {
  pa_block_function *block;
  int64_t scratch, shared; // bytes for each thread; static bytes
  int dynamic_shared;      // atomic: the most that a launch may ask for
  int waits;               // PA_BLOCK_WAITS_...
  bool races;              // compiled in race mode
} emulated_function;

typedef struct emulated_module {
  emulated_device *device;
  pa_object *object;
  emulated_function function;
  uint64_t error; // pyarray_error: the address of a pa_device_error, or 0
} emulated_module;

emulated_module *pa_emulated_module_of(CUfunction function); // NULL: it is none
// How many blocks a multiprocessor holds.
int pa_emulated_resident_blocks(const emulated_function *function, int block_size, size_t dynamic_shared);

//===-- Workspaces: emulator_launch.c -------------------------------------------------------------===//

// Shared and scratch memory of a block, or of all blocks of a cluster.
typedef struct workspace {
  struct workspace *next;
  char *memory;
  size_t bytes;
} workspace;

workspace *pa_emulated_take_workspace(size_t bytes); // NULL where memory is short
void pa_emulated_give_workspace(workspace *space);   // NULL is allowed

//===-- Launches ----------------------------------------------------------------------------------===//

typedef struct emulated_launch {
  const emulated_function *function;
  const uint64_t *params;
  int64_t grid[3], block[3], cluster[3];
  int64_t shared;       // bytes, static and dynamic
  size_t shared_room;   // the same, rounded up
  size_t scratch_bytes; // of a block
  pa_races *races;      // NULL: not watched
  bool is_interrupted;  // atomic
  pthread_mutex_t lock; // of what follows
  CUresult result;
  int64_t failed; // linear index of the first block that raised; -1: none
  pa_device_error error;
} emulated_launch;

void pa_emulated_unfold(int64_t index, const int64_t extents[3], int64_t out[3]);
int64_t pa_emulated_volume(const int64_t extents[3]);
// The block of that linear index, without memory.
pa_block pa_emulated_block(const emulated_launch *launch, int64_t index);
// Moves this thread's error to the launch. Of several blocks the first counts, whichever core was faster.
void pa_emulated_note_failure(emulated_launch *launch, int64_t index, const pa_block *block);
void pa_emulated_out_of_memory(emulated_launch *launch);
// Asked before each block: whether no further one may begin.
bool pa_emulated_is_stopped(emulated_launch *launch);
// True where a block has failed, or the launch is stopped.
bool pa_emulated_has_failed(emulated_launch *launch);

// emulator_teams.c: the blocks of a launch that wait for each other, or that know each other's memory.
void pa_emulated_run_teams(emulated_launch *launch);

#endif // PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_LAUNCH_H
