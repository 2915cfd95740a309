// lib/runtime/threads/processors.c: affinity and CPU quotas, read from a made-up /proc and /sys.
#include "../../lib/runtime/threads/parallel.h"
#include "runtime.h"
#include "test_runtime_check.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[256];

// Writes a file under |root|, with its folders.
static void write_file(const char *path, const char *text) {
  char full[1024];
  snprintf(full, sizeof full, "%s%s", root, path);
  for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(full, 0700);
    *slash = '/';
  }
  FILE *file = fopen(full, "w");
  REQUIRE(file && fputs(text, file) >= 0 && !fclose(file));
}

static void begin_system(const char *groups) {
  snprintf(root, sizeof root, "/tmp/pyarray-processors-XXXXXX");
  REQUIRE(mkdtemp(root));
  write_file("/proc/self/cgroup", groups);
}

static int64_t end_system(void) {
  char command[512];
  int64_t quota = pa_processor_quota(root);
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  REQUIRE(!system(command));
  return quota;
}

static void test_version_2(void) {
  begin_system("0::/a/b\n");
  write_file("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
  CHECK(end_system() == 3);

  begin_system("0::/\n"); // a container with its own view
  write_file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  CHECK(end_system() == 1);

  begin_system("0::/a/b\n");
  write_file("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  CHECK(end_system() == INT64_MAX);
}

static void test_strictest_group_counts(void) {
  begin_system("0::/a/b\n");
  write_file("/sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
  write_file("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
  CHECK(end_system() == 4);

  begin_system("0::/outside/of/the/container\n");
  write_file("/sys/fs/cgroup/cpu.max", "600000 100000\n");
  CHECK(end_system() == 6);
}

static void test_version_1(void) {
  static const char groups[] = "5:cpuset:/x\n4:cpu,cpuacct:/x\n0::/y\n";
  begin_system(groups);
  write_file("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "200000\n");
  write_file("/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  CHECK(end_system() == 2);

  begin_system(groups);
  write_file("/sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "-1\n");
  write_file("/sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000\n");
  CHECK(end_system() == INT64_MAX);
}

static void test_nonsense(void) {
  begin_system("0::/a\nno line of this kind\n:\n::\n");
  write_file("/sys/fs/cgroup/a/cpu.max", "many of them\n");
  CHECK(end_system() == INT64_MAX);
  CHECK(pa_processor_quota("/no/such/folder") == INT64_MAX);
}

static void test_affinity(void) {
  cpu_set_t all, one;
  REQUIRE(!sched_getaffinity(0, sizeof all, &all));
  CHECK(pa_processor_count() >= 1 && pa_processor_count() <= CPU_COUNT(&all));
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  REQUIRE(!sched_setaffinity(0, sizeof one, &one));
  CHECK(pa_processor_count() == 1);
  REQUIRE(!sched_setaffinity(0, sizeof all, &all));
}

// The environment counts more than the machine; a list means its first number.
static void test_max_threads(void) {
  setenv("OMP_NUM_THREADS", "7,3", 1);
  setenv("PYARRAY_NUM_THREADS", "many", 1);
  CHECK(pyarray_rt_max_threads() == 7);
  setenv("PYARRAY_NUM_THREADS", "5", 1);
  CHECK(pyarray_rt_max_threads() == 7); // once asked for, it stays
}

int main(void) {
  test_version_2();
  test_strictest_group_counts();
  test_version_1();
  test_nonsense();
  test_affinity();
  test_max_threads();
  return report_checks();
}
