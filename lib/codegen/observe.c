#include "observe.h"

#include <string.h>
#include <time.h>

//===-- Remarks -----------------------------------------------------------------------------------===//

// Tabs and ends of lines part fields and rows.
static void put_plain(pa_string *out, const char *text) {
  for (; *text; ++text) pa_string_append(out, *text == '\t' || *text == '\n' ? " " : text, 1);
}

void pa_add_remark(const pyarray_remark *remark, void *data) {
  pa_string *out = data;
  pa_string_format(out, "%s\t%s\t", remark->kind, remark->pass);
  put_plain(out, remark->function);
  pa_string_format(out, "\t%u\t%u\t", remark->line, remark->column);
  put_plain(out, remark->file ? remark->file : "");
  pa_string_puts(out, "\t");
  put_plain(out, remark->text);
  pa_string_puts(out, "\n");
}

//===-- Times -------------------------------------------------------------------------------------===//

enum { MOST_PASSES = 256, NAME_LENGTH = 56, DEEPEST = 64 };

// Seconds of each pass, less those of passes that it runs. Of a thread, since an attempt may be left half-way.
typedef struct pass_times {
  char names[MOST_PASSES][NAME_LENGTH];
  double seconds[MOST_PASSES];
  int count, depth;
  double since;
  int running[DEEPEST]; // the passes that have begun, outermost first
} pass_times;

static _Thread_local pass_times times;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int find(const char *name, size_t length) {
  if (length >= NAME_LENGTH) length = NAME_LENGTH - 1;
  for (int i = 0; i < times.count; ++i)
    if (strlen(times.names[i]) == length && memcmp(times.names[i], name, length) == 0) return i;
  if (times.count == MOST_PASSES) return MOST_PASSES - 1;
  memcpy(times.names[times.count], name, length);
  times.names[times.count][length] = '\0';
  return times.count++;
}

static void note(const char *name, size_t length, bool begins, void *unused) {
  (void)unused;
  double time = now();
  if (times.depth && times.depth <= DEEPEST) times.seconds[times.running[times.depth - 1]] += time - times.since;
  if (begins && times.depth < DEEPEST) times.running[times.depth] = find(name, length);
  times.depth += begins ? 1 : -1;
  if (times.depth < 0) times.depth = 0;
  times.since = time;
}

void pa_pass_times_begin(void) {
  times.count = times.depth = 0;
  memset(times.seconds, 0, sizeof times.seconds);
  pyarrayNoteLLVMPasses(note, NULL);
}

void pa_pass_times_end(pa_string *out) {
  pyarrayNoteLLVMPasses(NULL, NULL);
  for (int i = 0; i < times.count; ++i)
    pa_string_format(out, "llvm-passes\t%s\t%.9f\n", times.names[i], times.seconds[i]);
}
