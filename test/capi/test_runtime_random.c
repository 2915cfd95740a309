// lib/runtime/numbers/random.c: the streams of CPython's random and NumPy's legacy np.random, bit by bit.
#include "../../lib/runtime/runtime.h"
#include "test_runtime_check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

// Draws number 0, 1, 311, 312 and 699 after seeding.
typedef struct expected_stream {
  int64_t seed;
  double draws[5];
} expected_stream;

// random.seed(s); [random.random() for _ in range(700)]
static const expected_stream python_streams[] = {
    {0, {0x1.b0580f98a7dbep-1, 0x1.84129978f9c1ap-1, 0x1.934264473a8f4p-2, 0x1.09badb528c6c9p-1, 0x1.d2ddb2f8ffab0p-5}},
    {1, {0x1.132d8f91b7584p-3, 0x1.b1e2d5b3584f8p-1, 0x1.4f185f97e97bcp-2, 0x1.445637e5783c4p-2, 0x1.f1da143ed43a8p-3}},
    {42,
     {0x1.4762f307200c5p-1, 0x1.99c6b5eeb2060p-6, 0x1.ae3c9bae9bec0p-3, 0x1.ff0972aabc25cp-3, 0x1.16d0e14e63472p-1}},
    {-7,
     {0x1.4b9ad0f953a6ep-2, 0x1.34f0696513270p-3, 0x1.aa36300e514cdp-1, 0x1.4aaeb7b4d19ecp-3, 0x1.17537ac885c40p-5}},
    {4294967301,
     {0x1.4218067c49768p-3, 0x1.21442cf1e9172p-2, 0x1.9a0daab3b5befp-1, 0x1.cbc977f66febap-1, 0x1.c8d5225062caap-1}},
    {INT64_MAX,
     {0x1.443e8e5409ca6p-2, 0x1.43346b887de9dp-1, 0x1.5a375ba6a8f0cp-2, 0x1.247aa3249a20ep-1, 0x1.d987e83cd1cbep-2}},
    {INT64_MIN,
     {0x1.1b5fa2193586fp-1, 0x1.e198384d65bb9p-1, 0x1.31a11ce08c68cp-2, 0x1.4a18ccddabaa8p-4, 0x1.d2c35dcc7120ep-2}},
};

// numpy.random.seed(s); [numpy.random.random() for _ in range(700)]
static const expected_stream numpy_streams[] = {
    {0, {0x1.18fe1565f12a8p-1, 0x1.6e2d4cf608733p-1, 0x1.2cf25ce2031ccp-3, 0x1.45b8f280519f0p-4, 0x1.af8072ee1d1f7p-1}},
    {1, {0x1.ab07d0ffa3c06p-2, 0x1.70ce5f3baf051p-1, 0x1.d1bbbf5de4b9cp-1, 0x1.074a049bfdcd2p-2, 0x1.2597bd19c46f4p-2}},
    {42,
     {0x1.7f8771e5f51ecp-2, 0x1.e6c4068bbd654p-1, 0x1.415b7a8070ca8p-4, 0x1.9f58b97983ee0p-6, 0x1.ecaffda90acdap-2}},
    {12345,
     {0x1.dbf6a3f8f84b7p-1, 0x1.43f7f410bb044p-2, 0x1.5d4657ebcf953p-1, 0x1.d7c0b0345de90p-1, 0x1.58edcf426b100p-7}},
    {4294967295,
     {0x1.8fe69a3924820p-4, 0x1.d323d824032b1p-1, 0x1.2369739e9c078p-2, 0x1.cc39c1c9cc10cp-1, 0x1.11b3f0b3bebc0p-7}},
};

static void check_stream(const expected_stream *stream, void (*seed)(int64_t), double (*draw)(void)) {
  static const int places[5] = {0, 1, 311, 312, 699};
  seed(stream->seed);
  for (int i = 0, next = 0; i < 700; ++i) {
    double value = draw();
    if (i == places[next]) CHECK(value == stream->draws[next++]);
  }
}

static void test_streams(void) {
  for (size_t i = 0; i < sizeof python_streams / sizeof *python_streams; ++i)
    check_stream(&python_streams[i], pyarray_rt_py_random_seed, pyarray_rt_py_random_random);
  for (size_t i = 0; i < sizeof numpy_streams / sizeof *numpy_streams; ++i)
    check_stream(&numpy_streams[i], pyarray_rt_np_random_seed, pyarray_rt_np_random_random);
}

// random.seed(3); random.getrandbits(32); 311 and 1 more random.random(): a pair straddles two rounds of 624 words.
static void test_odd_positions(void) {
  pyarray_rt_py_random_seed(3);
  CHECK((uint32_t)pyarray_rt_py_random_bits32() == 1022050301u);
  for (int i = 0; i < 311; ++i) pyarray_rt_py_random_random();
  CHECK(pyarray_rt_py_random_random() == 0x1.b460be47c31bcp-1);
  CHECK(pyarray_rt_py_random_random() == 0x1.a14236c065520p-6);
}

// What inlined code does with the state.
static void test_state(void) {
  pyarray_rt_np_random_seed(42);
  pa_random *state = (pa_random *)(uintptr_t)pyarray_rt_np_random_state();
  CHECK(state->position == PA_RANDOM_WORDS);
  pyarray_rt_random_refill((int64_t)(uintptr_t)state);
  CHECK(state->position == 0);
  double first = (double)((uint64_t)(state->outputs[0] >> 5) << 26 | state->outputs[1] >> 6) * 0x1p-53;
  CHECK(first == numpy_streams[2].draws[0] && first == pyarray_rt_np_random_random());
}

static void *draw_unseeded(void *out) {
  ((double *)out)[0] = pyarray_rt_py_random_random();
  ((double *)out)[1] = pyarray_rt_np_random_random();
  return NULL;
}

static void test_threads_have_own_states(void) {
  double draws[2][2];
  pyarray_rt_py_random_seed(1);
  for (int i = 0; i < 2; ++i) {
    pthread_t thread;
    REQUIRE(!pthread_create(&thread, NULL, draw_unseeded, draws[i]));
    pthread_join(thread, NULL);
  }
  CHECK(draws[0][0] != draws[1][0] && draws[0][1] != draws[1][1] && draws[0][0] != draws[0][1]);
  for (int i = 0; i < 4; ++i) CHECK(draws[i / 2][i % 2] >= 0 && draws[i / 2][i % 2] < 1);
  CHECK(pyarray_rt_py_random_random() == python_streams[1].draws[0]);
}

static void test_fork_reseeds(void) {
  int pipes[2];
  double child_draw = 0;
  REQUIRE(!pipe(pipes));
  pyarray_rt_py_random_seed(1);
  pid_t child = fork();
  if (!child) {
    child_draw = pyarray_rt_py_random_random();
    _exit(write(pipes[1], &child_draw, sizeof child_draw) != sizeof child_draw);
  }
  REQUIRE(child > 0 && read(pipes[0], &child_draw, sizeof child_draw) == sizeof child_draw);
  waitpid(child, NULL, 0);
  CHECK(child_draw != python_streams[1].draws[0]);
  CHECK(pyarray_rt_py_random_random() == python_streams[1].draws[0]);
}

int main(void) {
  test_streams();
  test_odd_positions();
  test_state();
  test_threads_have_own_states();
  test_fork_reseeds();
  return report_checks();
}
