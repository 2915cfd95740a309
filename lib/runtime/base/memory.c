// Heap arrays and objects: a 64-byte pa_owner, then the data. Small blocks go through free lists of the thread that
// frees them, large ones through spare_blocks.c. All are malloc's, so that any thread may free any of them.
#include "objects.h"
#include "spare_blocks.h"
#include "thread.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64, NO_CLASS = -1, COUNTERS = 64 };
static const size_t address_space = (size_t)1 << 47;
static const size_t huge_page_size = 4 << 20; // from here on, as NumPy does, huge pages are asked for

//===-- Counters ----------------------------------------------------------------------------------===//

static pa_counter counters[COUNTERS] = {{.is_shared = true}};

pa_counter *pa_counter_take(void) {
  for (int i = 1; i < COUNTERS; ++i)
    if (!__atomic_exchange_n(&counters[i].is_taken, true, __ATOMIC_ACQUIRE)) return &counters[i];
  return &counters[0];
}

void pa_counter_give(pa_counter *counter) {
  if (!counter->is_shared) __atomic_store_n(&counter->is_taken, false, __ATOMIC_RELEASE);
}

// Others may read it meanwhile.
static void count(const pa_counter *counter, int64_t *number) {
  if (counter->is_shared)
    __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
  else
    __atomic_store_n(number, *number + 1, __ATOMIC_RELAXED);
}

pa_allocation_counts pa_allocation_counts_now(void) {
  pa_allocation_counts sum = {0};
  for (int i = 0; i < COUNTERS; ++i) {
    sum.allocated += __atomic_load_n(&counters[i].allocated, __ATOMIC_RELAXED);
    sum.freed += __atomic_load_n(&counters[i].freed, __ATOMIC_RELAXED);
  }
  return sum;
}

//===-- Blocks ------------------------------------------------------------------------------------===//

// Room for header, data, and moving malloc's 16-byte alignment up.
static size_t block_size(size_t bytes, size_t alignment) { return bytes + sizeof(pa_owner) + alignment - 16; }

static int block_class(size_t size) {
  if (!PA_KEEP_BLOCKS || size > (size_t)128 << (PA_BLOCK_CLASSES - 1)) return NO_CLASS;
  return size <= 128 ? 0 : 64 - __builtin_clzll((size - 1) >> 7);
}

static void *pop_block(pa_thread *thread, int class) {
  pa_free_list *list = &thread->free_lists[class];
  void *block = list->first;
  if (!block) return malloc((size_t)128 << class);
  memcpy(&list->first, block, sizeof list->first);
  --list->count;
  return block;
}

static void push_block(pa_thread *thread, void *block, int class) {
  pa_free_list *list = &thread->free_lists[class];
  if (list->count == PA_BYTES_KEPT / 128 >> class) {
    free(block);
    return;
  }
  memcpy(block, &list->first, sizeof list->first);
  list->first = block;
  ++list->count;
}

void *pa_small_block_take(size_t bytes) {
  int class = block_class(bytes);
  return class == NO_CLASS ? malloc(bytes) : pop_block(pa_thread_current(), class);
}

bool pa_small_block_give(void *block, size_t bytes) {
  if (!PA_KEEP_BLOCKS || bytes < 128 || bytes >= (size_t)128 << PA_BLOCK_CLASSES) return false;
  push_block(pa_thread_current(), block, 63 - __builtin_clzll(bytes >> 7));
  return true;
}

void pa_free_lists_drain(pa_thread *thread) {
  for (int class = 0; class < PA_BLOCK_CLASSES; ++class)
    while (thread->free_lists[class].first) free(pop_block(thread, class));
}

static void ask_for_huge_pages(void *block, size_t size) {
  uintptr_t first = ((uintptr_t)block + 4095) & ~(uintptr_t)4095;
  uintptr_t last = ((uintptr_t)block + size) & ~(uintptr_t)4095;
  madvise((void *)first, last - first, MADV_HUGEPAGE); // only advice: a refusal changes nothing
}

static void *new_block(pa_thread *thread, size_t size, int class, int zeroed) {
  if (class != NO_CLASS) return pop_block(thread, class);
  void *block = zeroed ? calloc(1, size) : pa_block_take(size);
  if (block && size >= huge_page_size) ask_for_huge_pages(block, size);
  return block;
}

//===-- Arrays ------------------------------------------------------------------------------------===//

static void *allocate(size_t bytes, int zeroed, size_t alignment) {
  if (bytes > address_space) return NULL;
  pa_thread *thread = pa_thread_current();
  size_t size = block_size(bytes, alignment);
  int class = block_class(size);
  void *block = new_block(thread, size, class, zeroed);
  if (!block) return NULL;
  pa_owner *owner = (pa_owner *)(((uintptr_t)block + alignment - 1) & ~(uintptr_t)(alignment - 1));
  owner->references = 1;
  owner->kind = PA_OWNER_HEAP;
  owner->block_class = class;
  owner->object = block;
  owner->bytes = (int64_t)bytes;
  owner->type = NULL;
  owner->proxy = NULL;
  count(thread->counter, &thread->counter->allocated);
  void *data = owner + 1;
  if (zeroed && class != NO_CLASS) memset(data, 0, bytes);
  return data;
}

static void deallocate(pa_owner *owner) {
  pa_thread *thread = pa_thread_current();
  count(thread->counter, &thread->counter->freed);
  if (owner->block_class == NO_CLASS)
    pa_block_give(owner->object);
  else
    push_block(thread, owner->object, owner->block_class);
}

void *_mlir_memref_to_llvm_alloc(size_t size) { return allocate(size, 0, ALIGNMENT); }

void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t size) {
  return alignment <= ALIGNMENT ? allocate(size, 0, ALIGNMENT) : NULL;
}

void _mlir_memref_to_llvm_free(void *data) { pyarray_rt_release((int64_t)(uintptr_t)data); }

int64_t pyarray_rt_allocate(int64_t bytes) {
  return bytes < 0 ? 0 : (int64_t)(uintptr_t)allocate((size_t)bytes, 0, ALIGNMENT);
}

void *pa_text_allocate(int64_t bytes) { return bytes < 0 ? NULL : allocate((size_t)bytes, 0, 16); }

int64_t pyarray_rt_allocate_zeroed(int64_t bytes) {
  return bytes < 0 ? 0 : (int64_t)(uintptr_t)allocate((size_t)bytes, 1, ALIGNMENT);
}

//===-- References --------------------------------------------------------------------------------===//

static bool are_alone; // atomic

void pa_references_alone(void) { __atomic_store_n(&are_alone, true, __ATOMIC_RELAXED); }
void pa_references_shared(void) { __atomic_store_n(&are_alone, false, __ATOMIC_RELAXED); }

// The new count; |order| is that of the operation where counts are shared.
static inline int64_t add_references(pa_owner *owner, int64_t by, int order) {
  if (!__atomic_load_n(&are_alone, __ATOMIC_RELAXED))
    return order == __ATOMIC_RELAXED ? __atomic_add_fetch(&owner->references, by, __ATOMIC_RELAXED)
                                     : __atomic_add_fetch(&owner->references, by, __ATOMIC_ACQ_REL);
  int64_t now = __atomic_load_n(&owner->references, __ATOMIC_RELAXED) + by;
  __atomic_store_n(&owner->references, now, __ATOMIC_RELAXED); // the same as no atomic store on all processors
  return now;
}

void pyarray_rt_retain(int64_t handle) {
  if (!handle) return;
  pa_owner *owner = pa_owner_of(handle);
  if (owner->kind != PA_OWNER_BORROWED) add_references(owner, 1, __ATOMIC_RELAXED);
}

//===-- Objects -----------------------------------------------------------------------------------===//

void *pa_object_new(const pa_object_type *type, size_t bytes) {
  void *object = allocate(bytes, 1, ALIGNMENT);
  if (object) pa_owner_of(pa_handle_of(object))->type = type;
  return object;
}

// Destroying an object releases those that it holds, which come to the list instead of deeper calls.
static void destroy(pa_owner *owner) {
  pa_thread *thread = pa_thread_current();
  owner->pending = thread->pending;
  thread->pending = owner;
  if (thread->destroying) return;
  thread->destroying = true;
  while ((owner = thread->pending)) {
    thread->pending = owner->pending;
    if (owner->type->destroy) owner->type->destroy(owner + 1);
    deallocate(owner);
  }
  thread->destroying = false;
}

// Apart, so that what is done for most calls needs no stack.
static __attribute__((noinline)) void let_go(pa_owner *owner) {
  if (owner->type && owner->type->destroy)
    destroy(owner);
  else
    deallocate(owner);
}

void pyarray_rt_release(int64_t handle) {
  if (!handle) return;
  pa_owner *owner = pa_owner_of(handle);
  if (owner->kind != PA_OWNER_HEAP) {
    if (owner->kind == PA_OWNER_LITERAL) add_references(owner, -1, __ATOMIC_ACQ_REL);
    return;
  }
  // Who holds the only reference needs no atomic exchange: nobody else can make another.
  if (__atomic_load_n(&owner->references, __ATOMIC_ACQUIRE) == 1 || add_references(owner, -1, __ATOMIC_ACQ_REL) == 0)
    let_go(owner);
}

//===-- Sizes and bytes ---------------------------------------------------------------------------===//

int64_t pyarray_rt_checked_multiply(int64_t a, int64_t b) {
  int64_t product;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) return -1;
  return product;
}

void pyarray_rt_fill_zero(int64_t address, int64_t bytes) {
  if (bytes > 0) memset((void *)(uintptr_t)address, 0, (size_t)bytes);
}

void pyarray_rt_copy(int64_t destination, int64_t source, int64_t bytes) {
  if (bytes > 0) memmove((void *)(uintptr_t)destination, (const void *)(uintptr_t)source, (size_t)bytes);
}
