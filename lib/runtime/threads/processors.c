// How many processors this process may use. Containers limit time (a quota of their control group) rather than
// processors, and threads beyond the quota only make each other wait.
#include "parallel.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

//===-- Affinity ----------------------------------------------------------------------------------===//

// The kernel refuses masks that are smaller than its own.
static int64_t processors_in_mask(void) {
  for (int room = 1024; room <= 1 << 20; room *= 4) {
    cpu_set_t *mask = CPU_ALLOC(room);
    if (!mask) return 1;
    size_t size = CPU_ALLOC_SIZE(room);
    int count = sched_getaffinity(0, size, mask) ? 0 : CPU_COUNT_S(size, mask);
    CPU_FREE(mask);
    if (count) return count;
  }
  return 1;
}

//===-- Control groups ----------------------------------------------------------------------------===//

static bool read_line(const char *folder, const char *name, char *out_line, int size) {
  char path[PATH_SIZE + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  bool read = file && fgets(out_line, size, file);
  if (file) fclose(file);
  return read;
}

// Version 2 has "quota period" in one file, version 1 has two; "max" or -1 is no limit.
static int64_t quota_of_group(const char *folder) {
  char line[128], period_line[64];
  long long quota = -1, period = 0;
  if (read_line(folder, "cpu.max", line, sizeof line)) {
    if (sscanf(line, "%lld %lld", &quota, &period) != 2) return INT64_MAX;
  } else if (read_line(folder, "cpu.cfs_quota_us", line, sizeof line) &&
             read_line(folder, "cpu.cfs_period_us", period_line, sizeof period_line)) {
    if (sscanf(line, "%lld", &quota) != 1 || sscanf(period_line, "%lld", &period) != 1) return INT64_MAX;
  }
  if (quota <= 0 || period <= 0) return INT64_MAX;
  return quota / period + (quota % period != 0);
}

// The strictest of a group and those around it. A container may see the path it has outside; missing folders say
// nothing.
static int64_t quota_along(const char *mount, const char *group) {
  char folder[PATH_SIZE];
  size_t top = strlen(mount);
  if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder) return INT64_MAX;
  int64_t least = INT64_MAX;
  for (;;) {
    int64_t quota = quota_of_group(folder);
    if (quota < least) least = quota;
    char *slash = strrchr(folder, '/');
    if (strlen(folder) <= top || !slash || slash < folder + top) return least;
    *slash = 0;
  }
}

static bool has_controller(const char *list, const char *wanted) {
  size_t length = strlen(wanted);
  for (const char *at = list; at; at = strchr(at, ',')) {
    at += *at == ',';
    if (!strncmp(at, wanted, length) && (at[length] == ',' || !at[length])) return true;
  }
  return false;
}

// A line of /proc/self/cgroup is "number:controllers:group"; version 2 names no controllers.
static int64_t quota_of_line(const char *root, char *line) {
  char mount[PATH_SIZE];
  line[strcspn(line, "\n")] = 0;
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group) return INT64_MAX;
  *group++ = 0;
  ++controllers;
  if (*controllers && !has_controller(controllers, "cpu")) return INT64_MAX;
  snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s", root, *controllers ? "/cpu" : "");
  return quota_along(mount, group);
}

int64_t pa_processor_quota(const char *root) {
  char path[PATH_SIZE], line[PATH_SIZE];
  snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  int64_t least = INT64_MAX;
  FILE *file = fopen(path, "re");
  while (file && fgets(line, sizeof line, file)) {
    int64_t quota = quota_of_line(root, line);
    if (quota < least) least = quota;
  }
  if (file) fclose(file);
  return least;
}

int64_t pa_processor_count(void) {
  int64_t processors = processors_in_mask(), quota = pa_processor_quota("");
  return quota < processors ? quota : processors;
}
