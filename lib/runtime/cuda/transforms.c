// Plans of the last shapes. They hold working memory, so there are few; the one that was not used longest goes. Lines
// that lie side by side are one plan, whose call goes over each of |outer|.
#include "transforms.h"
#include "fft.h"
#include "graph.h"

#include <stdlib.h>

enum { MOST_PLANS = 16 };

typedef struct kept_plan {
  pa_cuda_fft plan;
  pa_cuda_context *context;
  int64_t length, count, stride;
  pa_fft_type type;
  uint64_t used; // when, by the number of calls
} kept_plan;

// A call runs its plan under the lock: it only enqueues.
static struct {
  pthread_mutex_t lock;
  kept_plan *plans[MOST_PLANS];
  uint64_t calls;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pa_fft_type type_of(const pa_transform *t) {
  if (t->from_real) return t->is_double ? PA_FFT_D2Z : PA_FFT_R2C;
  if (t->to_real) return t->is_double ? PA_FFT_Z2D : PA_FFT_C2R;
  return t->is_double ? PA_FFT_Z2Z : PA_FFT_C2C;
}

// Of a plan.
static int64_t count_of(const pa_transform *t) { return t->inner > 1 ? t->inner : t->outer; }

static bool is_for(const kept_plan *p, const pa_cuda_context *context, const pa_transform *t) {
  return p->context == context && p->plan.resource.generation == context->generation && p->length == t->length &&
         p->count == count_of(t) && p->stride == t->inner && p->type == type_of(t);
}

static void drop(kept_plan *p) {
  if (!p) return;
  pa_cuda_fft_destroy(&p->plan);
  free(p);
}

static pa_status make(pa_cuda_context *context, const pa_transform *t, kept_plan **out_plan) {
  kept_plan *p = calloc(1, sizeof *p);
  if (!p) return pa_fail(PA_CODE_MEMORY, NULL, "out of memory");
  p->context = context;
  p->length = t->length;
  p->count = count_of(t);
  p->stride = t->inner;
  p->type = type_of(t);
  pa_status status = pa_cuda_fft_plan(context, 1, &t->length, p->type, p->count, p->stride, &p->plan);
  if (status) return free(p), status;
  return *out_plan = p, PA_OK;
}

// Under the lock.
static pa_status find(pa_cuda_context *context, const pa_transform *t, kept_plan **out_plan) {
  int place = 0;
  for (int i = 0; i < MOST_PLANS; ++i) {
    kept_plan *p = kept.plans[i];
    if (p && is_for(p, context, t)) return *out_plan = p, PA_OK;
    if (kept.plans[place] && (!p || p->used < kept.plans[place]->used)) place = i;
  }
  PA_TRY(make(context, t, out_plan));
  drop(kept.plans[place]);
  kept.plans[place] = *out_plan;
  return PA_OK;
}

// From one of |outer| to the next.
static uint64_t bytes_between(const pa_transform *t, bool real) {
  bool half = (t->from_real || t->to_real) && !real;
  int64_t item = (t->is_double ? 8 : 4) * (real ? 1 : 2), length = half ? t->length / 2 + 1 : t->length;
  return (uint64_t)(item * length * t->inner);
}

// Under the lock.
static pa_status run(kept_plan *p, const pa_transform *t) {
  int64_t calls = t->inner > 1 ? t->outer : 1;
  for (int64_t i = 0; i < calls; ++i)
    PA_TRY(pa_cuda_fft_run(&p->plan, t->in + (uint64_t)i * bytes_between(t, t->from_real),
                           t->out + (uint64_t)i * bytes_between(t, t->to_real), t->inverse, NULL));
  return PA_OK;
}

pa_status pa_cuda_transform(pa_cuda_context *context, const pa_transform *t, bool *out_done) {
  *out_done = false;
  if (pa_cuda_graph_is_capturing()) return PA_OK;
  kept_plan *plan = NULL;
  pthread_mutex_lock(&kept.lock);
  pa_status status = find(context, t, &plan);
  if (!status) plan->used = ++kept.calls;
  if (!status) status = run(plan, t);
  pthread_mutex_unlock(&kept.lock);
  *out_done = !status;
  return status;
}
