// Type codes: the compact text for types that dispatcher, cache and compiler share (docs/internals.md).
//
//   type      = scalar | function | functions | named | vector | view | random | range | slice | "n" | "(" type* ")" |
//   "[" layout rank item | record | "*" pointee | object | "O" type     "Od": float64 or None item      = scalar |
//   record | chars | vector               record, chars and vector: record_code.h; "v" before a record: readonly vector
//   = "x(" number { number } ")"                     "x(ffff)": a vector of CUDA's, which else is the tuple instance  =
//   "J[" name "]"                                  "J[module:Class#0]"; the name has no bracket function  = "P[" number
//   "]"                                a compiled function, by the number that the dispatcher gave it functions = "p["
//   number { "," number } "]"                 an item that is one of these, by PA_TYPE_FUNCTIONS and its number view =
//   "V" format array                                "VB[c1B": a memoryview; format is the letter of its items, array
//   what it shows named     = "N[" name "]" "(" type* ")"                     "N[module:Point#0](dd)": a named tuple
//             | "k[" [ name { "," name } ] "]" "(" type* ")"      "k[scale,n](dq)": keyword arguments, of a parameter
//             **kwargs | "E" [ "+" | "|" ] "[" name "]"                  a member of an Enum, by its number; of an
//             IntEnum or IntFlag ("E+"), or of a Flag
//                                                               ("E|"), by its value
//   random    = "r" ( "g" | "b" )                    NumPy's Generator, BitGenerator: the array of its bitgen_t
//   range     = "R"                                             slice = "l" part part part       "lqnn": slice(3, None)
//   part      = "q" | "n"
//   object    = instance | "U" | "Y" | "W" | "L" type | "G" type | "S" type | "X" type | "T" type | "K" type type
//             | "c[" name "]" "K" type type                    "c[counter]KUq": a Counter; "c[ordereddict]",
//             "c[builtins.list]": a defaultdict, by its factory
//               str, bytes, bytearray, "Ld": list, "Gd": generator, "Sq": set, "Xq": deque, "Tq": frozenset, "KUd":
//               dict of str and float64
//   scalar    = number | time
//   number    = "?" | "b" | "h" | "i" | "q" | "B" | "H" | "I" | "Q" | "e" | "g" | "f" | "d" | "F" | "D"
//   time      = ( "M" | "m" ) "[" unit "]"                    "M[D]": datetime64[D], "m[25s]": timedelta64[25s]
//   pointee   = number | "n"                                  "*n": void *
//             | "(" { number | "*" number } ")" ( number | "*" number | "n" )     "*(di)d": double (*)(double, int)
//             | ":(" type* ")" type                                               "*:([A1d)d": a value of a
//             FunctionType, whichever function it is
//   layout    = "C" | "F" | "A" | "B", lower case when readonly; B: any address, any strides in bytes        rank =
//   decimal, 0 to PA_TYPE_MAX_RANK dtype     = "t" item                                        a dtype or a class of
//   NumPy's scalars signature = { type | "s" | known } ">" [ type ]              "dd>d", or arguments alone "dd>"; "s":
//   PA_TYPE_OMITTED known     = "=" ( "q" decimal | "?" ( "0" | "1" ) | "U" hexadecimal digits of UTF-8 ) ";" "=q-2;":
//   PA_TYPE_KNOWN
//
// Codes are NUL-terminated borrowed text; nothing here allocates.
#ifndef PYARRAY_LIB_SUPPORT_TYPE_CODE_H
#define PYARRAY_LIB_SUPPORT_TYPE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "time_unit.h"

// A whole argument only: a parameter that the call left out, whose default is a str. Its slot is 0: the text is
// compiled in.
#define PA_TYPE_OMITTED 's'

// A whole argument only: an int64, a bool or a str whose value is compiled in. Its slot is that of the value.
#define PA_TYPE_KNOWN '='

// Of a compiled function from Python beside others: its number and this, which the compiler gives no function that it
// chooses by number itself.
#define PA_TYPE_FUNCTIONS ((int64_t)1 << 32)

enum {
  PA_TYPE_MAX_RANK = 32,
  PA_TYPE_MAX_DEPTH = 64,      // of types in types
  PA_TYPE_MAX_ELEMENTS = 4096, // of a tuple: every one is a value of its own in compiled code
};

typedef enum pa_type_kind {
  PA_TYPE_SCALAR,
  PA_TYPE_NONE,
  PA_TYPE_TUPLE,
  PA_TYPE_ARRAY,
  PA_TYPE_RECORD,
  PA_TYPE_RECORDS, // an array of items that lie there as bytes: records, text, or numbers at any address
  PA_TYPE_POINTER,
  PA_TYPE_STR,
  PA_TYPE_BYTES,
  PA_TYPE_BYTEARRAY,
  PA_TYPE_LIST,
  PA_TYPE_SET,
  PA_TYPE_DICT,
  PA_TYPE_DEQUE,
  PA_TYPE_FROZENSET,
  PA_TYPE_GENERATOR,
  PA_TYPE_INSTANCE, // of a compiled class
  PA_TYPE_OPTIONAL,
  PA_TYPE_FUNCTION, // a compiled one: it takes no slot
  PA_TYPE_DTYPE,    // nor does a dtype, the code of whose items is behind the letter
  PA_TYPE_RANGE,    // start, stop, step
  PA_TYPE_SLICE,    // those of its parts that are not None
} pa_type_kind;

typedef enum pa_dtype_kind {
  PA_DTYPE_BOOL,
  PA_DTYPE_SIGNED,
  PA_DTYPE_UNSIGNED,
  PA_DTYPE_FLOAT,
  PA_DTYPE_COMPLEX,
  PA_DTYPE_DATETIME,
  PA_DTYPE_TIMEDELTA,
} pa_dtype_kind;

// One type, decoded one level deep.
typedef struct pa_type {
  pa_type_kind kind;
  char dtype;    // scalar, array: the scalar letter; pointer: the pointee's, 'n' for void, '(' for a function of C, ':'
                 // for a value of a FunctionType; else 0
  char layout;   // array: 'C', 'F' or 'A'; else 0. Of records also 'B'
  bool readonly; // array
  bool vector;   // which else is a tuple
  char random;   // of NumPy's Generator ('g') or BitGenerator ('b'), which is else an array: of its bitgen_t; else 0
  char format;   // of a memoryview, which is else an array: the letter of its items as `struct` has it; 0: it is none
  int rank;      // array; else 0
  int64_t item_size;    // record, records: bytes
  pa_time_unit unit;    // where |dtype| is 'M' or 'm'
  const char *elements; // tuple: the first element, or its ')'; list, set, optional, generator: the item; dict: the
                        // key, which the value follows; value of a FunctionType: the first argument, or its ')';
                        // instance: its class's name; record, records: the item's code
  const char *name; // of the class of a named tuple (else a tuple), of an enum (else an int64), or of a dict's class,
                    // up to "]"; NULL: it has none
} pa_type;

// Decodes the type that |code| starts with and returns what follows it, or NULL where it is malformed.
// |out_type| may be NULL. The elements of a tuple are walked by:
//   for (const char *at = type.elements; *at != ')';) at = pa_type_next(at, &element);
const char *pa_type_next(const char *code, pa_type *out_type);

// |code| holds one well-formed type and nothing after it.
bool pa_type_is_valid(const char *code);

// Elements of a tuple; 0 for every other type.
int pa_type_element_count(const pa_type *type);

// An array, or a record, which is one of bytes: the axes of what its slots describe.
static inline bool pa_type_is_array(const pa_type *type) {
  return type->kind == PA_TYPE_ARRAY || type->kind == PA_TYPE_RECORD || type->kind == PA_TYPE_RECORDS;
}
static inline int pa_type_axes(const pa_type *type) { return type->rank + (type->kind != PA_TYPE_ARRAY); }

// 8-byte slots that the type |code| starts with takes in the entry convention, nested tuples flattened;
// -1 where it is malformed.
int64_t pa_type_slots(const char *code);

//===-- Signatures --------------------------------------------------------------------------------===//

// Arguments, where none is omitted or known, are walked by:
//   for (const char *at = code; *at != '>';) at = pa_type_next(at, &type);
// A handle of an object on the heap: str, bytes, list, set, dict, generator or an instance of a class.
static inline bool pa_type_is_handle(const pa_type *type) {
  return type->kind >= PA_TYPE_STR && type->kind <= PA_TYPE_INSTANCE;
}

// What follows the argument that |code| starts with, which may be omitted or known; NULL where it is malformed.
const char *pa_argument_next(const char *code);
bool pa_signature_is_valid(const char *code);
int pa_signature_argument_count(const char *code);     // -1 where malformed
int64_t pa_signature_argument_slots(const char *code); // -1 where malformed
const char *pa_signature_result(const char *code);     // borrowed; NULL where malformed or not declared

//===-- Scalars -----------------------------------------------------------------------------------===//

// Letters alone: of times, 'M' and 'm' without their units.
bool pa_dtype_is_valid(char dtype);
bool pa_format_is_valid(char format); // that items of a memoryview may have
static inline bool pa_dtype_is_time(char dtype) { return dtype == 'M' || dtype == 'm'; }
pa_dtype_kind pa_dtype_kind_of(char dtype); // |dtype| must be valid here and below
int pa_dtype_size(char dtype);              // bytes per item
int pa_dtype_slots(char dtype);             // 2 for complex128, else 1
// Whether a type begins and ends with this letter, that of a number: most do, and what reads many codes looks at it
// first.
static inline bool pa_code_is_number(char letter) {
  switch (letter) {
  case '?':
  case 'b':
  case 'h':
  case 'i':
  case 'q':
  case 'B':
  case 'H':
  case 'I':
  case 'Q':
  case 'e':
  case 'g':
  case 'f':
  case 'd':
  case 'F':
  case 'D': return true;
  default: return false;
  }
}
const char *pa_dtype_name(char dtype); // "float64", as NumPy says; static storage

#endif // PYARRAY_LIB_SUPPORT_TYPE_CODE_H
