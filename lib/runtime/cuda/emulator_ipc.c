// Memory of emulated devices for other processes. What MemAlloc gives has pages of its own; where a handle of it is
// asked for, they become those of a file without a name (memfd), which the other process opens by this process's number
// and the file's.
#include "emulator_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct shared_file {
  int32_t process, file;
  uint64_t bytes;
} shared_file;

static size_t whole_pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

static int file_of(const object *object) { return (int)(object->flags & ~(unsigned)OWN_PAGES) - 1; }

void pa_emulated_free_pages(const object *object) {
  munmap((void *)object->address, whole_pages(object->bytes));
  if (file_of(object) >= 0) close(file_of(object));
}

void *pa_emulated_new_pages(size_t bytes) {
  size_t size = whole_pages(bytes);
  void *made = size < bytes ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? NULL : made;
}

static bool write_all(int file, const char *bytes, size_t count) {
  while (count) {
    ssize_t written = write(file, bytes, count);
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

// The file that has an object's pages from now on; -1 where there can be none.
static int share_pages(const object *object) {
  size_t size = whole_pages(object->bytes);
  void *memory = (void *)object->address;
  int file = memfd_create("pyarray device memory", MFD_CLOEXEC);
  bool done = file >= 0 && write_all(file, memory, size) &&
              mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
  if (done || file < 0) return file;
  close(file);
  return -1;
}

CUresult pa_emulated_IpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  object object;
  if (!pa_emulated_find((uintptr_t)address, 1, DEVICE_MEMORY, &object) || !(object.flags & OWN_PAGES))
    return CUDA_ERROR_INVALID_VALUE;
  if (file_of(&object) < 0) {
    int file = share_pages(&object);
    if (file < 0) return CUDA_ERROR_OUT_OF_MEMORY;
    object.flags = OWN_PAGES | (unsigned)(file + 1);
    pa_emulated_set_flags(object.address, object.flags);
  }
  shared_file made = {getpid(), file_of(&object), object.bytes};
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &made, sizeof made);
  return CUDA_SUCCESS;
}

// Whether the file is memory of a device and as large as the handle says. The number may be another file's now, and
// there are no pages behind a file's end.
static bool has_bytes(int file, uint64_t bytes) {
  struct stat facts;
  return fcntl(file, F_GET_SEALS) >= 0 && !fstat(file, &facts) && bytes <= (uint64_t)facts.st_size;
}

CUresult pa_emulated_IpcOpenMemHandle(CUdeviceptr *address, CUipcMemHandle handle, unsigned flags) {
  char path[64];
  shared_file theirs;
  memcpy(&theirs, &handle, sizeof theirs);
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || !theirs.bytes) return CUDA_ERROR_INVALID_VALUE;
  if (theirs.process == getpid()) return CUDA_ERROR_INVALID_CONTEXT;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", theirs.process, theirs.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return CUDA_ERROR_MAP_FAILED;
  if (!has_bytes(file, theirs.bytes)) {
    close(file);
    return CUDA_ERROR_MAP_FAILED;
  }
  void *memory = mmap(NULL, whole_pages(theirs.bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return CUDA_ERROR_MAP_FAILED;
  object object = {(uintptr_t)memory, theirs.bytes, DEVICE_MEMORY, pa_emulated_current(), OWN_PAGES};
  CUresult result = object.device ? pa_emulated_add(object) : CUDA_ERROR_INVALID_CONTEXT;
  if (result) {
    pa_emulated_free_pages(&object);
    return result;
  }
  __atomic_add_fetch(&object.device->used, object.bytes, __ATOMIC_RELAXED);
  *address = (CUdeviceptr)(uintptr_t)memory;
  return CUDA_SUCCESS;
}

CUresult pa_emulated_IpcCloseMemHandle(CUdeviceptr address) { return pa_emulated_MemFree(address); }

CUresult pa_emulated_MemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
  object object;
  if (!pa_emulated_find((uintptr_t)address, 1, DEVICE_MEMORY | MANAGED_MEMORY, &object))
    return CUDA_ERROR_INVALID_VALUE;
  *base = (CUdeviceptr)object.address;
  *bytes = object.bytes;
  return CUDA_SUCCESS;
}
