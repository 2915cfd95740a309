#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "compile.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "pass/pass.h"
#include "pipelines.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Passes.h"
#include "support/fork.h"

// Types, attributes and locations live as long as their context, so one is dropped after this many compilations.
enum { PA_SESSION_USES = 256 };

PA_FORK_LOCK(mutex)
static pa_session *idle;

static void prepare_once(void) { pyarrayInstallMemoryHandler(pa_abandon_for_memory); }

// What LLVM and MLIR set up at first use stays half done where an attempt is left meanwhile. So nothing begins where
// there is no room for it, and later compilations that are out of memory mostly stop here too.
enum { FIRST_ROOM = 64 << 20, LATER_ROOM = 8 << 20 };

static void need_room(void) {
  static bool later;
  size_t size = __atomic_load_n(&later, __ATOMIC_ACQUIRE) ? LATER_ROOM : FIRST_ROOM;
  void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) pa_abandon_for_memory();
  munmap(room, size);
  __atomic_store_n(&later, true, __ATOMIC_RELEASE);
}

static MlirLogicalResult keep_diagnostic(MlirDiagnostic diagnostic, void *session) {
  pa_string *text = &((pa_session *)session)->diagnostics;
  if (text->length) pa_string_puts(text, "\n");
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), pa_append_text, text);
  pa_string_puts(text, ": ");
  mlirDiagnosticPrint(diagnostic, pa_append_text, text);
  return mlirLogicalResultSuccess();
}

static pa_session *make_session(void) {
  pa_session *session = memset(pa_allocate(sizeof *session), 0, sizeof *session);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterDialects(registry);
  session->context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(session->context);
  mlirContextAttachDiagnosticHandler(session->context, keep_diagnostic, session, NULL);
  return session;
}

pa_session *pa_session_take(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  need_room();
  pthread_once(&once, prepare_once);
  pa_register_pipelines();
  pthread_mutex_lock(&mutex);
  pa_session *session = idle;
  if (session) idle = session->next;
  pthread_mutex_unlock(&mutex);
  if (!session) session = make_session();
  ++session->uses;
  return session;
}

// The nvvm dialect is large; compilations for the CPU do without.
void pa_session_add_gpu(pa_session *session) {
  if (session->gpu) return;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  pyarrayRegisterGpuDialects(registry);
  mlirContextAppendDialectRegistry(session->context, registry);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(session->context);
  session->gpu = true;
}

void pa_session_give_back(pa_session *session) {
  pa_string_free(&session->diagnostics);
  session->times = NULL;
  if (session->uses >= PA_SESSION_USES) {
    mlirContextDestroy(session->context);
    free(session);
    return;
  }
  pthread_mutex_lock(&mutex);
  session->next = idle;
  idle = session;
  pthread_mutex_unlock(&mutex);
}

//===-- Running passes ----------------------------------------------------------------------------===//

static pa_status internal_failure(const pa_session *session, const char *pipeline) {
  const char *text = pa_string_text(&session->diagnostics);
  if (getenv("PYARRAY_DEBUG"))
    return pa_fail(PA_CODE_INTERNAL, NULL, "internal error in the passes %s:\n%s", pipeline, text);
  return pa_fail(PA_CODE_INTERNAL, NULL, "internal error while compiling: %s\nhint: set PYARRAY_DEBUG=1 and report it",
                 *text ? text : "a pass failed");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// What only runs other passes has no name.
static void note_time(const char *pass, MlirOperation op, void *data) {
  (void)op;
  pa_session *session = data;
  double time = now();
  if (*pass) pa_string_format(session->times, "%s\t%s\t%.9f\n", session->stage, pass, time - session->since);
  session->since = time;
}

pa_status pa_session_run(pa_session *session, MlirOperation module, const char *pipeline, bool verify) {
  MlirPassManager manager = mlirPassManagerCreate(session->context);
  mlirPassManagerEnableVerifier(manager, verify);
  if (session->times) pyarrayNotePasses(manager, note_time, session);
  session->since = now();
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  pa_status status = PA_OK, failure = PA_OK;
  if (mlirLogicalResultIsFailure(
          mlirOpPassManagerAddPipeline(passes, pa_ref(pipeline), pa_append_text, &session->diagnostics))) {
    status = internal_failure(session, pipeline);
  } else {
    pa_status *before = pa_pass_capture_failure(&failure);
    if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, module)))
      status = failure ? failure : internal_failure(session, pipeline);
    pa_pass_capture_failure(before);
  }
  mlirPassManagerDestroy(manager);
  return status;
}

pa_status pa_session_verify(pa_session *session, MlirOperation module, const char *level) {
  return mlirOperationVerify(module) ? PA_OK : internal_failure(session, level);
}
