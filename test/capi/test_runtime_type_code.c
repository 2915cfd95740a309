// lib/support/type_code.c
#include "../../lib/support/type_code.h"
#include "test_runtime_check.h"

#include <string.h>

static void test_scalars(void) {
  const char letters[] = "?bhiqBHIQefdFD";
  const int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16};
  for (int i = 0; letters[i]; ++i) {
    char code[2] = {letters[i], 0};
    pa_type type;
    const char *end = pa_type_next(code, &type);
    CHECK(end == code + 1 && type.kind == PA_TYPE_SCALAR && type.dtype == letters[i]);
    CHECK(pa_dtype_size(letters[i]) == sizes[i]);
    CHECK(pa_type_slots(code) == (letters[i] == 'D' ? 2 : 1));
  }
  CHECK(!strcmp(pa_dtype_name('F'), "complex64") && !strcmp(pa_dtype_name('?'), "bool"));
  CHECK(pa_dtype_kind_of('B') == PA_DTYPE_UNSIGNED && pa_dtype_kind_of('d') == PA_DTYPE_FLOAT);
  CHECK(!pa_dtype_is_valid('x') && !pa_dtype_is_valid('\0') && !pa_dtype_is_valid('n'));
  CHECK(pa_type_slots("n") == 0);
}

static void test_arrays(void) {
  pa_type type;
  CHECK(!*pa_type_next("[C2d", &type));
  CHECK(type.kind == PA_TYPE_ARRAY && type.layout == 'C' && type.rank == 2 && type.dtype == 'd' && !type.readonly);
  CHECK(pa_type_next("[a12F>", &type) && type.layout == 'A' && type.readonly && type.rank == 12);
  CHECK(pa_type_next("[f0?", &type) && type.layout == 'F' && type.readonly && type.rank == 0);
  CHECK(pa_type_slots("[C0d") == 4 && pa_type_slots("[A3D") == 10);
  CHECK(pa_type_is_valid("[C32d") && !pa_type_is_valid("[C33d") && !pa_type_is_valid("[C99999999999d"));
}

static void test_times(void) {
  pa_type type;
  CHECK(!*pa_type_next("M[D]", &type) && type.kind == PA_TYPE_SCALAR && type.dtype == 'M' &&
        type.unit.base == PA_TIME_DAY);
  CHECK(!*pa_type_next("[c2m[25s]", &type) && type.kind == PA_TYPE_ARRAY && type.dtype == 'm' &&
        type.unit.multiple == 25);
  CHECK(type.unit.base == PA_TIME_SECOND && type.readonly && pa_type_slots("[c2m[25s]") == 8 &&
        pa_type_slots("M[generic]") == 1);
  CHECK(pa_signature_argument_count("M[D]m[ms]d>M[ms]") == 3 && pa_signature_is_valid("(M[D]q)>(m[s]m[s])"));
  CHECK(pa_dtype_size('M') == 8 && pa_dtype_kind_of('m') == PA_DTYPE_TIMEDELTA && pa_dtype_is_time('m') &&
        !pa_dtype_is_time('d'));
  const char *codes[] = {"M", "m[", "M[]", "M[D", "M[x]", "m[0s]", "m[1s]", "M(D)", "[C1m", "*m[s]", "m[99999999999s]"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) CHECK(!pa_type_is_valid(codes[i]));
}

static void test_pointers(void) {
  pa_type type;
  CHECK(!*pa_type_next("*d", &type) && type.kind == PA_TYPE_POINTER && type.dtype == 'd' && pa_type_slots("*d") == 1);
  CHECK(!*pa_type_next("*n", &type) && type.kind == PA_TYPE_POINTER && type.dtype == 'n');
  CHECK(!*pa_type_next("*{16,x@0:d,n@8:q}", &type) && type.kind == PA_TYPE_POINTER && type.dtype == '{' &&
        pa_type_slots("*{16,x@0:d,n@8:q}") == 1);
  CHECK(!*pa_type_next("td", &type) && type.kind == PA_TYPE_DTYPE && *type.elements == 'd' && pa_type_slots("td") == 0);
  CHECK(!*pa_type_next("t{16,x@0:d,n@8:q}", &type) && type.kind == PA_TYPE_DTYPE && pa_type_slots("(tM[D]td)") == 0);
  CHECK(!pa_type_is_valid("t") && !pa_type_is_valid("tU") && !pa_type_is_valid("t{16") && !pa_type_is_valid("*{") &&
        !pa_type_is_valid("t[C1d"));
  CHECK(!pa_type_is_valid("*") && !pa_type_is_valid("**d") && !pa_type_is_valid("*[C1d") && !pa_type_is_valid("*x"));
  CHECK(pa_signature_argument_count("i*d*n>d") == 3 && pa_signature_argument_slots("i*d*n>d") == 3);
}

static void test_function_values(void) {
  pa_type type;
  CHECK(!*pa_type_next("*:(d[A1d)U", &type) && type.kind == PA_TYPE_POINTER && type.dtype == ':' &&
        !strcmp(type.elements, "d[A1d)U"));
  CHECK(pa_type_slots("*:()n") == 1 && pa_type_slots("L*:(*:(d)d)q") == 1 &&
        pa_signature_argument_count("*:(Od)dq>*:(Od)d") == 2);
  CHECK(!pa_type_is_valid("*:") && !pa_type_is_valid("*:(") && !pa_type_is_valid("*:(d") &&
        !pa_type_is_valid("*:(d)") && !pa_type_is_valid("*:d") && !pa_type_is_valid("*(*:(d)d)d"));
  char deep[400];
  for (int i = 0; i < 100; ++i) memcpy(deep + 3 * i, "*:(", 4);
  CHECK(!pa_type_is_valid(deep));
}

static void test_instances(void) {
  pa_type type;
  CHECK(!*pa_type_next("J[m:C#0]", &type) && type.kind == PA_TYPE_INSTANCE && !strncmp(type.elements, "m:C#0]", 6) &&
        pa_type_is_handle(&type));
  CHECK(pa_type_slots("J[m:C#0]") == 1 && pa_type_slots("OJ[m:C#0]") == 2 &&
        pa_signature_argument_count("J[m:C#0]d>J[m:C#0]") == 2);
  CHECK(!pa_type_is_valid("J") && !pa_type_is_valid("J[") && !pa_type_is_valid("J[]") && !pa_type_is_valid("Jd"));
}

static void test_named(void) {
  pa_type type;
  CHECK(pa_type_is_valid("N[m:Point#0](dq)") && pa_type_slots("N[m:Point#0](dq)") == 2 &&
        pa_type_slots("N[m:P#0](N[m:Q#0](dd)q)") == 3);
  CHECK(!*pa_type_next("c[counter]KUq", &type) && type.kind == PA_TYPE_DICT && type.elements[0] == 'U' &&
        !strncmp(type.name, "counter]", 8));
  CHECK(pa_type_slots("c[builtins.list]KqLd") == 1 && !pa_type_is_valid("c[counter]") &&
        !pa_type_is_valid("c[counter]Lq") && !pa_type_is_valid("cKUq"));
  CHECK(pa_type_slots("E[m:Color#0]") == 1 && pa_type_slots("E+[m:Color#0]") == 1 &&
        pa_type_slots("E|[m:Color#0]") == 1);
  CHECK(pa_type_slots("LE[m:Color#0]") == 1 && pa_signature_argument_count("N[m:P#0](dd)E[m:C#0]>E[m:C#0]") == 2);
  const char *codes[] = {"N", "N[m:P#0]", "N[m:P#0]d", "N[m:P#0](d", "N(d)", "E", "E[m:C", "E+", "E-[m:C#0]", "E|d"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) CHECK(!pa_type_is_valid(codes[i]));
}

static void test_ranges_and_slices(void) {
  CHECK(pa_type_slots("R") == 3 && pa_type_is_valid("R") && pa_type_is_valid("lqqn") && pa_type_slots("lqqn") == 2 &&
        pa_type_slots("lnnn") == 0);
  CHECK(pa_signature_argument_count("Rlqqqd>R") == 3 && !pa_type_is_valid("l") && !pa_type_is_valid("lqq") &&
        !pa_type_is_valid("lqqd"));
}

static void test_memoryviews(void) {
  pa_type type;
  CHECK(!*pa_type_next("VB[c1B", &type) && type.kind == PA_TYPE_ARRAY && type.format == 'B' && type.readonly &&
        type.rank == 1 && pa_type_slots("VB[c1B") == 6);
  CHECK(!*pa_type_next("[C1B", &type) && !type.format && pa_signature_argument_count("Vl[A2q(Vd[C1d)>Vl[A2q") == 2);
  const char *codes[] = {"V", "VB", "VBB", "V[C1B", "VBd", "Vx[C1B", "VB[C1{8,x@0:d}", "VB[B1d", "VB[C1"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) CHECK(!pa_type_is_valid(codes[i]));
}

static void test_keywords(void) {
  CHECK(pa_type_is_valid("k[a,b](dq)") && pa_type_slots("k[a,b](dq)") == 2 && pa_type_slots("k[]()") == 0);
  CHECK(!pa_type_is_valid("k") && !pa_type_is_valid("k[a]") && !pa_type_is_valid("k[a]d"));
}

static void test_tuples(void) {
  pa_type tuple, element;
  const char *code = "(d(qn)[C1f)";
  CHECK(!*pa_type_next(code, &tuple) && tuple.kind == PA_TYPE_TUPLE && pa_type_element_count(&tuple) == 3);
  char kinds[4];
  int count = 0;
  for (const char *at = tuple.elements; *at != ')'; ++count) {
    at = pa_type_next(at, &element);
    kinds[count] = (char)('0' + element.kind);
  }
  kinds[count] = 0;
  CHECK(count == 3 && kinds[0] == '0' + PA_TYPE_SCALAR && kinds[1] == '0' + PA_TYPE_TUPLE);
  CHECK(pa_type_slots(code) == 1 + 1 + 6);
  CHECK(!*pa_type_next("()", &tuple) && pa_type_element_count(&tuple) == 0 && pa_type_slots("()") == 0);
}

static void test_malformed(void) {
  const char *codes[] = {"",    "x", "[",  "[C",  "[C2", "[C2n",    "[X2d", "[C02d",
                         "[Cd", "(", "(d", "(()", ")",   "[C2[C2d", "dd"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) CHECK(!pa_type_is_valid(codes[i]));
  char deep[300] = {0};
  memset(deep, '(', 100);
  memset(deep + 100, ')', 100);
  CHECK(!pa_type_is_valid(deep));
  CHECK(pa_type_is_valid(memset(memset(deep, 0, sizeof deep), 0, 1)) == 0);
  memset(deep, '(', PA_TYPE_MAX_DEPTH);
  memset(deep + PA_TYPE_MAX_DEPTH, ')', PA_TYPE_MAX_DEPTH);
  CHECK(pa_type_is_valid(deep));
}

static void test_signatures(void) {
  CHECK(pa_signature_is_valid("dd>d") && pa_signature_is_valid(">") && pa_signature_is_valid("[C2d(qq)>n"));
  CHECK(!pa_signature_is_valid("dd") && !pa_signature_is_valid("") && !pa_signature_is_valid("d>dd"));
  CHECK(!pa_signature_is_valid("(d>d)") && !pa_signature_is_valid("d>>"));
  CHECK(pa_signature_argument_count("[C2d(qq)D>") == 3 && pa_signature_argument_slots("[C2d(qq)D>") == 8 + 2 + 2);
  CHECK(pa_signature_argument_count("d") == -1 && pa_signature_argument_slots("x>") == -1);
  // An omitted argument counts and has a slot, as the str that it stands for; it is no element and no result.
  CHECK(pa_signature_argument_count("sds>") == 3 && pa_signature_argument_slots("sds>d") == 3);
  CHECK(!pa_signature_is_valid("(s)>") && !pa_signature_is_valid("d>s") && !pa_type_is_valid("s"));
  // So does one whose value is known.
  const char *known[] = {"=q-2;>", "=q0;>", "=?1;>", "=U;>", "=U6f6e65;>"},
             *malformed[] = {"=q;>", "=q-;>", "=q2>", "=?2;>", "=U6;>", "=U6F;>", "=d1;>", "=", "=;>"};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    CHECK(pa_signature_argument_count(known[i]) == 1 && pa_signature_argument_slots(known[i]) == 1);
    CHECK(*pa_argument_next(known[i]) == '>' && !pa_type_is_valid(known[i]));
  }
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; ++i) CHECK(!pa_signature_is_valid(malformed[i]));
  CHECK(pa_signature_argument_count("d=q2;s[C1d>") == 4 && !pa_signature_is_valid("(=q2;)>") &&
        !pa_signature_is_valid("d>=q2;"));
  CHECK(!pa_signature_result("d>") && !strcmp(pa_signature_result("d>(dd)"), "(dd)"));
}

int main(void) {
  test_scalars();
  test_arrays();
  test_pointers();
  test_function_values();
  test_instances();
  test_named();
  test_ranges_and_slices();
  test_keywords();
  test_memoryviews();
  test_times();
  test_tuples();
  test_malformed();
  test_signatures();
  return report_checks();
}
