// Instructions that are replaced in PTX, since LLVM has nothing for what takes their place, or would take long over it:
//
// Stores of a part of a register: narrow_stores.c.
//
// In ufuncs whose threads have several points; kernels of users, which the assembler makes the best code of as they
// are, keep theirs:
//
// Divisions. GPUs have none, and the assembler compiles a function for rare cases with each kernel that divides: 10 ms
// for each type. Ours, whose rare cases are in lib/device/division.c, take half of that:
//
//   div.rn.f64 %rd3, %rd1, %rd2;
// becomes
//   { ... the reciprocal, Newton's steps, the quotient ...
//     @%usual bra done;
//     call (%rd3), pyarray_dev_rare_quotient_f64, (%rd1, %rd2);
//     done: }
//
// Numbers of float64 whose lower half is not 0. Instructions have no room for them, and the assembler moves both halves
// to registers before each use, in loops too: 20 of the 100 instructions of an exponential. Memory for constants costs
// nothing:
//
//   fma.rn.f64 %rd3, %rd1, %rd2, 0d3FF71547652B82FE;
// becomes
//   { .reg .f64 %pa_k<3>; ld.const.f64 %pa_k0, [pyarray_constants+8]; fma.rn.f64 %rd3, %rd1, %rd2, %pa_k0; }
#include "ptx_text.h"

#include <string.h>

#include "device/library.h"
#include "narrow_stores.h"

enum { MOST_CONSTANTS = 512, MOST_OPERANDS = 3, DIGITS = 16 }; // 4 of 64 KiB; of an instruction; of a number

typedef struct rewriting {
  pa_string *out;
  unsigned divisions[2];                 // of float, of double
  const char *constants[MOST_CONSTANTS]; // their digits, somewhere in the text
  unsigned count;
} rewriting;

static bool starts_with(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

//===-- Divisions ---------------------------------------------------------------------------------===//

// As usual_quotient_f32 and usual_quotient_f64 of test/capi/test_device_division.c: |a| >= 2^-102 and a normal
// quotient, or the same by the upper halves, as floats, in which infinities and NaN are NaN. The operands, a number for
// the label twice, the result.
static const char quotient_f32[] =
    "\t{ .reg .pred %%pa_p; .reg .f32 %%pa_a, %%pa_b, %%pa_n, %%pa_y, %%pa_q, %%pa_e;\n"
    "\tmov.b32 %%pa_a, %.*s;\n\tmov.b32 %%pa_b, %.*s;\n"
    "\trcp.approx.ftz.f32 %%pa_y, %%pa_b;\n\tneg.f32 %%pa_n, %%pa_b;\n"
    "\tfma.rn.f32 %%pa_e, %%pa_n, %%pa_y, 0f3F800000;\n\tfma.rn.f32 %%pa_y, %%pa_y, %%pa_e, %%pa_y;\n"
    "\tmul.rn.f32 %%pa_q, %%pa_a, %%pa_y;\n\tfma.rn.f32 %%pa_e, %%pa_n, %%pa_q, %%pa_a;\n\tfma.rn.f32 %%pa_q, %%pa_e, "
    "%%pa_y, %%pa_q;\n"
    "\tabs.f32 %%pa_e, %%pa_a;\n\tabs.f32 %%pa_y, %%pa_q;\n"
    "\tsetp.ge.f32 %%pa_p, %%pa_e, 0f0C800000;\n\tsetp.ge.and.f32 %%pa_p, %%pa_y, 0f00800000, %%pa_p;\n"
    "\t@%%pa_p bra $L__pa_quotient%u;\n"
    "\t{ .param .b32 pa_x; .param .b32 pa_y; .param .b32 pa_z;\n\tst.param.b32 [pa_x], %%pa_a;\n\tst.param.b32 [pa_y], "
    "%%pa_b;\n"
    "\tcall (pa_z), pyarray_dev_rare_quotient_f32, (pa_x, pa_y);\n\tld.param.b32 %%pa_q, [pa_z]; }\n"
    "$L__pa_quotient%u:\n\tmov.b32 %.*s, %%pa_q; }\n";

static const char quotient_f64[] =
    "\t{ .reg .pred %%pa_p; .reg .f32 %%pa_f, %%pa_g; .reg .b32 %%pa_l, %%pa_h; .reg .f64 %%pa_a, %%pa_b, %%pa_n, "
    "%%pa_y, %%pa_q, %%pa_e;\n"
    "\tmov.b64 %%pa_a, %.*s;\n\tmov.b64 %%pa_b, %.*s;\n"
    "\trcp.approx.ftz.f64 %%pa_y, %%pa_b;\n\tmov.b64 {%%pa_l, %%pa_h}, %%pa_y;\n\tmov.b32 %%pa_l, 1;\n\tmov.b64 "
    "%%pa_y, {%%pa_l, %%pa_h};\n"
    "\tneg.f64 %%pa_n, %%pa_b;\n\tfma.rn.f64 %%pa_e, %%pa_n, %%pa_y, 0d3FF0000000000000;\n"
    "\tfma.rn.f64 %%pa_e, %%pa_e, %%pa_e, %%pa_e;\n\tfma.rn.f64 %%pa_y, %%pa_y, %%pa_e, %%pa_y;\n"
    "\tfma.rn.f64 %%pa_e, %%pa_n, %%pa_y, 0d3FF0000000000000;\n\tfma.rn.f64 %%pa_y, %%pa_y, %%pa_e, %%pa_y;\n"
    "\tmul.rn.f64 %%pa_q, %%pa_a, %%pa_y;\n\tfma.rn.f64 %%pa_e, %%pa_n, %%pa_q, %%pa_a;\n\tfma.rn.f64 %%pa_q, %%pa_e, "
    "%%pa_y, %%pa_q;\n"
    "\tmov.b64 {%%pa_l, %%pa_h}, %%pa_a;\n\tmov.b32 %%pa_f, %%pa_h;\n\tabs.f32 %%pa_f, %%pa_f;\n\tsetp.ge.f32 %%pa_p, "
    "%%pa_f, 0f03600000;\n"
    "\tmov.b64 {%%pa_l, %%pa_h}, %%pa_b;\n\tmov.b32 %%pa_f, %%pa_h;\n\tmov.b64 {%%pa_l, %%pa_h}, %%pa_q;\n\tmov.b32 "
    "%%pa_g, %%pa_h;\n"
    "\tfma.rn.f32 %%pa_f, 0f00000000, %%pa_f, %%pa_g;\n\tabs.f32 %%pa_f, %%pa_f;\n\tsetp.gt.and.f32 %%pa_p, %%pa_f, "
    "0f00100000, %%pa_p;\n"
    "\t@%%pa_p bra $L__pa_quotient%u;\n"
    "\t{ .param .b64 pa_x; .param .b64 pa_y; .param .b64 pa_z;\n\tst.param.b64 [pa_x], %%pa_a;\n\tst.param.b64 [pa_y], "
    "%%pa_b;\n"
    "\tcall (pa_z), pyarray_dev_rare_quotient_f64, (pa_x, pa_y);\n\tld.param.b64 %%pa_q, [pa_z]; }\n"
    "$L__pa_quotient%u:\n\tmov.b64 %.*s, %%pa_q; }\n";

// "div.rn.f64 \t%rd3, %rd1, %rd2;"
static bool divide(rewriting *r, const char *instruction, const char *end) {
  struct {
    const char *text;
    int length;
  } operands[3];
  bool is_double = starts_with(instruction, "div.rn.f64 ");
  const char *at = instruction + strcspn(instruction, " \t");
  if (!is_double && !starts_with(instruction, "div.rn.f32 ")) return false;
  for (int i = 0; i < 3; i++) {
    at += strspn(at, " \t,");
    operands[i].text = at;
    operands[i].length = (int)strcspn(at, ",;\n");
    at += operands[i].length;
  }
  if (at >= end || *at != ';') return false;
  unsigned label = r->divisions[0] + r->divisions[1];
  pa_string_format(r->out, is_double ? quotient_f64 : quotient_f32, operands[1].length, operands[1].text,
                   operands[2].length, operands[2].text, label, label, operands[0].length, operands[0].text);
  r->divisions[is_double]++;
  return true;
}

// What clang made of division.c, between the two comments that it puts around each function.
static void append_function(const char *name, pa_string *out) {
  const char *library = (const char *)pa_device_division, *begin = strstr(library, name);
  begin = begin ? strstr(begin, ".func") : NULL;
  const char *end = begin ? strstr(begin, "\n}") : NULL;
  if (!end) return;
  pa_string_append(out, begin, (size_t)(end + 2 - begin));
  pa_string_puts(out, "\n\n");
}

//===-- Numbers -----------------------------------------------------------------------------------===//

// Null if there is no number between that has a lower half.
static const char *find_number(const char *at, const char *end) {
  for (; (at = memchr(at, '0', (size_t)(end - at))); at++) {
    bool is_number = end - at > 2 + DIGITS && at[1] == 'd' && (at[-1] == ' ' || at[-1] == '\t');
    if (is_number && strncmp(at + 2 + DIGITS / 2, "00000000", DIGITS / 2) != 0) return at + 2;
  }
  return NULL;
}

static bool find_place(rewriting *r, const char *digits, unsigned *out_place) {
  for (*out_place = 0; *out_place < r->count; ++*out_place)
    if (strncmp(r->constants[*out_place], digits, DIGITS) == 0) return true;
  if (r->count == MOST_CONSTANTS) return false;
  r->constants[r->count++] = digits;
  return true;
}

// Each number of the instruction.
static bool use_memory(rewriting *r, const char *instruction, const char *end) {
  static const char *const instructions[] = {"fma.rn.f64 ", "mul.rn.f64 ", "mul.f64 ", "add.rn.f64 ",
                                             "add.f64 ",    "sub.rn.f64 ", "sub.f64 "};
  const char *numbers[MOST_OPERANDS], *number = NULL, *kept = instruction;
  unsigned count = 0, place;
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions && !number; i++)
    if (starts_with(instruction, instructions[i])) number = find_number(instruction, end);
  for (; number && count < MOST_OPERANDS; number = find_number(number, end)) {
    if (!find_place(r, number, &place)) break;
    if (!count) pa_string_format(r->out, "\t{ .reg .f64 %%pa_k<%d>; ", MOST_OPERANDS);
    pa_string_format(r->out, "ld.const.f64 %%pa_k%u, [pyarray_constants+%u]; ", count, 8 * place);
    numbers[count++] = number;
  }
  for (unsigned i = 0; i < count; i++) {
    pa_string_append(r->out, kept, (size_t)(numbers[i] - 2 - kept));
    pa_string_format(r->out, "%%pa_k%u", i);
    kept = numbers[i] + DIGITS;
  }
  if (!count) return false;
  pa_string_append(r->out, kept, (size_t)(end - 1 - kept));
  pa_string_puts(r->out, " }\n");
  return true;
}

static void append_constants(const rewriting *r, pa_string *out) {
  if (!r->count) return;
  pa_string_format(out, ".const .align 8 .b64 pyarray_constants[%u] = {", r->count);
  for (unsigned i = 0; i < r->count; i++) pa_string_format(out, "%s0x%.*s", i ? ", " : "", DIGITS, r->constants[i]);
  pa_string_puts(out, "};\n\n");
}

//===-- Lines -------------------------------------------------------------------------------------===//

// Whether the line is replaced; else it follows what was appended.
static bool rewrite(rewriting *r, const char *line, const char *end, bool optimize) {
  const char *instruction = line + strspn(line, " \t");
  if (*instruction == 's') pa_guard_store(instruction, end, r->out);
  if (!optimize) return false;
  return divide(r, instruction, end) || use_memory(r, instruction, end);
}

// Where functions and variables may stand: behind ".address_size 64".
static const char *end_of_head(const char *text, const char *end) {
  const char *size = strstr(text, ".address_size"), *line = size ? memchr(size, '\n', (size_t)(end - size)) : NULL;
  return line ? line + 1 : text;
}

void pa_append_ptx(const char *text, size_t size, bool optimize, pa_string *out_text) {
  const char *end = text + size, *head = end_of_head(text, end), *kept = head; // what is not appended yet
  pa_string body = {0};
  rewriting r = {.out = &body};
  for (const char *line = head, *next; line < end; line = next) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    next = newline ? newline + 1 : end;
    if (*line != '\t' || !strchr("sdfma", line[1])) continue;
    pa_string_append(&body, kept, (size_t)(line - kept));
    kept = rewrite(&r, line, next, optimize) ? next : line;
  }
  pa_string_append(&body, kept, (size_t)(end - kept));
  pa_string_append(out_text, text, (size_t)(head - text));
  if (r.divisions[0]) append_function("pyarray_dev_rare_quotient_f32", out_text);
  if (r.divisions[1]) append_function("pyarray_dev_rare_quotient_f64", out_text);
  append_constants(&r, out_text);
  pa_string_append(out_text, pa_string_text(&body), body.length);
  pa_string_free(&body);
}
