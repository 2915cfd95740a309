// Blocks that wait for each other on emulated devices: grids, clusters, their memory, and barriers that not all reach.
#include "../../lib/runtime/cuda/emulator.h"
#include "cuda_check.h"

// Each block adds its number to a total of the grid, |rounds| times, and reads the total behind a barrier. Block
// |absent| leaves after the first round.
static const char *const grid_source =
    "#include \"" BLOCK_HEADER "\"\n"
    "const int64_t pyarray_block_scratch = 8, pyarray_block_shared = 64, pyarray_block_waits = "
    "PA_BLOCK_WAITS_FOR_GRID;\n"
    "int32_t pyarray_block(const uint64_t *params, pa_block *block) {\n"
    "  int64_t *totals = (int64_t *)params[0], *out = (int64_t *)params[1];\n"
    "  int64_t rounds = params[2], absent = params[3], number = block->index[0] + block->grid[0] * block->index[1];\n"
    "  int64_t *shared = (int64_t *)block->shared, sum = 0;\n"
    "  for (int64_t i = 0; i < rounds; ++i) {\n"
    "    shared[0] = number;\n"
    "    __atomic_fetch_add(&totals[i], number + 1, __ATOMIC_RELAXED);\n"
    "    pyarray_rt_grid_barrier(block, 3);\n"
    "    sum += totals[i] + shared[0] - number;\n"
    "    if (number == absent) return 0;\n"
    "  }\n"
    "  out[number] = sum;\n"
    "  return 0;\n"
    "}\n";

// Each block of a cluster writes to the memory of the next one. Clusters of two dimensions.
static const char *const cluster_source =
    "#include \"" BLOCK_HEADER "\"\n"
    "const int64_t pyarray_block_scratch = 0, pyarray_block_shared = 64, pyarray_block_waits = "
    "PA_BLOCK_WAITS_FOR_CLUSTER;\n"
    "int32_t pyarray_block(const uint64_t *params, pa_block *block) {\n"
    "  int64_t *out = (int64_t *)params[0], leaves = params[1], number = block->index[0] + block->grid[0] * "
    "block->index[1];\n"
    "  int64_t size = block->cluster[0] * block->cluster[1];\n"
    "  int64_t rank = block->index[0] % block->cluster[0] + block->cluster[0] * (block->index[1] % "
    "block->cluster[1]);\n"
    "  if (number == leaves) return 0;\n"
    "  pyarray_rt_cluster_barrier(block, 4);\n"
    "  *(int64_t *)(block->shared + ((rank + 1) % size - rank) * block->shared_stride) = number;\n"
    "  pyarray_rt_cluster_barrier(block, 4);\n"
    "  out[number] = *(int64_t *)block->shared;\n"
    "  return 0;\n"
    "}\n";

static image grid_image, cluster_image;
static pa_cuda_context *context;

enum { ROUNDS = 5, MOST = 512 };

static pa_kernel *make(const image *from, bool cooperative, uint32_t cluster) {
  pa_kernel *kernel = NULL;
  pa_kernel_options options = {.name = "k", .cooperative = cooperative, .cluster = cluster};
  CHECK_OK(pa_kernel_create(from->bytes, from->size, &options, &kernel));
  REQUIRE(kernel);
  return kernel;
}

static int64_t totals[ROUNDS], out[MOST];

static void launch_grid(pa_kernel *kernel, uint32_t blocks, int64_t absent) {
  uint64_t slots[] = {(uintptr_t)totals, (uintptr_t)out, ROUNDS, (uint64_t)absent};
  pa_launch launch = {.slots = slots, .slot_bytes = sizeof slots, .grid = {blocks / 2, 2, 1}, .block = {4, 1, 1}};
  memset(totals, 0, sizeof totals);
  memset(out, 0, sizeof out);
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK_OK(pa_cuda_context_synchronize(context));
}

static void grids(void) {
  static const uint32_t sizes[] = {2, 6, 64, MOST};
  pa_kernel *kernel = make(&grid_image, true, 0);
  pa_kernel_failure failure;
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    int64_t n = sizes[s], wrong = 0;
    launch_grid(kernel, sizes[s], -1);
    for (int64_t i = 0; i < n; ++i) wrong += out[i] != ROUNDS * n * (n + 1) / 2;
    CHECK(wrong == 0);
  }
  CHECK(!pa_kernel_take_failure(context, &failure));
  pa_kernel_destroy(kernel);
}

static void absent_blocks(void) {
  pa_kernel *kernel = make(&grid_image, true, 0);
  pa_kernel_failure failure;
  for (int again = 0; again < 2; ++again) {
    launch_grid(kernel, 64, 33);
    CHECK(pa_kernel_take_failure(context, &failure) && failure.error.site == 3);
    CHECK(failure.error.values[0] == 1 && failure.error.values[1] == 1 && failure.error.values[2] == 0);
    CHECK(!pa_kernel_take_failure(context, &failure));
    launch_grid(kernel, 2, -1);
    CHECK(out[0] == ROUNDS * 3 && !pa_kernel_take_failure(context, &failure));
  }
  pa_kernel_destroy(kernel);
}

static void limits(void) {
  pa_kernel *kernel = make(&grid_image, true, 0), *plain = make(&grid_image, false, 0);
  int64_t most = 0;
  uint64_t slots[] = {(uintptr_t)totals, (uintptr_t)out, 0, 0};
  pa_launch launch = {.slots = slots, .slot_bytes = sizeof slots, .grid = {265, 1, 1}, .block = {1024, 1, 1}};
  CHECK_OK(pa_kernel_cooperative_blocks(kernel, context, 1024, 0, 0, &most));
  CHECK(most == 264);
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "265 of which wait for each other, where at most 264 run at once on the device");
  launch.grid[0] = 264;
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK_OK(pa_kernel_cooperative_blocks(kernel, context, 1024, 200000, 0, &most));
  CHECK(most == 132);
  CHECK_OK(pa_kernel_cooperative_blocks(kernel, context, 1024, 0, 3 | 1 << 8 | 1 << 16, &most));
  CHECK(most == 264);
  CHECK_FAILS(pa_kernel_cooperative_blocks(kernel, context, 1024, 300000, 0, &most), "CUDA_ERROR_INVALID_VALUE");
  CHECK_FAILS(pa_kernel_launch(plain, context, &launch),
              "CUDA_ERROR_LAUNCH_FAILED"); // a GPU has no memory for the barrier then
  pa_kernel_destroy(kernel);
  pa_kernel_destroy(plain);
}

static void launch_clusters(pa_kernel *kernel, uint32_t cluster, int64_t leaves) {
  uint64_t slots[] = {(uintptr_t)out, (uint64_t)leaves};
  pa_launch launch = {
      .slots = slots, .slot_bytes = sizeof slots, .grid = {8, 6, 1}, .block = {1, 1, 1}, .cluster = cluster};
  memset(out, -1, sizeof out);
  CHECK_OK(pa_kernel_launch(kernel, context, &launch));
  CHECK_OK(pa_cuda_context_synchronize(context));
}

static void clusters(void) {
  pa_kernel *kernel = make(&cluster_image, false, 0);
  pa_kernel_failure failure;
  static const uint32_t shapes[][2] = {{1, 1}, {2, 1}, {4, 2}, {2, 3}, {8, 2}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
    uint32_t x = shapes[s][0], y = shapes[s][1], wrong = 0;
    launch_clusters(kernel, x | y << 8 | 1 << 16, -1);
    for (uint32_t i = 0; i < 48; ++i) {
      uint32_t bx = i % 8, by = i / 8, rank = bx % x + x * (by % y), before = (rank + x * y - 1) % (x * y);
      wrong += out[i] != (int64_t)(bx / x * x + before % x + 8 * (by / y * y + before / x));
    }
    CHECK(wrong == 0);
  }
  launch_clusters(kernel, 2 | 1 << 8 | 1 << 16, 5); // which nobody waits for
  CHECK(out[5] == -1 && out[4] != -1 && out[3] == 2 && !pa_kernel_take_failure(context, &failure));
  pa_kernel_destroy(kernel);
  pa_launch launch = {
      .slots = out, .slot_bytes = 16, .grid = {8, 6, 1}, .block = {1, 1, 1}, .cluster = 3 | 1 << 8 | 1 << 16};
  kernel = make(&cluster_image, false, 2 | 1 << 8 | 1 << 16);
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch), "was compiled for clusters of (2, 1, 1) blocks");
  launch.cluster = 0;
  launch.grid[0] = 7;
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "whose blocks are no multiple of those of a cluster, 2, in x: CUDA_ERROR_INVALID_CLUSTER_SIZE");
  pa_kernel_destroy(kernel);
}

static void all(void) {
  CHECK_OK(pa_cuda_context_current(&context));
  REQUIRE(context);
  grids();
  absent_blocks();
  limits();
  clusters();
  CHECK_OK(pa_cuda_close());
  pa_emulator_counts counts = pa_emulator_counts_now(), none = {0};
  CHECK(!memcmp(&counts, &none, sizeof counts));
}

// A driver without cuLaunchKernelEx.
static void old_driver(void) {
  char text[320];
  uint64_t slots[4] = {0};
  pa_kernel *kernel = NULL;
  pa_kernel_options options = {.name = "k", .cooperative = true};
  pa_launch launch = {.slots = slots, .slot_bytes = sizeof slots, .grid = {1, 1, 1}, .block = {1, 1, 1}};
  snprintf(text, sizeof text, "// object: %s\n", grid_image.path);
  CHECK_OK(pa_cuda_context_current(&context));
  CHECK_OK(pa_kernel_create(text, strlen(text), &options, &kernel));
  CHECK_FAILS(pa_kernel_launch(kernel, context, &launch),
              "for which the driver has to be that of CUDA 11.8 or newer: CUDA_ERROR_NOT_SUPPORTED");
  pa_kernel_destroy(kernel);
  CHECK_OK(pa_cuda_close());
}

int main(void) {
  grid_image = compile_image("grid", grid_source);
  cluster_image = compile_image("cluster", cluster_source);
  IN_CHILD(all, "PYARRAY_CUDA=cpu", "PYARRAY_OPENMP_LIBRARY=/nowhere");
  IN_CHILD(all, "PYARRAY_CUDA=cpu", "PYARRAY_NUM_THREADS=4");
  IN_CHILD(old_driver, "PYARRAY_CUDA=gpu", "PYARRAY_CUDA_DRIVER=" FAKE_OLD_DRIVER);
  remove_images();
  free(grid_image.bytes);
  free(cluster_image.bytes);
  return report_checks();
}
