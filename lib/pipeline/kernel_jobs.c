// A kernel takes LLVM some milliseconds and the driver's compiler tens of them, and neither shares its work out. So
// each kernel is a job of its own, from LLVM's passes to what the driver loads; threads take one after the other. The
// compilation goes on with the host's code meanwhile.
#include "kernel_jobs.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fork.h"

enum { STACK = 16 << 20, MOST_THREADS = 16 };

typedef struct kernel_job {
  pa_codegen_ptx_job *ptx; // until it is done
  pa_codegen_kernel kernel;
  pa_string text; // the PTX, with a NUL that counts
  char *binary;   // malloc's; NULL: the driver compiles the PTX when it loads it
  size_t binary_size;
  pa_status status;
} kernel_job;

struct pa_kernel_jobs {
  pyarray_assemble *assemble;
  void *data;
  int count, next; // next: atomic
  int thread_count;
  pthread_t threads[MOST_THREADS];
  kernel_job jobs[];
};

//===-- One job -----------------------------------------------------------------------------------===//

static void do_job(const pa_kernel_jobs *all, kernel_job *job) {
  pa_codegen_ptx_job *ptx = job->ptx;
  job->ptx = NULL;
  job->status = pa_codegen_ptx_end(ptx, &job->kernel, &job->text);
  if (job->status) return;
  pa_string_append(&job->text, "", 1);
  if (all->assemble)
    job->binary =
        all->assemble(all->data, job->kernel.name, pa_string_text(&job->text), job->text.length, &job->binary_size);
}

static void *do_jobs(void *data) {
  pa_kernel_jobs *all = data;
  pa_fork_begin();
  for (int i; (i = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED)) < all->count;) {
    do_job(all, &all->jobs[i]);
    pa_fork_rest_if_asked();
  }
  pa_fork_end();
  return NULL;
}

//===-- Threads -----------------------------------------------------------------------------------===//

static int wanted_threads(int count) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (count > MOST_THREADS) count = MOST_THREADS;
  return processors > 0 && processors < count ? (int)processors : count;
}

// Signals are for the threads of the program.
static void start_threads(pa_kernel_jobs *jobs) {
  pthread_attr_t attributes;
  sigset_t all, before;
  int wanted = wanted_threads(jobs->count);
  sigfillset(&all);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  while (jobs->thread_count < wanted && !pthread_create(&jobs->threads[jobs->thread_count], &attributes, do_jobs, jobs))
    ++jobs->thread_count;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
}

pa_status pa_kernel_jobs_begin(pa_codegen_ptx_job **ptx, int count, pyarray_assemble *assemble, void *data,
                               pa_kernel_jobs **out_jobs) {
  pa_kernel_jobs *made = *out_jobs = calloc(1, sizeof *made + (size_t)count * sizeof *made->jobs);
  for (int i = 0; i < count && !made; ++i) pa_codegen_ptx_end(ptx[i], NULL, NULL);
  if (!made) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  made->assemble = assemble;
  made->data = data;
  made->count = count;
  for (int i = 0; i < count; ++i) made->jobs[i].ptx = ptx[i];
  start_threads(made);
  return PA_OK;
}

// What no thread has begun is done here, unless nobody wants it. A fork waits for the threads, and must not wait for
// this one, which waits for them.
static void wait_for_all(pa_kernel_jobs *jobs, bool wanted) {
  if (!wanted) __atomic_store_n(&jobs->next, jobs->count, __ATOMIC_RELAXED);
  for (int i; (i = __atomic_fetch_add(&jobs->next, 1, __ATOMIC_RELAXED)) < jobs->count;) do_job(jobs, &jobs->jobs[i]);
  bool was_inside = pa_fork_rest();
  for (int i = 0; i < jobs->thread_count; ++i) pthread_join(jobs->threads[i], NULL);
  pa_fork_go_on(was_inside);
}

//===-- What comes of them ------------------------------------------------------------------------===//

void pa_append_kernel(pa_string *out, const pyarray_kernel_code *header, const char *name, const char *bytes) {
  pa_string_append(out, (const char *)header, sizeof *header);
  pa_string_append(out, name, strlen(name) + 1);
  pa_string_append(out, bytes, (size_t)header->size);
}

static void append(const kernel_job *job, pa_string *out) {
  const char *bytes = job->binary ? job->binary : pa_string_text(&job->text);
  size_t size = job->binary ? job->binary_size : job->text.length;
  pyarray_kernel_code header = {(int64_t)size, job->kernel.shared_bytes, job->kernel.points};
  pa_append_kernel(out, &header, job->kernel.name, bytes);
}

static pa_status free_job(kernel_job *job) {
  if (job->ptx) pa_codegen_ptx_end(job->ptx, NULL, NULL);
  free(job->kernel.name);
  free(job->binary);
  pa_string_free(&job->text);
  return job->status;
}

pa_status pa_kernel_jobs_end(pa_kernel_jobs *jobs, pa_string *out_kernels) {
  pa_status first = PA_OK;
  if (!jobs) return PA_OK;
  wait_for_all(jobs, out_kernels);
  for (int i = 0; i < jobs->count; ++i) {
    if (!jobs->jobs[i].status && out_kernels) append(&jobs->jobs[i], out_kernels);
    pa_status status = free_job(&jobs->jobs[i]);
    if (first)
      pa_status_free(status);
    else
      first = status;
  }
  free(jobs);
  return first;
}
