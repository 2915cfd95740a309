// Devices where there is no GPU: the driver's functions over the host's memory and cores.
//
// A device is like one of compute capability 9.0; there is one, or PYARRAY_CUDA_EMULATED_DEVICES of them. Its memory is
// malloc's, known allocation by allocation, so that copies and fills outside them are refused. Kernels are ELF objects
// for the CPU (block.h). Work is done when it is enqueued, in the calling thread, by one thread at a time on each
// device.
#ifndef PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_H
#define PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_H

#include "driver.h"

extern const pa_cuda_driver pa_cuda_emulator;

// |is_interrupted| is asked by the thread that launches, between blocks, a few times in a second; where it says so, the
// launch ends with CUDA_ERROR_LAUNCH_FAILED. It may use the device. NULL: nobody is asked.
void pa_emulator_set_interruption(bool (*is_interrupted)(void));

// The allocation that holds |address| stays until it is released as often as it was kept, freed or not: for memory that
// the host sees as its own. False: there is none.
bool pa_emulator_keep(uint64_t address);
void pa_emulator_release(uint64_t address);

typedef struct pa_emulator_counts {
  int64_t device_memory, host_memory, registered_memory, streams, events, modules, links; // alive now
  int64_t contexts;                                                                       // references to them
  int64_t abandoned; // of all of these: there when the last reference to their context went
} pa_emulator_counts;

pa_emulator_counts pa_emulator_counts_now(void);

#endif // PYARRAY_LIB_RUNTIME_CUDA_EMULATOR_H
