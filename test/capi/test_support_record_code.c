// lib/support/record_code.c
#include "../../lib/support/record_code.h"
#include "../../lib/support/type_code.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void test_walk(void) {
  const char *code = "{r40,x@0:d,m@8:2x2xh,odd%20name%21@16:z5,n@24:{8,u@0:h,v@4:f},t@32:Z2}";
  int64_t size;
  CHECK(!*pa_item_code_end(code, &size) && size == 40 && pa_record_field_count(code) == 5);
  pa_record record = pa_record_head(code);
  CHECK(record.size == 40 && record.is_record && !record.is_packed);
  pa_record_field field;
  CHECK(pa_record_find(code, "m", 1, &field) && field.offset == 8 && field.rank == 2 && field.extents[1] == 2 &&
        *field.item == 'h');
  CHECK(pa_record_find(code, "odd name!", 9, &field) && field.offset == 16 && field.item_length == 2);
  char name[16];
  pa_record_name(field.name, field.name_length, name);
  CHECK(!strcmp(name, "odd name!"));
  CHECK(pa_record_find(code, "n", 1, &field) && field.item_length == strlen("{8,u@0:h,v@4:f}"));
  CHECK(!pa_record_find(code, "u", 1, &field) && !pa_record_find(code, "od", 2, &field) &&
        !pa_record_find(code, "", 0, &field));
  CHECK(pa_record_field_at(code, 4, &field) && field.offset == 32 && !pa_record_field_at(code, 5, &field));
}

static void test_alignment(void) {
  CHECK(pa_item_code_alignment("{16,x@0:d,y@8:i}") == 8 && pa_item_code_alignment("{12,x@0:d,y@8:i}") == 1);
  CHECK(pa_item_code_alignment("{16,y@0:i,x@4:d}") == 1 && pa_item_code_alignment("{p16,x@0:d,y@8:q}") == 1);
  CHECK(pa_item_code_alignment("{8,n@0:{8,x@0:F}}") == 4 && pa_item_code_alignment("{0}") == 1 &&
        pa_item_code_alignment("z5") == 1);
  CHECK(pa_item_code_alignment("{9,n@1:{8,x@0:d}}") == 1 && pa_item_code_alignment("D") == 8);
}

static void test_malformed(void) {
  const char *codes[] = {"",           "{",           "{}",           "{8",          "{8,x@0:d",
                         "{8,x@1:d}",  "{8,x@0:}",    "{8,x@0}",      "{8,x0:d}",    "{8,x@0:x}",
                         "{8,x@0:n}",  "{8,x@-1:b}",  "{08,x@0:d}",   "{8,x@0:2xd}", "{8,x@0:2d}",
                         "{8,%4@0:b}", "{8,%00@0:b}", "{9999999999}", "z",           "Z999999999",
                         "[C1d",       "{8,x@0:U}",   "{8 ,x@0:d}",   "{pr8}",       "{8,x@0:Ld}"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i) CHECK(!pa_item_code_end(codes[i], NULL));
  CHECK(!pa_item_code_end("{8,x@0:100000x100000x100000x100000xb}", NULL));
  char deep[400] = "";
  for (int i = 0; i < 40; ++i) strcat(deep, "{8,x@0:");
  strcat(deep, "d");
  for (int i = 0; i < 40; ++i) strcat(deep, "}");
  CHECK(!pa_item_code_end(deep, NULL));
}

static void test_types(void) {
  pa_type type;
  CHECK(!*pa_type_next("[C2{16,x@0:d}", &type) && type.kind == PA_TYPE_RECORDS && type.rank == 2 &&
        type.item_size == 16 && *type.elements == '{');
  CHECK(!*pa_type_next("v{16,x@0:d}", &type) && type.kind == PA_TYPE_RECORD && type.readonly);
  CHECK(!*pa_type_next("[b1M[D]", &type) && type.kind == PA_TYPE_RECORDS && type.layout == 'B' && type.readonly &&
        type.item_size == 8);
  CHECK(pa_type_slots("[C2{16,x@0:d}") == 10 && pa_type_slots("{16,x@0:d}") == 6 && pa_type_slots("[A0z3") == 6);
  CHECK(pa_type_is_valid("([C31z3{8,x@0:d}d)") && !pa_type_is_valid("[C32z3") && !pa_type_is_valid("v") &&
        !pa_type_is_valid("vd"));
}

static void test_vectors(void) {
  char letter;
  int64_t size;
  CHECK(pa_vector_count("x(ffff)", &letter) == 4 && letter == 'f' && pa_vector_count("xp(bb)", NULL) == 2 &&
        pa_vector_count("{8,x@0:d}", NULL) == 0);
  const char *codes[] = {"x", "x(", "x()", "xf", "x(fd)", "x(fffff)", "x(f", "x(FF)", "x(?)", "x(UU)", "xpp(ff)"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; ++i)
    CHECK(!pa_item_code_end(codes[i], NULL) && !pa_type_is_valid(codes[i]));
  CHECK(!pa_item_code_end("{44,v@0:x(ffff),u@16:2x3xx(ff)}", &size));
  CHECK(!*pa_item_code_end("{64,v@0:x(ffff),u@16:2x3xx(ff)}", &size) && size == 64);
  CHECK(pa_item_code_alignment("x(ffff)") == 16 && pa_item_code_alignment("x(fff)") == 4 &&
        pa_item_code_alignment("x(dddd)") == 16);
  CHECK(pa_item_code_alignment("x(bb)") == 2 && pa_item_code_alignment("x(f)") == 4 &&
        pa_item_code_alignment("xp(ffff)") == 1);
  CHECK(pa_item_code_alignment("{32,v@0:x(ffff),i@16:i}") == 16 &&
        pa_item_code_alignment("{20,v@0:x(ffff),i@16:i}") == 4);
  CHECK(pa_item_code_alignment("{21,v@1:x(ffff),i@17:i}") == 1);
  pa_record_field field;
  CHECK(pa_record_find("xp(dddd)", "w", 1, &field) && field.offset == 24 && *field.item == 'd' &&
        field.item_length == 1);
  CHECK(!pa_record_find("x(dd)", "z", 1, &field) && !pa_record_find("x(dd)", "v", 1, &field) &&
        !pa_record_find("x(dd)", "xy", 2, &field));
  const char *fits[][2] = {
      {"x(ff)", "xp(ff)"}, {"{16,u@0:x(ff)}", "{p16,u@0:x(ff)}"}, {"{8,u@0:1xx(ff)}", "{8,u@0:1xxp(ff)}"}};
  for (size_t i = 0; i < sizeof fits / sizeof *fits; ++i)
    CHECK(pa_item_codes_fit(fits[i][0], strlen(fits[i][0]), fits[i][1], strlen(fits[i][1])));
  const char *others[][2] = {{"xp(ff)", "x(ff)"},
                             {"x(ff)", "x(fff)"},
                             {"{8,x@0:d}", "{8,xp@0:d}"},
                             {"{8,xr@0:d}", "{8,x@0:d}"},
                             {"x(ff)", "(ff)"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    CHECK(!pa_item_codes_fit(others[i][0], strlen(others[i][0]), others[i][1], strlen(others[i][1])));
  pa_type type;
  CHECK(!*pa_type_next("x(fff)", &type) && type.kind == PA_TYPE_TUPLE && type.vector &&
        pa_type_element_count(&type) == 3 && pa_type_slots("x(fff)") == 3);
  CHECK(!*pa_type_next("[C2xp(bb)", &type) && type.kind == PA_TYPE_RECORDS && type.item_size == 2 && !type.vector);
  CHECK(pa_type_slots("(qx(ff))") == 3 && !*pa_type_next("tx(ff)", &type) && type.kind == PA_TYPE_DTYPE);
}

int main(void) {
  test_vectors();
  test_walk();
  test_alignment();
  test_malformed();
  test_types();
  return CHECK_RESULT();
}
