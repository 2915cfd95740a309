// Stores in PTX that write less than the whole of a register: bytes of a number whose address is no multiple of its
// size (fields of packed records, views), and the low bits of one whose bits are looked at. LLVM relies on PTX, which
// stores the low bits of the register:
//
//   add.f32         %r2, %r1, %r1;
//   st.global.b8    [%rd1+1], %r2;
//
// The assembler (ptxas 13.0, at every level) takes a register that an instruction of floats wrote for a float, f16 to
// f64, and converts it to the unsigned integer that the store names (F2I.U8.TRUNC in SASS): of 2.5 it stores 2. It does
// so in all memories and for arguments, with st.b8, st.b16 and st.b32. After a move of bits the register has no type,
// and the move itself costs nothing:
//
//   mov.b32         %r2, %r2;
//
// What loads, shifts, other instructions of integers, packed and selected bits wrote is stored right, and stores as
// wide as the register are never touched. Which instruction wrote a register is not asked here: it may be in another
// block.
#include "narrow_stores.h"

#include <stdlib.h>
#include <string.h>

// Bits of a register by its name: %rs3, %r3, %rd3; 0: another one. LLVM has a letter for each width.
static unsigned register_bits(const char *name) {
  static const struct {
    const char *prefix;
    unsigned bits;
  } kinds[] = {{"%rs", 16}, {"%rd", 64}, {"%rq", 128}, {"%r", 32}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i].prefix);
    if (strncmp(name, kinds[i].prefix, length) == 0 && name[length] >= '0' && name[length] <= '9') return kinds[i].bits;
  }
  return 0;
}

// Bits of each number that an instruction such as "st.global.v2.b8 \t[%rd1], {%rs1, %rs2};" stores; 0: it is none.
static unsigned stored_bits(const char *instruction, const char *end) {
  const char *type = instruction;
  if (strncmp(instruction, "st.", 3) != 0) return 0;
  for (const char *at = instruction; at < end && *at != ' ' && *at != '\t'; at++)
    if (*at == '.') type = at;
  return type[1] == 'b' ? (unsigned)strtoul(type + 2, NULL, 10) : 0;
}

static void put_moves(const char *operands, const char *end, unsigned stored, pa_string *out) {
  for (const char *at = operands; (at = memchr(at, '%', (size_t)(end - at))); at++) {
    unsigned bits = register_bits(at);
    int length = (int)strcspn(at, ",};");
    if (bits > stored) pa_string_format(out, "\tmov.b%u \t%.*s, %.*s;\n", bits, length, at, length, at);
  }
}

void pa_guard_store(const char *instruction, const char *end, pa_string *out_text) {
  unsigned stored = stored_bits(instruction, end);
  const char *address = stored ? memchr(instruction, ']', (size_t)(end - instruction)) : NULL;
  if (address) put_moves(address, end, stored, out_text);
}
