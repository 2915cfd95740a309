// Operations, attributes, walks and locations.
#include "ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Support.h"
#include "support/stop.h"

//===-- Names -------------------------------------------------------------------------------------===//

const char *const pa_op_names[PA_OP_KIND_COUNT] = {
    [PA_OP_OTHER] = "",
#define PA_OP(enumerator, name) [PA_OP_##enumerator] = name,
#include "ops.def"
#undef PA_OP
};

enum { PA_NAME_SLOTS = sizeof(((pa_names *)0)->table) / sizeof(((pa_names *)0)->table[0]) };

static size_t name_slot(const void *key) { return ((uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u >> 57; }

void pa_names_init(pa_names *names, MlirContext context) {
  memset(names, 0, sizeof *names);
  names->context = context;
  for (int kind = 1; kind < PA_OP_KIND_COUNT; ++kind) {
    const void *key = mlirIdentifierGet(context, pa_ref(pa_op_names[kind])).ptr;
    size_t slot = name_slot(key);
    while (names->table[slot].key) slot = (slot + 1) % PA_NAME_SLOTS;
    names->table[slot].key = key;
    names->table[slot].kind = (pa_op_kind)kind;
  }
}

pa_op_kind pa_kind(const pa_names *names, MlirOperation op) {
  const void *key = mlirOperationGetName(op).ptr;
  for (size_t slot = name_slot(key); names->table[slot].key; slot = (slot + 1) % PA_NAME_SLOTS)
    if (names->table[slot].key == key) return names->table[slot].kind;
  return PA_OP_OTHER;
}

bool pa_op_is(MlirOperation op, const char *name) {
  return !mlirOperationIsNull(op) && pa_ref_equal(mlirIdentifierStr(mlirOperationGetName(op)), name);
}

pa_op_kind pa_kind_or_other(const pa_names *names, MlirOperation op) {
  return mlirOperationIsNull(op) ? PA_OP_OTHER : pa_kind(names, op);
}

bool pa_has_attr(MlirOperation op, const char *name) { return !mlirAttributeIsNull(pa_get_attr(op, name)); }

//===-- Building ----------------------------------------------------------------------------------===//

static void destroy_regions(const pa_op_spec *spec) {
  for (intptr_t i = 0; i < spec->region_count; ++i) mlirRegionDestroy(spec->regions[i]);
}

MlirOperation pa_build(pa_builder *builder, const char *name, const pa_op_spec *spec) {
  const MlirOperation none = {NULL};
  if (!builder->failure) builder->failure = pa_check_stop();
  if (builder->failure) return destroy_regions(spec), none;
  for (intptr_t i = 0; i < spec->operand_count; ++i)
    if (mlirValueIsNull(spec->operands[i])) {
      builder->failure = pa_fail_at(PA_CODE_INTERNAL, builder->location, "operand %d of %s is missing", (int)i, name);
      return destroy_regions(spec), none;
    }
  if (!mlirContextIsRegisteredOperation(builder->context, pa_ref(name))) {
    builder->failure = pa_fail_at(PA_CODE_INTERNAL, builder->location, "operation %s is not registered", name);
    return destroy_regions(spec), none;
  }
  MlirOperationState state = mlirOperationStateGet(pa_ref(name), builder->location);
  mlirOperationStateAddOperands(&state, spec->operand_count, spec->operands);
  mlirOperationStateAddResults(&state, spec->result_count, spec->results);
  MlirNamedAttribute attrs[16];
  intptr_t attr_count = 0;
  for (intptr_t i = 0; i < spec->attr_count; ++i) {
    if (mlirAttributeIsNull(spec->attrs[i].value) || attr_count == 16) continue;
    MlirIdentifier key = mlirIdentifierGet(builder->context, pa_ref(spec->attrs[i].name));
    attrs[attr_count++] = mlirNamedAttributeGet(key, spec->attrs[i].value);
  }
  mlirOperationStateAddAttributes(&state, attr_count, attrs);
  mlirOperationStateAddOwnedRegions(&state, spec->region_count, spec->regions);
  mlirOperationStateAddSuccessors(&state, spec->successor_count, spec->successors);
  MlirOperation op = mlirOperationCreate(&state);
  if (mlirOperationIsNull(op)) {
    builder->failure = pa_fail_at(PA_CODE_INTERNAL, builder->location, "operation %s could not be made", name);
    return op;
  }
  if (mlirOperationIsNull(builder->before))
    mlirBlockAppendOwnedOperation(builder->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(builder->block, builder->before, op);
  return op;
}

MlirValue pa_build_value(pa_builder *builder, const char *name, const pa_op_spec *spec) {
  MlirOperation op = pa_build(builder, name, spec);
  if (mlirOperationIsNull(op)) return (MlirValue){NULL};
  return mlirOperationGetResult(op, 0);
}

MlirRegion pa_region(MlirLocation location, const MlirType *arguments, intptr_t count, MlirBlock *out_block) {
  MlirLocation local[32];
  MlirLocation *locations = count <= 32 ? local : pa_allocate((size_t)count * sizeof *locations);
  for (intptr_t i = 0; i < count; ++i) locations[i] = location;
  MlirRegion region = mlirRegionCreate();
  *out_block = mlirBlockCreate(count, arguments, locations);
  mlirRegionAppendOwnedBlock(region, *out_block);
  if (locations != local) free(locations);
  return region;
}

MlirValue pa_constant_int(pa_builder *builder, MlirType type, int64_t value) {
  return pa_value(builder, "arith.constant", PA_RESULTS(type), PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

MlirValue pa_constant_float(pa_builder *builder, MlirType type, double value) {
  MlirAttribute attr = mlirFloatAttrDoubleGet(builder->context, type, value);
  return pa_value(builder, "arith.constant", PA_RESULTS(type), PA_ATTRS({"value", attr}));
}

MlirValue pa_llvm_constant(pa_builder *builder, MlirType type, int64_t value) {
  return pa_value(builder, "llvm.mlir.constant", PA_RESULTS(type),
                  PA_ATTRS({"value", mlirIntegerAttrGet(type, value)}));
}

bool pa_is_constant_int(MlirValue value, int64_t *out_number) {
  MlirOperation op = mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
  if (!pa_op_is(op, "arith.constant")) return false;
  MlirAttribute number = pa_get_attr(op, "value");
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number)) return false;
  return *out_number = mlirIntegerAttrGetValueInt(number), true;
}

//===-- Attributes --------------------------------------------------------------------------------===//

MlirStringRef pa_ref(const char *text) { return mlirStringRefCreateFromCString(text); }
MlirAttribute pa_string_attr(MlirContext context, const char *text) { return mlirStringAttrGet(context, pa_ref(text)); }
MlirAttribute pa_i64_attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
}
MlirAttribute pa_i32_attr(MlirContext context, int64_t value) {
  return mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), value);
}
MlirAttribute pa_unit_attr(MlirContext context) { return mlirUnitAttrGet(context); }
MlirAttribute pa_symbol_attr(MlirContext context, const char *name) {
  return mlirFlatSymbolRefAttrGet(context, pa_ref(name));
}

MlirAttribute pa_get_attr(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, pa_ref(name));
}
void pa_set_attr(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, pa_ref(name), value);
}

static MlirAttribute option(MlirOperation op, const char *dictionary, const char *name) {
  MlirAttribute options = pa_get_attr(op, dictionary);
  if (mlirAttributeIsNull(options) || !mlirAttributeIsADictionary(options)) return mlirAttributeGetNull();
  return mlirDictionaryAttrGetElementByName(options, pa_ref(name));
}

bool pa_option_bool(MlirOperation op, const char *dictionary, const char *name, bool otherwise) {
  MlirAttribute value = option(op, dictionary, name);
  return !mlirAttributeIsNull(value) && mlirAttributeIsABool(value) ? mlirBoolAttrGetValue(value) : otherwise;
}

const char *pa_option_text(MlirOperation op, const char *dictionary, const char *name, pa_arena *arena) {
  MlirAttribute value = option(op, dictionary, name);
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAString(value)) return NULL;
  MlirStringRef text = mlirStringAttrGetValue(value);
  return pa_arena_format(arena, "%.*s", (int)text.length, text.data);
}

bool pa_option_is(MlirOperation op, const char *dictionary, const char *name, const char *text) {
  MlirAttribute value = option(op, dictionary, name);
  return !mlirAttributeIsNull(value) && mlirAttributeIsAString(value) &&
         pa_ref_equal(mlirStringAttrGetValue(value), text);
}

bool pa_is_device_function(MlirOperation function) {
  return pa_option_is(function, "pyarray.options", "target", "cuda");
}

const char *pa_attr_text(pa_arena *arena, MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute)) return NULL;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return pa_arena_copy(arena, text.data, text.length);
}

bool pa_ref_equal(MlirStringRef ref, const char *text) {
  return ref.length == strlen(text) && memcmp(ref.data, text, ref.length) == 0;
}

//===-- Walking -----------------------------------------------------------------------------------===//

MlirBlock pa_body(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}
MlirBlock pa_module_body(MlirOperation module) { return pa_body(module, 0); }

pa_status pa_walk(MlirBlock block, pa_visitor visit, void *data) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r)
      for (MlirBlock inner = pa_body(op, r); !mlirBlockIsNull(inner); inner = mlirBlockGetNextInRegion(inner))
        PA_TRY(pa_walk(inner, visit, data));
    PA_TRY(visit(data, op));
    op = next;
  }
  return PA_OK;
}

void pa_op_list_add(pa_op_list *list, MlirOperation op) {
  list->items = pa_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof op);
  list->items[list->count++] = op;
}

static MlirWalkResult add_visited(MlirOperation op, void *list) {
  pa_op_list_add(list, op);
  return MlirWalkResultAdvance;
}

pa_op_list pa_ops_within(pa_arena *arena, MlirOperation op, MlirWalkOrder order) {
  pa_op_list list = {.arena = arena};
  mlirOperationWalk(op, add_visited, &list, order);
  return list;
}

static MlirWalkResult find_try(MlirOperation op, void *found) {
  if (!pa_op_is(op, PA_OP_NAME(TRY))) return MlirWalkResultAdvance;
  return *(bool *)found = true, MlirWalkResultInterrupt;
}

bool pa_holds_try(MlirOperation module) {
  bool found = false;
  mlirOperationWalk(module, find_try, &found, MlirWalkPreOrder);
  return found;
}

void pa_append_text(MlirStringRef text, void *out) { pa_string_append(out, text.data, text.length); }

MlirOperation pa_lookup(MlirOperation module, MlirStringRef name) {
  PA_FOR_EACH_OP(op, pa_module_body(module)) {
    MlirAttribute symbol = pa_get_attr(op, "sym_name");
    if (!mlirAttributeIsNull(symbol) && mlirStringRefEqual(mlirStringAttrGetValue(symbol), name)) return op;
  }
  return (MlirOperation){NULL};
}

//===-- Locations ---------------------------------------------------------------------------------===//

pa_location pa_source_location(pa_arena *arena, MlirLocation location) {
  for (int depth = 0; depth < 64 && !mlirLocationIsNull(location); ++depth) {
    if (mlirLocationIsAFileLineColRange(location)) {
      MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
      return (pa_location){pa_arena_copy(arena, file.data, file.length),
                           mlirLocationFileLineColRangeGetStartLine(location),
                           mlirLocationFileLineColRangeGetStartColumn(location)};
    }
    if (mlirLocationIsACallSite(location)) {
      location = mlirLocationCallSiteGetCallee(location);
    } else if (mlirLocationIsAName(location)) {
      location = mlirLocationNameGetChildLoc(location);
    } else if (mlirLocationIsAFused(location) && mlirLocationFusedGetNumLocations(location) > 0) {
      MlirLocation first[64];
      if (mlirLocationFusedGetNumLocations(location) > 64) break;
      mlirLocationFusedGetLocations(location, first);
      location = first[0];
    } else {
      break;
    }
  }
  return (pa_location){0};
}

// The place that the user wrote: code that was inlined from a function with pyarray.no_frame has an empty name.
static MlirLocation users_location(MlirLocation location) {
  while (mlirLocationIsACallSite(location)) {
    MlirLocation callee = mlirLocationCallSiteGetCallee(location);
    if (!mlirLocationIsAName(callee) || mlirIdentifierStr(mlirLocationNameGetName(callee)).length) break;
    location = mlirLocationCallSiteGetCaller(location);
  }
  return location;
}

pa_status pa_fail_at(pa_code code, MlirLocation location, const char *format, ...) {
  pa_arena arena;
  pa_arena_init(&arena);
  pa_location place = pa_source_location(&arena, users_location(location));
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) text = NULL;
  va_end(arguments);
  pa_status status = pa_fail(code, &place, "%s", text ? text : format);
  free(text);
  pa_arena_free(&arena);
  return status;
}
