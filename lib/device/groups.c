// Barriers over several blocks, and clusters, on the GPU.
//
// A cooperative launch gives the address of a workspace that is its own, in %envreg1 (high half) and %envreg2 (low
// half): its size, then a word for a barrier, as CCCL and CUDA's cooperative_groups.h use it. The highest bit of the
// word turns when the last block comes: the first block adds what the others, which add 1 each, leave to that.
#include "device.h"
#include "error.h"

extern pa_device_error *pyarray_error; // errors.c

typedef struct grid_workspace {
  uint32_t size, barrier;
} grid_workspace;

enum { PATIENCE = 4096 }; // looks at the barrier between looks at the record of errors, which is in memory of the host

static grid_workspace *workspace_of_launch(void) {
  grid_workspace *workspace;
  __asm__ volatile("mov.b64 %0, {%%envreg2, %%envreg1};" : "=l"(workspace));
  return workspace;
}

static int is_first_thread(void) {
  return !(__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() | __nvvm_read_ptx_sreg_tid_z());
}
static int is_first_block(void) {
  return !(__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() | __nvvm_read_ptx_sreg_ctaid_z());
}

static int has_failed(void) {
  return pyarray_error &&
         __scoped_atomic_load_n(&pyarray_error->state, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM) != PA_DEVICE_ERROR_NONE;
}

static uint32_t look(const uint32_t *word) {
  uint32_t value;
  __asm__ volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}

// False where a thread that another block waits for has ended with an error.
static int wait_for_blocks(void) {
  enum { TURNED = 0x80000000u };
  uint32_t *word = &workspace_of_launch()->barrier;
  uint32_t blocks = (uint32_t)__nvvm_read_ptx_sreg_nctaid_x() * (uint32_t)__nvvm_read_ptx_sreg_nctaid_y() *
                    (uint32_t)__nvvm_read_ptx_sreg_nctaid_z();
  uint32_t step = is_first_block() ? TURNED - (blocks - 1) : 1;
  __nvvm_membar_gl();
  uint32_t before = __scoped_atomic_fetch_add(word, step, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  for (uint32_t looks = 1; !((before ^ look(word)) & TURNED); ++looks)
    if (looks % PATIENCE == 0 && has_failed()) return 0;
  __nvvm_membar_gl();
  return 1;
}

// The barriers of the block before and after make what its first thread waits for hold for all. Where that thread has
// ended, or another block's has, with an error, nobody comes: all threads end.
void pyarray_dev_grid_sync(void) {
  int failed = !__nvvm_bar0_or(is_first_thread());
  if (!failed && is_first_thread()) failed = !wait_for_blocks();
  if (__nvvm_bar0_or(failed)) {
    __nvvm_exit();
    __builtin_unreachable();
  }
}

// Compute capability 9.0. It orders memory as release and acquire do, which it does unless told otherwise. A thread
// that has ended counts as one that has come.
void pyarray_dev_cluster_sync(void) {
  __asm__ volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}

#define CLUSTER_DIM(axis)                                                                                              \
  int32_t pyarray_dev_cluster_dim_##axis(void) {                                                                       \
    int32_t blocks;                                                                                                    \
    __asm__("mov.u32 %0, %%cluster_nctaid." #axis ";" : "=r"(blocks));                                                 \
    return blocks;                                                                                                     \
  }

CLUSTER_DIM(x)
CLUSTER_DIM(y)
CLUSTER_DIM(z)

int64_t pyarray_dev_cluster_shared_stride(void) { return 0; } // nobody asks: addresses are the GPU's matter

int64_t pyarray_dev_map_shared(int64_t address, int32_t rank, int32_t own_rank, int64_t stride) {
  int64_t there;
  (void)own_rank, (void)stride;
  __asm__("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
  return there;
}
