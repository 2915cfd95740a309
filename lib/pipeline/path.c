#include "path.h"

#include <stdlib.h>
#include <string.h>

#include "ir/ir.h"

static const char attribute[] = "pyarray.path";

//===-- Elements ----------------------------------------------------------------------------------===//

// The length of the first element: commas within braces and parentheses end none.
static size_t element_length(const char *text) {
  size_t length = 0;
  for (int depth = 0; text[length] && (depth || text[length] != ','); ++length)
    depth += strchr("{(", text[length]) ? 1 : strchr("})", text[length]) ? -1 : 0;
  return length;
}

static int element_count(const char *text) {
  int count = 0;
  for (; *text; ++count) {
    text += element_length(text);
    text += *text == ',';
  }
  return count;
}

pa_path pa_path_of(pa_arena *arena, const char *target) {
  const pa_stage *stages = pa_stages(target), *end = stages;
  pa_path path = {.target = target ? target : "cpu"};
  while (end->level) ++end;
  int count = pa_path_begin(&path, end);
  const char **elements = PA_NEW_ARRAY(arena, const char *, count + 1);
  for (const pa_stage *stage = stages; stage->level; ++stage)
    for (const char *text = stage->pipeline; *text; text += *text == ',') {
      size_t length = element_length(text);
      elements[path.count++] = pa_arena_copy(arena, text, length);
      text += length;
    }
  path.elements = elements;
  return path;
}

int pa_path_begin(const pa_path *path, const pa_stage *stage) {
  int count = 0;
  for (const pa_stage *before = pa_stages(path->target); before < stage; ++before)
    count += element_count(before->pipeline);
  return count;
}

static bool is_pass(const char *element, const char *name) {
  size_t length = strcspn(element, "{");
  return strlen(name) == length && memcmp(element, name, length) == 0;
}

int pa_path_find(const pa_path *path, const char *name, int from) {
  for (int i = from; i < path->count; ++i)
    if (is_pass(path->elements[i], name)) return i + 1;
  return -1;
}

//===-- Levels ------------------------------------------------------------------------------------===//

bool pa_checks_levels(void) {
  const char *wanted = getenv("PYARRAY_VERIFY");
  return wanted && *wanted && strcmp(wanted, "0") != 0;
}

bool pa_checks_passes(void) {
  const char *wanted = getenv("PYARRAY_VERIFY");
  return wanted && strcmp(wanted, "passes") == 0;
}

const char *pa_level_check(pa_arena *arena, const char *level) {
  return strcmp(level, "linalg") == 0 ? NULL : pa_arena_format(arena, "pyarray-check-%s", level);
}

// The check of the level to which the stage leads that ends with element |number| of the path, or NULL.
static const char *check_behind(pa_arena *arena, const pa_path *path, int number) {
  for (const pa_stage *stage = pa_stages(path->target); stage->level; ++stage)
    if (pa_path_begin(path, stage + 1) == number) return pa_level_check(arena, stage->level);
  return NULL;
}

// The checks of the level from which the stage of |pass| begins, and of the one that is reached with it; NULL where
// there is none.
static void checks_around(pa_arena *arena, const char *pass, const char **out_before, const char **out_behind) {
  static const char *const targets[] = {"cpu", "cuda-on-cpu", "cuda"};
  *out_before = *out_behind = NULL;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i) {
    pa_path path = pa_path_of(arena, targets[i]);
    int number = pa_path_find(&path, pass, 0);
    if (number < 0) continue;
    const char *level = "untyped"; // where the stage begins
    for (const pa_stage *stage = pa_stages(targets[i]); pa_path_begin(&path, stage + 1) < number; ++stage)
      level = stage->level;
    if (number > 1) *out_before = pa_level_check(arena, level); // a pipeline that begins with the first begins anywhere
    *out_behind = check_behind(arena, &path, number);
    return;
  }
}

const char *pa_with_checks(pa_arena *arena, const char *elements) {
  const char *text = "";
  while (*elements) {
    size_t length = element_length(elements);
    const char *element = pa_arena_copy(arena, elements, length), *before = NULL, *behind = NULL;
    if (strncmp(element, "pyarray-", 8) == 0 && strncmp(element, "pyarray-check-", 14) != 0)
      checks_around(arena, pa_arena_copy(arena, element, strcspn(element, "{")), &before, &behind);
    if (*text || !before) before = "";
    text = pa_arena_format(arena, "%s%s%s%s%s%s", text, before, *text || *before ? "," : "", element, behind ? "," : "",
                           behind ? behind : "");
    elements += length;
    elements += *elements == ',';
  }
  return text;
}

//===-- Modules -----------------------------------------------------------------------------------===//

static MlirAttribute part(MlirAttribute passed, const char *name) {
  return mlirDictionaryAttrGetElementByName(passed, pa_ref(name));
}

// Paths begin with the same stages.
static bool is_common(pa_arena *arena, const pa_path *path, const char *target, int count) {
  if (strcmp(target, path->target) == 0) return true;
  pa_path other = pa_path_of(arena, target);
  for (int i = 0; i < count; ++i)
    if (i >= other.count || strcmp(path->elements[i], other.elements[i]) != 0) return false;
  return true;
}

int pa_path_passed(pa_arena *arena, const pa_path *path, MlirOperation module) {
  MlirAttribute passed = pa_get_attr(module, attribute);
  if (mlirAttributeIsNull(passed) || !mlirAttributeIsADictionary(passed)) return 0;
  MlirAttribute target = part(passed, "target"), pass = part(passed, "pass"), count = part(passed, "count");
  bool whole = !mlirAttributeIsNull(target) && mlirAttributeIsAString(target) && !mlirAttributeIsNull(pass) &&
               mlirAttributeIsAString(pass) && !mlirAttributeIsNull(count) && mlirAttributeIsAInteger(count) &&
               mlirIntegerTypeIsSignless(mlirAttributeGetType(count));
  int64_t number = whole ? mlirIntegerAttrGetValueInt(count) : 0;
  if (number < 1 || number > path->count || !is_pass(path->elements[number - 1], pa_attr_text(arena, pass))) return 0;
  return is_common(arena, path, pa_attr_text(arena, target), (int)number) ? (int)number : 0;
}

const char *pa_path_rest(pa_arena *arena, const pa_path *path, MlirOperation module, int from, int end) {
  const char *text = "";
  int passed = pa_path_passed(arena, path, module);
  for (int i = from > passed ? from : passed; i < end; ++i) {
    text = pa_arena_format(arena, "%s%s%s", text, *text ? "," : "", path->elements[i]);
    const char *check = pa_checks_levels() ? check_behind(arena, path, i + 1) : NULL;
    if (check) text = pa_arena_format(arena, "%s,%s", text, check);
  }
  return text;
}

void pa_path_mark(const pa_path *path, MlirOperation module, int count) {
  MlirContext context = mlirOperationGetContext(module);
  if (count == 0) {
    mlirOperationRemoveDiscardableAttributeByName(module, pa_ref(attribute));
    return;
  }
  const char *element = path->elements[count - 1];
  MlirStringRef pass = mlirStringRefCreate(element, strcspn(element, "{"));
  MlirNamedAttribute parts[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, pa_ref("count")),
                            mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), count)),
      mlirNamedAttributeGet(mlirIdentifierGet(context, pa_ref("pass")), mlirStringAttrGet(context, pass)),
      mlirNamedAttributeGet(mlirIdentifierGet(context, pa_ref("target")), pa_string_attr(context, path->target)),
  };
  mlirOperationSetDiscardableAttributeByName(module, pa_ref(attribute), mlirDictionaryAttrGet(context, 3, parts));
}
