// Fences, sleep and print of one thread: on the GPU, and on the CPU that emulates it.
#include "device.h"

#ifdef __NVPTX__

// The driver's printf: |format| and the values in a buffer; it shows them when the host next waits for the device.
int vprintf(const char *format, void *values);

void pyarray_dev_threadfence(void) { __nvvm_membar_gl(); }
void pyarray_dev_threadfence_block(void) { __nvvm_membar_cta(); }
void pyarray_dev_threadfence_system(void) { __nvvm_membar_sys(); }
void pyarray_dev_nanosleep(int32_t nanoseconds) { __nvvm_nanosleep(nanoseconds); }
void pyarray_dev_print(const char *format, void *values) { vprintf(format, values); }

// No compiler makes one operation of these and another one.
int32_t pyarray_dev_add_rn(int32_t a, int32_t b) {
  int32_t sum;
  __asm__("add.rn.f32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}

int32_t pyarray_dev_mul_rn(int32_t a, int32_t b) {
  int32_t product;
  __asm__("mul.rn.f32 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}

#else

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "number_text/number_text.h"

void pyarray_dev_threadfence(void) { atomic_thread_fence(memory_order_seq_cst); }
void pyarray_dev_threadfence_block(void) { atomic_thread_fence(memory_order_seq_cst); }
void pyarray_dev_threadfence_system(void) { atomic_thread_fence(memory_order_seq_cst); }

// The blocks of a cluster have their shared memory one behind the other.
int64_t pyarray_dev_map_shared(int64_t address, int32_t rank, int32_t own_rank, int64_t stride) {
  return address + ((int64_t)rank - own_rank) * stride;
}

static float number_of(int32_t bits) {
  float number;
  return memcpy(&number, &bits, sizeof number), number;
}

static int32_t bits_of(float number) {
  int32_t bits;
  return memcpy(&bits, &number, sizeof bits), bits;
}

int32_t pyarray_dev_add_rn(int32_t a, int32_t b) { return bits_of(number_of(a) + number_of(b)); }
int32_t pyarray_dev_mul_rn(int32_t a, int32_t b) { return bits_of(number_of(a) * number_of(b)); }

// The threads of a block share a processor: sleeping hands it on, for however short a time.
void pyarray_dev_nanosleep(int32_t nanoseconds) {
  int64_t time = (uint32_t)nanoseconds;
  nanosleep(&(struct timespec){.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000}, NULL);
}

// "%f", with a point in every locale.
static int print_real(double value) {
  char text[400];
  text[pa_rounded_f64(value, 'f', 6, text, sizeof text - 1)] = '\0';
  return fputs(text, stdout);
}

static int print_value(const char *specifier, const void *value) {
  union {
    long long integer;
    double real;
    const char *text;
  } slot;
  memcpy(&slot, value, sizeof slot);
  switch (specifier[strspn(specifier, "%l")]) {
  case 'u': return printf("%llu", (unsigned long long)slot.integer);
  case 'f': return print_real(slot.real);
  case 's': return fputs(slot.text, stdout);
  default: return printf("%lld", slot.integer);
  }
}

void pyarray_dev_print(const char *format, void *values) {
  const char *value = values;
  flockfile(stdout); // lines of different threads stay apart
  while (*format) {
    size_t plain = strcspn(format, "%");
    fwrite(format, 1, plain, stdout);
    format += plain;
    if (format[0] == '%' && format[1] == '%') {
      putc_unlocked('%', stdout);
      format += 2;
    } else if (*format) {
      print_value(format, value);
      value += 8;
      format += strspn(format, "%l") + 1;
    }
  }
  funlockfile(stdout);
}

#endif
