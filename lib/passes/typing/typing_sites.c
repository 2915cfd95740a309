// Containers in pyarray-infer-types: the types of their items follow from what is put into them.
//
//   xs = []              site 1: the fact of xs is !pyarray.list<!pyarray.any> with site 1
//   xs.append(2)         site 1 has items of type si64: another round
//   xs.append(0.5)       now of type f64
//
// Each operation that makes a container has a site in each instance. Sites of facts that meet are united. Whoever
// changes a site asks for one more round of inference, in which the operation gives the type that is known by then.
#include "typing_sites.h"

#include "ir/classes.h"
#include "support/type_code.h"

typedef struct site {
  const void *op, *instance;
  int same_pair; // another that pa_map_pair does not tell from it, or 0
  int parent;    // united with that one; 0: it stands for itself
  pa_container kind;
  pa_fact items[2]; // of items, or keys and values; bottom: nothing is known
  bool is_unknown;  // the signs of its numbers
  bool escaped;     // so they are to those who read them: numbers may be put in that nothing is seen of
  bool is_empty;    // nothing is put in, anywhere: its items have type none, for want of one
} site;

struct pa_sites {
  pa_arena *arena;
  pa_growths *growths;
  site *items; // number 0 is not used
  size_t count, capacity;
  pa_map numbers; // of pairs of an operation and an instance
  bool changed;
  bool guessing; // only what is not known yet is learned, and sites stay apart
  int depth;     // of joins within joins
};

pa_sites *pa_sites_new(pa_arena *arena, pa_growths *growths) {
  pa_sites *sites = PA_NEW(arena, pa_sites);
  *sites = (pa_sites){.arena = arena, .growths = growths};
  sites->items = pa_arena_grow(arena, NULL, 0, &sites->capacity, sizeof(site));
  sites->items[sites->count++] = (site){0};
  return sites;
}

bool pa_sites_take_change(pa_sites *sites) {
  bool changed = sites->changed;
  sites->changed = false;
  return changed;
}

bool pa_sites_guess(pa_sites *sites, bool guessing) {
  bool before = sites->guessing;
  sites->guessing = guessing;
  return before;
}

bool pa_sites_are_known(const pa_sites *sites) {
  for (size_t i = 1; i < sites->count; ++i)
    for (int k = 0; k < (sites->items[i].kind == PA_DICT ? 2 : 1); ++k)
      if (!sites->items[i].parent && pa_is_bottom(sites->items[i].items[k])) return false;
  return true;
}

bool pa_sites_fill_empty(pa_sites *sites, MlirType none) {
  for (size_t i = 1; i < sites->count; ++i)
    for (int k = 0; k < (sites->items[i].kind == PA_DICT ? 2 : 1); ++k) {
      if (sites->items[i].parent || !pa_is_bottom(sites->items[i].items[k])) continue;
      sites->items[i].items[k] = pa_fact_of(none);
      sites->items[i].is_empty = sites->changed = true;
    }
  return sites->changed;
}

static int find(const pa_sites *sites, int number) {
  while (sites->items[number].parent) number = sites->items[number].parent;
  return number;
}

//===-- Facts -------------------------------------------------------------------------------------===//

static MlirType part_type(MlirType container, int which) {
  return which ? pyarrayDictTypeGetValue(container) : pyarrayTypeGetItem(container);
}

static MlirType container_type(const pa_typing *typing, pa_container kind, pa_fact item, pa_fact value) {
  MlirType any = pyarrayAnyTypeGet(typing->context);
  MlirType first = pa_is_bottom(item) ? any : item.type, second = pa_is_bottom(value) ? any : value.type;
  if (kind == PA_DICT) return pyarrayDictTypeGet(first, second);
  if (kind == PA_DEQUE) return pyarrayDequeTypeGet(first);
  if (kind == PA_FROZENSET) return pyarrayFrozenSetTypeGet(first);
  return kind == PA_LIST ? pyarrayListTypeGet(first) : pyarraySetTypeGet(first);
}

static pa_fact fact_of_site(const pa_typing *typing, int number) {
  const site *s = &typing->sites->items[find(typing->sites, number)];
  MlirType type = container_type(typing, s->kind, s->items[0], s->items[1]);
  uint64_t signs =
      s->kind == PA_DICT ? pa_signs_moved(s->items[1].signs, pa_number_count(pyarrayTypeGetItem(type))) : 0;
  return (pa_fact){type, {NULL}, number, s->escaped ? 0 : s->items[0].signs | signs};
}

pa_fact pa_container_here(const pa_typing *typing, pa_container kind) {
  pa_sites *sites = typing->sites;
  const void *pair = pa_map_pair(typing->op, typing->instance);
  int first = (int)(intptr_t)pa_map_get(&sites->numbers, pair);
  for (int i = first; i; i = sites->items[i].same_pair)
    if (sites->items[i].op == typing->op && sites->items[i].instance == typing->instance)
      return fact_of_site(typing, i);
  sites->items = pa_arena_grow(sites->arena, sites->items, sites->count, &sites->capacity, sizeof(site));
  sites->items[sites->count] = (site){.op = typing->op, .instance = typing->instance, .same_pair = first, .kind = kind};
  pa_map_put(sites->arena, &sites->numbers, pair, (void *)(intptr_t)sites->count);
  return fact_of_site(typing, (int)sites->count++);
}

// What has been put in, so that the next item meets it.
static pa_fact item_put(const pa_typing *typing, pa_fact container, int which) {
  if (container.site && typing->sites) return typing->sites->items[find(typing->sites, container.site)].items[which];
  MlirType type = part_type(container.type, which);
  uint64_t signs =
      which ? pa_signs_moved(container.signs, -pa_number_count(part_type(container.type, 0))) : container.signs;
  return pyarrayTypeIsAny(type) ? (pa_fact){0} : pa_with_signs(pa_fact_of(type), signs);
}

pa_fact pa_container_item(const pa_typing *typing, pa_fact container, int which) {
  pa_fact item = item_put(typing, container, which);
  if (!container.site || !typing->sites) return item;
  const site *s = &typing->sites->items[find(typing->sites, container.site)];
  if (s->is_empty && pyarrayTypeIsNone(item.type)) return (pa_fact){0}; // there is none
  if (s->escaped) item.signs = 0;
  return item;
}

//===-- Open containers --------------------------------------------------------------------------===//

// As long as nothing is known of a container's items, or they are None alone, what the callee puts into it is.
static bool is_open(MlirType type) {
  if (pyarrayTypeIsAny(type) || pyarrayTypeIsNone(type)) return true;
  if (pa_is_dict_class(type)) type = pyarrayTaggedTypeGetItem(type);
  pa_container kind = pa_container_of(type);
  return kind != PA_NO_CONTAINER &&
         (is_open(pyarrayTypeGetItem(type)) || (kind == PA_DICT && is_open(pyarrayDictTypeGetValue(type))));
}

// A function that has captured such a container fills it when it is called.
bool pa_is_open(MlirType type) {
  if (!pa_is_tagged(type, "function")) return is_open(type);
  MlirType captured = pyarrayTaggedTypeGetItem(type);
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(captured); ++i)
    if (is_open(mlirTupleTypeGetType(captured, i))) return true;
  return false;
}

//===-- Signs -------------------------------------------------------------------------------------===//

void pa_sites_forget(pa_sites *sites) {
  for (size_t i = 1; i < sites->count; ++i) {
    sites->items[i].items[0] = sites->items[i].items[1] = (pa_fact){0};
    sites->items[i].parent = sites->items[i].is_empty = 0;
  }
  sites->changed = false;
}

static bool lose_signs(site *s) {
  bool lost = !s->is_unknown && (s->items[0].signs || s->items[1].signs);
  s->is_unknown = true;
  s->items[0].signs = s->items[1].signs = 0;
  return lost;
}

// A variable that nested functions share: what they put in is seen (share_variables in infer_signs.c).
static bool is_cell(const site *s) {
  MlirOperation op = {(void *)s->op};
  return !mlirOperationIsNull(op) && !mlirAttributeIsNull(mlirOperationGetAttributeByName(op, pa_ref("pyarray.cell")));
}

void pa_site_loses_signs(pa_sites *sites, pa_signs *signs, pa_fact fact) {
  bool has_site = !pa_is_bottom(fact) && fact.site && pa_container_of(fact.type) != PA_NO_CONTAINER;
  if (has_site && lose_signs(&sites->items[find(sites, fact.site)])) pa_signs_changed(signs);
}

void pa_site_escapes(pa_sites *sites, pa_signs *signs, pa_fact fact) {
  fact = pa_fact_within(fact);
  if (pa_is_bottom(fact) || !fact.site || pa_container_of(fact.type) == PA_NO_CONTAINER || pa_is_open(fact.type))
    return;
  site *s = &sites->items[find(sites, fact.site)];
  if (is_cell(s) || s->escaped) return;
  s->escaped = true;
  if (s->items[0].signs || s->items[1].signs) pa_signs_changed(signs);
}

//===-- Joins -------------------------------------------------------------------------------------===//

static void note_growth(pa_sites *sites, int number, int which, MlirType before, MlirType after) {
  MlirOperation op = {(void *)sites->items[number].op};
  if (mlirOperationIsNull(op) || mlirTypeIsNull(before)) return;
  pa_growth_place place = {op, sites->items[number].instance, mlirOperationGetLocation(op), which,
                           sites->items[number].kind};
  pa_growths_note(sites->growths, &place, before, after);
}

// What is known of a part of a site becomes |fact|.
static void learn(const pa_typing *typing, int number, int which, pa_fact fact) {
  pa_sites *sites = typing->sites;
  site *s = &sites->items[number];
  pa_fact *known = &s->items[which];
  if (sites->guessing && !pa_is_bottom(*known)) return;
  if (!mlirTypeEqual(known->type, fact.type) || s->is_empty) sites->changed = true;
  s->is_empty = false;
  note_growth(sites, number, which, known->type, fact.type);
  bool loses = known->signs & ~pa_signs_of(fact);
  if (s->is_unknown) fact.signs = 0;
  *known = fact;
  if (loses && lose_signs(s)) pa_signs_changed(typing->signs);
}

// Of what two containers hold. One that comes back to itself, `xs[0] = [xs]`, would have a type without an end.
static pa_status join_parts(const pa_typing *typing, int a, int b, int which, pa_fact *out) {
  pa_sites *sites = typing->sites;
  if (sites->depth >= PA_TYPE_MAX_DEPTH)
    return pa_typing_fail(
        typing, PA_CODE_ENDLESS,
        "a list, dict or set that holds itself has a type without an end\nhint: hold an index in its place");
  ++sites->depth;
  pa_status status = pa_join_facts(typing, sites->items[a].items[which], sites->items[b].items[which], out);
  --sites->depth;
  return status;
}

static pa_status join_sites(const pa_typing *typing, int a, int b, pa_fact *out) {
  pa_sites *sites = typing->sites;
  a = find(sites, a), b = find(sites, b);
  bool is_empty = sites->items[a].is_empty && sites->items[b].is_empty, changed = sites->changed;
  for (int k = 0; k < 2 && a != b; ++k) {
    pa_fact joined;
    PA_TRY(join_parts(typing, a, b, k, &joined));
    bool both_known = !pa_is_bottom(sites->items[a].items[k]) && !pa_is_bottom(sites->items[b].items[k]);
    if (pa_is_bottom(joined) && both_known) return *out = joined, PA_OK;
    learn(typing, b, k, joined);
    learn(typing, a, k, joined);
  }
  if (is_empty) sites->items[a].is_empty = sites->items[b].is_empty = true, sites->changed = changed;
  if (sites->items[a].is_unknown != sites->items[b].is_unknown &&
      (lose_signs(&sites->items[a]) | lose_signs(&sites->items[b])))
    pa_signs_changed(typing->signs);
  if (sites->items[a].escaped != sites->items[b].escaped)
    sites->items[a].escaped = sites->items[b].escaped = true, pa_signs_changed(typing->signs);
  int older = a < b ? a : b; // so that what recursive calls make anew is what they were given
  if (a != b && !sites->guessing) sites->items[a < b ? b : a].parent = older;
  return *out = fact_of_site(typing, older), PA_OK;
}

// |fixed| has no site: the other one's items must become its.
static pa_status join_fixed(const pa_typing *typing, pa_fact with_site, pa_fact fixed, pa_fact *out) {
  pa_sites *sites = typing->sites;
  int number = find(sites, with_site.site);
  for (int k = 0; k < (sites->items[number].kind == PA_DICT ? 2 : 1); ++k) {
    pa_fact joined, part = pa_container_item(typing, fixed, k);
    PA_TRY(pa_join_facts(typing, sites->items[number].items[k], part, &joined));
    if (!mlirTypeEqual(joined.type, part.type)) return *out = (pa_fact){0}, PA_OK;
    learn(typing, number, k, joined);
  }
  return *out = fact_of_site(typing, number), PA_OK;
}

// Two of one class are dicts that are joined.
static pa_status join_dict_classes(const pa_typing *typing, pa_fact a, pa_fact b, pa_fact *out) {
  MlirType type = a.type;
  bool same = mlirStringRefEqual(pyarrayTaggedTypeGetKind(a.type), pyarrayTaggedTypeGetKind(b.type)) &&
              mlirAttributeEqual(pyarrayTaggedTypeGetTag(a.type), pyarrayTaggedTypeGetTag(b.type));
  if (!same) return *out = (pa_fact){0}, PA_OK;
  a.type = pyarrayTaggedTypeGetItem(a.type);
  b.type = pyarrayTaggedTypeGetItem(b.type);
  PA_TRY(pa_join_facts(typing, a, b, out));
  if (!pa_is_bottom(*out))
    out->type = pyarrayTaggedTypeGet(pyarrayTaggedTypeGetKind(type), pyarrayTaggedTypeGetTag(type), out->type);
  return PA_OK;
}

pa_fact pa_fact_within(pa_fact fact) {
  if (pa_is_bottom(fact) || !pyarrayTypeIsOptional(fact.type)) return fact;
  MlirType item = pyarrayTypeGetItem(fact.type);
  return (pa_fact){.type = item, .site = pa_container_of(item) != PA_NO_CONTAINER ? fact.site : 0, .signs = fact.signs};
}

// Containers that may be None keep their site: |*out_joined| says whether |a| and |b| are such.
static pa_status join_optional_containers(const pa_typing *typing, pa_fact a, pa_fact b, bool *out_joined,
                                          pa_fact *out) {
  pa_fact x = pyarrayTypeIsNone(a.type) ? (pa_fact){0} : pa_fact_within(a),
          y = pyarrayTypeIsNone(b.type) ? (pa_fact){0} : pa_fact_within(b), joined;
  bool plain = mlirTypeEqual(x.type, a.type) && mlirTypeEqual(y.type, b.type);
  bool containers = (pa_is_bottom(x) || pa_container_of(x.type) != PA_NO_CONTAINER) &&
                    (pa_is_bottom(y) || pa_container_of(y.type) != PA_NO_CONTAINER);
  *out_joined = typing->sites && !plain && containers && (x.site || y.site);
  if (!*out_joined) return PA_OK;
  PA_TRY(pa_join_facts(typing, x, y, &joined));
  if (!pa_is_bottom(joined)) joined.type = pyarrayOptionalTypeGet(joined.type);
  return *out = joined, PA_OK;
}

pa_status pa_join_facts(const pa_typing *typing, pa_fact a, pa_fact b, pa_fact *out) {
  if (!pa_is_bottom(a) && !pa_is_bottom(b) && pa_is_dict_class(a.type) && pa_is_dict_class(b.type))
    return join_dict_classes(typing, a, b, out);
  pa_container kind = pa_container_of(a.type);
  if (pa_is_bottom(a) || pa_is_bottom(b)) return *out = pa_is_bottom(a) ? b : a, PA_OK;
  if (typing->sites && pa_join_bits(typing->context, a, b, out)) return PA_OK;
  bool joined = false;
  PA_TRY(join_optional_containers(typing, a, b, &joined, out));
  if (joined) return PA_OK;
  if (typing->sites && kind != PA_NO_CONTAINER && kind == pa_container_of(b.type)) {
    if (a.site && b.site) return join_sites(typing, a.site, b.site, out);
    if (a.site || b.site) return a.site ? join_fixed(typing, a, b, out) : join_fixed(typing, b, a, out);
  }
  bool is_unknown = false;
  *out = pa_fact_of(pa_join_signed(typing, a, b, &is_unknown));
  if (is_unknown)
    pa_keep_unknown_sign(
        typing, pa_is_bottom(*out)
                    ? NULL
                    : "what is one variable, result or item, a uint64 here and an integer that may be negative there,");
  return *out = pa_with_signs(*out, pa_join_signs(a, b)), PA_OK;
}

// Without sites: equal, or one of them has nothing in it yet.
MlirType pa_join_containers(const pa_typing *typing, MlirType a, MlirType b) {
  pa_container kind = pa_container_of(a);
  pa_fact parts[2] = {{.type = {NULL}}};
  if (kind == PA_NO_CONTAINER || kind != pa_container_of(b)) return (MlirType){NULL};
  for (int k = 0; k < (kind == PA_DICT ? 2 : 1); ++k) {
    MlirType x = part_type(a, k), y = part_type(b, k);
    if (pyarrayTypeIsAny(x)) x = y;
    if (pyarrayTypeIsAny(y)) y = x;
    MlirType inner = mlirTypeEqual(x, y) ? x : pa_join_containers(typing, x, y);
    if (mlirTypeIsNull(inner)) return inner;
    parts[k] = pa_fact_of(inner);
  }
  return container_type(typing, kind, parts[0], parts[1]);
}

// Its type with what is known of the items now.
static const char *text_of(const pa_typing *typing, pa_fact container) {
  pa_container kind = pa_container_of(container.type);
  pa_fact first = pa_container_item(typing, container, 0), second = {0};
  if (kind == PA_DICT) second = pa_container_item(typing, container, 1);
  return pa_type_text(typing->arena, container_type(typing, kind, first, second));
}

// Whether every number of the one type is one of the other, so that a cast loses nothing.
static bool holds_all(pa_scalar item, pa_scalar value) {
  if (item == value || value == PA_BOOL || pa_is_complex(item)) return true;
  if (pa_is_float(item) && pa_is_float(value)) return item == PA_F64 || (item == PA_F32 && pa_is_half(value));
  if (pa_is_float(item)) return pa_is_integer(value) && item == PA_F64 && value != PA_I64 && value != PA_U64;
  return pa_is_integer(item) && pa_is_integer(value) && pa_promote(item, value) == item;
}

pa_status pa_check_compared(const pa_typing *typing, pa_fact container) {
  bool records =
      pa_is_record(pa_container_item(typing, container, 0).type) ||
      (pa_container_of(container.type) == PA_DICT && pa_is_record(pa_container_item(typing, container, 1).type));
  if (!records) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                        "records in containers are not compared in compiled code\nhint: keep tuple(...) of them, or "
                        "compare them one by one");
}

// Members and named tuples are equal to the numbers and tuples that they are for Python, also within tuples.
static MlirType plain_within(const pa_typing *typing, MlirType type) {
  type = mlirTypeIsNull(type) ? type : pa_plain_type(type);
  if (mlirTypeIsNull(type) || !mlirTypeIsATuple(type)) return type;
  intptr_t count = mlirTupleTypeGetNumTypes(type);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i) types[i] = plain_within(typing, mlirTupleTypeGetType(type, i));
  return mlirTupleTypeGet(typing->context, count, types);
}

// The type in which a tuple is looked for among others: numbers that its items hold in theirs, other ones in their own.
// False where there is none.
static bool tuple_sought(const pa_typing *typing, MlirType item, MlirType value, MlirType *out_type) {
  pa_scalar held = pa_scalar_of(item), given = pa_scalar_of(value);
  bool numbers = held != PA_NOT_SCALAR && given != PA_NOT_SCALAR && (!pa_is_complex(given) || pa_is_complex(held));
  if (numbers || mlirTypeEqual(item, value)) return *out_type = !numbers || holds_all(held, given) ? item : value, true;
  if (!mlirTypeIsATuple(item) || !mlirTypeIsATuple(value) ||
      mlirTupleTypeGetNumTypes(item) != mlirTupleTypeGetNumTypes(value))
    return false;
  intptr_t count = mlirTupleTypeGetNumTypes(item);
  MlirType *types = PA_NEW_ARRAY(typing->arena, MlirType, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    if (!tuple_sought(typing, mlirTupleTypeGetType(item, i), mlirTupleTypeGetType(value, i), &types[i])) return false;
  return *out_type = mlirTupleTypeGet(typing->context, count, types), true;
}

pa_status pa_container_find(const pa_typing *typing, pa_fact container, pa_fact value, MlirType *out_type) {
  pa_fact known = pa_container_item(typing, container, 0), joined;
  if (!mlirTypeEqual(known.type, value.type))
    known.type = plain_within(typing, known.type), value.type = plain_within(typing, value.type);
  pa_scalar item = pa_is_bottom(known) ? PA_NOT_SCALAR : pa_scalar_of(known.type),
            looked_for = pa_is_bottom(value) ? PA_NOT_SCALAR : pa_scalar_of(value.type);
  *out_type = pa_is_bottom(known) ? value.type : known.type;
  bool is_key = pa_is_bottom(known) && !pa_is_bottom(value) &&
                !pyarrayTypeIsList(container.type); // of what there is nothing to compare with
  if (is_key && !pa_is_hashable(typing, value.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "unhashable type: %s", pa_type_text(typing->arena, value.type));
  if (pa_is_bottom(known) || pa_is_bottom(value)) return PA_OK;
  PA_TRY(pa_check_compared(typing, container));
  bool real = item != PA_NOT_SCALAR && looked_for != PA_NOT_SCALAR && !pa_is_complex(looked_for);
  if (real && !holds_all(item, looked_for)) return *out_type = value.type, PA_OK;
  if (mlirTypeIsATuple(known.type) && tuple_sought(typing, known.type, value.type, out_type)) return PA_OK;
  PA_TRY(pa_join_facts(typing, known, value, &joined));
  if (mlirTypeEqual(joined.type, known.type)) return PA_OK;
  return pa_typing_fail(typing, PA_CODE_TYPING, "a value of type %s cannot be in %s",
                        pa_type_text(typing->arena, value.type), text_of(typing, container));
}

// Instances are keys by their identity, which is what they are equal by where the class has no __eq__.
bool pa_is_hashable(const pa_typing *typing, MlirType type) {
  if (pa_is_named(type)) return pa_is_hashable(typing, pyarrayTaggedTypeGetItem(type));
  for (intptr_t i = 0; mlirTypeIsATuple(type) && i < mlirTupleTypeGetNumTypes(type); ++i)
    if (!pa_is_hashable(typing, mlirTupleTypeGetType(type, i))) return false;
  if (pyarrayTypeIsObject(type)) return !pa_class_has_entry(typing->module, type, "methods", "__eq__");
  return mlirTypeIsATuple(type) || pa_scalar_of(type) != PA_NOT_SCALAR || pa_is_time(type) || pa_is_text(type) ||
         pyarrayTypeIsNone(type) || pyarrayTypeIsFrozenSet(type);
}

// A number of the same kind, or a wider one, that is stored as assignments to elements of an array store it; also in
// tuples.
static bool is_stored_as(MlirType value, MlirType item) {
  static const bool takes[3][3] = {
      {true, false, false}, {true, true, false}, {true, true, true}}; // integers, floats, complex numbers
  pa_scalar from = pa_scalar_of(value), to = pa_scalar_of(item);
  if (mlirTypeIsATuple(value) && mlirTypeIsATuple(item) &&
      mlirTupleTypeGetNumTypes(value) == mlirTupleTypeGetNumTypes(item)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(value); ++i)
      if (!is_stored_as(mlirTupleTypeGetType(value, i), mlirTupleTypeGetType(item, i))) return false;
    return true;
  }
  if (mlirTypeEqual(value, item)) return true;
  if (from == PA_NOT_SCALAR || to == PA_NOT_SCALAR || to == PA_BOOL) return false;
  int kinds[] = {pa_is_complex(to) ? 2 : pa_is_float(to), pa_is_complex(from) ? 2 : pa_is_float(from)};
  return takes[kinds[0]][kinds[1]];
}

// A function that captured what nothing is known of yet.
static bool is_open_function(MlirType type) {
  MlirType captured = pa_is_tagged(type, "function") ? pyarrayTaggedTypeGetItem(type) : type;
  if (!mlirTypeIsATuple(captured)) return false;
  for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(captured); ++i) {
    MlirType part = mlirTupleTypeGetType(captured, i);
    bool empty =
        captured.ptr != type.ptr && pa_container_of(part) != PA_NO_CONTAINER && pyarrayTypeIsAny(part_type(part, 0));
    if (empty || is_open_function(part)) return true;
  }
  return false;
}

// Whether the function |tag| is in what |type| holds or has captured.
static bool has_function(MlirType type, MlirAttribute tag) {
  if (mlirTypeIsATuple(type)) {
    for (intptr_t i = 0; i < mlirTupleTypeGetNumTypes(type); ++i)
      if (has_function(mlirTupleTypeGetType(type, i), tag)) return true;
    return false;
  }
  if (pa_is_tagged(type, "function"))
    return mlirAttributeEqual(pyarrayTaggedTypeGetTag(type), tag) || has_function(pyarrayTaggedTypeGetItem(type), tag);
  return pa_container_of(type) != PA_NO_CONTAINER &&
         (has_function(part_type(type, 0), tag) || (pyarrayTypeIsDict(type) && has_function(part_type(type, 1), tag)));
}

static pa_status fail_of_functions(const pa_typing *typing) {
  return pa_typing_fail(typing, PA_CODE_UNSUPPORTED,
                        "different functions in one list or variable, of which one captures variables, and nested "
                        "functions that call each other, are not compiled\n"
                        "hint: define them outside, with what they capture as parameters; of two that call each other "
                        "pass the one as an argument to the other");
}

pa_status pa_container_put(const pa_typing *typing, pa_fact container, int which, pa_fact value) {
  if (!pa_is_bottom(value) && pa_is_tagged(value.type, "function") &&
      has_function(pyarrayTaggedTypeGetItem(value.type), pyarrayTaggedTypeGetTag(value.type)))
    return fail_of_functions(typing);
  if (pa_is_bottom(value) || (typing->sites && typing->sites->changed && is_open_function(value.type))) return PA_OK;
  if (!which && !pyarrayTypeIsList(container.type) && !pa_is_hashable(typing, value.type))
    return pa_typing_fail(typing, PA_CODE_TYPING, "unhashable type: %s%s", pa_type_text(typing->arena, value.type),
                          pa_is_record(value.type)          ? "\nhint: use tuple(...) of the record"
                          : pyarrayTypeIsObject(value.type) ? "\nhint: its class has __eq__; use a tuple of its fields"
                                                            : "");
  pa_fact item = item_put(typing, container, which), joined;
  value.literal = (MlirAttribute){NULL};
  value.type = pa_item_of_functions(typing, value.type);
  PA_TRY(pa_join_facts(typing, item, value, &joined));
  bool fits = !mlirTypeIsNull(joined.type);
  if (!container.site && pa_is_bottom(item) && typing->sites && typing->sites->changed)
    return PA_OK; // within a closure: known in the next round
  if (fits && container.site) return learn(typing, find(typing->sites, container.site), which, joined), PA_OK;
  if (fits && !pa_is_bottom(item) && (mlirTypeEqual(joined.type, item.type) || is_stored_as(value.type, item.type)))
    return PA_OK;
  const char *what = pa_container_of(container.type) != PA_DICT ? "item" : which ? "value" : "key";
  if (pa_is_tagged(value.type, "function") || pa_is_tagged(value.type, "passed")) return fail_of_functions(typing);
  return pa_typing_fail(
      typing, PA_CODE_TYPING,
      "a value of type %s cannot be %s %s of %s\nhint: all %ss have one type; tuples and named tuples may hold several",
      pa_type_text(typing->arena, value.type), *what == 'i' ? "an" : "a", what, text_of(typing, container), what);
}
