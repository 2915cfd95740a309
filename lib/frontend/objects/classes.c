// Classes of which compiled code has instances: their methods join the queue, the module gets a description of each
// (lib/ir/classes.h), and `__init__` brings a function that makes an instance.
//
//   func.func @Point(%x, %y) attributes {pyarray.no_frame} {
//     %self = pyarray.new "m:Point#0"
//     pyarray.method %self "__init__"(%x, %y)
//     return %self
//   }
#include <Python.h>

#include <string.h>

#include "emitter.h"
#include "objects.h"

typedef struct pa_class_entry pa_class_entry;
struct pa_class_entry {
  pa_class_entry *next;
  PyObject *class; // borrowed: the importer keeps it
  MlirNamedAttribute description;
};

// What a class says of itself in __pyarray_jitclass__.
enum { NAME, FIELDS, CODE, METHODS, GETTERS, SETTERS, STATICS, CLASS_METHODS, CONSTANTS, PARTS };

static MlirNamedAttribute named(pa_importer *importer, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(importer->context, pa_ref(name)), value);
}

static pa_status names_attr(pa_importer *importer, PyObject *names, MlirAttribute *out_attribute) {
  Py_ssize_t count = PyTuple_Size(names);
  MlirAttribute *items = PA_NEW_ARRAY(importer->arena, MlirAttribute, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i) {
    const char *text = pa_python_text(importer, PyTuple_GetItem(names, i));
    if (!text) return pa_python_failure();
    items[i] = pa_string_attr(importer->context, text);
  }
  return *out_attribute = mlirArrayAttrGet(importer->context, count, items), PA_OK;
}

static pa_status constant_entry(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute) {
  PA_TRY(pa_constant_attr(importer, value, NULL, out_attribute));
  return mlirAttributeIsNull(*out_attribute) ? pa_fail(PA_CODE_INTERNAL, NULL, "a constant of a class is no constant")
                                             : PA_OK;
}

static pa_status function_entry(pa_importer *importer, PyObject *function, MlirAttribute *out_attribute) {
  const pa_function *queued;
  const char *symbol;
  pa_frontend_options options = pa_called_options(importer);
  PA_TRY(pa_library_symbol(importer, function, &symbol)); // which is not read anew
  if (symbol) return *out_attribute = pa_symbol_attr(importer->context, symbol), PA_OK;
  PA_TRY(pa_request(importer, function, &options, &queued));
  return *out_attribute = pa_symbol_attr(importer->context, queued->symbol), PA_OK;
}

typedef pa_status (*entry_maker)(pa_importer *importer, PyObject *value, MlirAttribute *out_attribute);

// A generator, in code for a GPU, which has none: an error only where it is called.
static bool is_left_out(const pa_importer *importer, PyObject *function) {
  enum { GENERATOR = 0x20 }; // inspect.CO_GENERATOR
  if (!importer->first || !importer->first->options.target) return false;
  PyObject *code = PyObject_GetAttrString(function, "__code__"),
           *flags = code ? PyObject_GetAttrString(code, "co_flags") : NULL;
  bool generator = flags && PyLong_AsLong(flags) & GENERATOR;
  Py_XDECREF(code);
  Py_XDECREF(flags);
  PyErr_Clear();
  return generator;
}

static pa_status table_attr(pa_importer *importer, PyObject *dict, entry_maker make, MlirAttribute *out_attribute) {
  PyObject *items = pa_adopt(importer, PyMapping_Items(dict));
  Py_ssize_t count = items ? PyList_Size(items) : -1;
  if (count < 0) return pa_python_failure();
  MlirNamedAttribute *entries = PA_NEW_ARRAY(importer->arena, MlirNamedAttribute, count + 1);
  intptr_t kept = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *item = PyList_GetItem(items, i);
    if (is_left_out(importer, PyTuple_GetItem(item, 1))) continue;
    const char *name = pa_python_text(importer, PyTuple_GetItem(item, 0));
    MlirAttribute value;
    if (!name) return pa_python_failure();
    PA_TRY(make(importer, PyTuple_GetItem(item, 1), &value));
    entries[kept++] = named(importer, name, value);
  }
  return *out_attribute = mlirDictionaryAttrGet(importer->context, kept, entries), PA_OK;
}

//===-- The queue ---------------------------------------------------------------------------------===//

static pa_class_entry *find_class(const pa_importer *importer, PyObject *class) {
  for (pa_class_entry *entry = importer->classes_used; entry; entry = entry->next)
    if (entry->class == class) return entry;
  return NULL;
}

// "module:Class#0" -> the class.
static pa_status class_of_name(pa_importer *importer, bool jitclass, const char *name, size_t length,
                               PyObject **out_class) {
  PyObject *module = PyImport_ImportModule(jitclass ? "pyarray._pyarray" : "pyarray._named");
  *out_class = module ? pa_adopt(importer, PyObject_CallMethod(module, jitclass ? "find_class" : "find", "N",
                                                               PyUnicode_FromStringAndSize(name, (Py_ssize_t)length)))
                      : NULL;
  Py_XDECREF(module);
  return *out_class ? PA_OK : pa_python_failure();
}

pa_status pa_request_classes(pa_importer *importer, const char *codes) {
  for (const char *at = codes; at && (at = strchr(at, '[')); ++at) {
    PyObject *class;
    const char *symbol, *letter = at > codes && strchr("+|", at[-1]) ? at - 2 : at - 1;
    if (letter < codes || !strchr("JNE", *letter)) continue;
    PA_TRY(class_of_name(importer, *letter == 'J', at + 1, strcspn(at + 1, "]"), &class));
    PA_TRY(pa_request_class(importer, class, &symbol));
    at += strcspn(at, "]"); // the name may have any letters
  }
  return PA_OK;
}

static pa_status describe(pa_importer *importer, PyObject *parts, pa_class_entry *entry) {
  static const char *const tables[] = {"methods", "getters", "setters", "statics", "class_methods", "constants"};
  MlirNamedAttribute attrs[3 + sizeof tables / sizeof *tables];
  MlirAttribute value;
  intptr_t count = 0;
  const char *code = pa_python_text(importer, PyTuple_GetItem(parts, CODE)), *at = code;
  if (!code) return pa_python_failure();
  PA_TRY(names_attr(importer, PyTuple_GetItem(parts, FIELDS), &value));
  attrs[count++] = named(importer, "fields", value);
  MlirType types = pa_type_from_code(importer->context, &at);
  if (mlirTypeIsNull(types) || *at) return pa_fail(PA_CODE_INTERNAL, NULL, "malformed types '%s' of fields", code);
  attrs[count++] = named(importer, "types", mlirTypeAttrGet(types));
  for (int i = METHODS; i < PARTS; ++i) {
    PA_TRY(table_attr(importer, PyTuple_GetItem(parts, i), i == CONSTANTS ? constant_entry : function_entry, &value));
    if (mlirDictionaryAttrGetNumElements(value)) attrs[count++] = named(importer, tables[i - METHODS], value);
  }
  PyObject *init = PyDict_GetItemString(PyTuple_GetItem(parts, METHODS), "__init__");
  pa_function *constructor = init ? (pa_function *)pa_find_function(importer, init) : NULL;
  MlirStringRef name = mlirIdentifierStr(entry->description.name);
  if (constructor && !constructor->makes) {
    constructor->makes = pa_arena_copy(importer->arena, name.data, name.length);
    const char *start = strchr(constructor->makes, ':') + 1, *dot = strrchr(start, '.');
    if (dot) start = dot + 1;
    PA_TRY(pa_make_symbol(importer, pa_arena_copy(importer->arena, start, strcspn(start, "#")),
                          &constructor->makes_symbol));
  }
  if (constructor)
    attrs[count++] =
        named(importer, "new", pa_symbol_attr(importer->context, constructor->makes_symbol)); // structs have none
  entry->description.attribute = mlirDictionaryAttrGet(importer->context, count, attrs);
  return pa_request_classes(importer, code);
}

static pa_status request_named(pa_importer *importer, PyObject *class, const char **out_name);

pa_status pa_request_class(pa_importer *importer, PyObject *object, const char **out_name) {
  *out_name = NULL;
  if (!PyType_Check(object)) return PA_OK;
  pa_class_entry *entry = find_class(importer, object);
  PyObject *parts = entry ? NULL : PyObject_GetAttrString(object, "__pyarray_jitclass__");
  if (!entry && !parts && !PyErr_ExceptionMatches(PyExc_AttributeError)) return pa_python_failure();
  PyErr_Clear();
  if (!entry && !parts) return request_named(importer, object, out_name);
  if (!entry) {
    pa_adopt(importer, parts);
    if (!pa_adopt(importer, Py_NewRef(object))) return pa_python_failure();
    const char *name = PyTuple_Check(parts) && PyTuple_Size(parts) == PARTS
                           ? pa_python_text(importer, PyTuple_GetItem(parts, NAME))
                           : NULL;
    if (!name) return PyErr_Occurred() ? pa_python_failure() : PA_OK;
    entry = PA_NEW(importer->arena, pa_class_entry);
    entry->class = object;
    entry->description = named(importer, name, pa_unit_attr(importer->context));
    entry->next = importer->classes_used;
    importer->classes_used = entry; // before its methods, which may name it
    PA_TRY(describe(importer, parts, entry));
  }
  MlirStringRef name = mlirIdentifierStr(entry->description.name);
  return *out_name = pa_arena_copy(importer->arena, name.data, name.length), PA_OK;
}

//===-- Named tuples and enums --------------------------------------------------------------------===//

// Tracebacks have no frame of those that pyarray._named makes.
static pa_status own_function_entry(pa_importer *importer, PyObject *function, MlirAttribute *out_attribute) {
  PA_TRY(function_entry(importer, function, out_attribute));
  PyObject *module = PyObject_GetAttrString(function, "__module__");
  bool ours = module && PyUnicode_Check(module) && PyUnicode_CompareWithASCIIString(module, "pyarray._named") == 0;
  Py_XDECREF(module);
  if (ours) ((pa_function *)pa_find_function(importer, function))->no_frame = true;
  return PyErr_Occurred() ? pa_python_failure() : PA_OK;
}

// Constants, symbols of functions, and #pyarray.opaque for what is neither.
static pa_status constants_attr(pa_importer *importer, PyObject *values, MlirAttribute *out_attribute) {
  Py_ssize_t count = PyTuple_Check(values) ? PyTuple_Size(values) : 0;
  MlirAttribute *items = PA_NEW_ARRAY(importer->arena, MlirAttribute, count + 1);
  for (Py_ssize_t i = 0; i < count; ++i) {
    pa_location nowhere = {0};
    if ((PyObject *)Py_TYPE(PyTuple_GetItem(values, i)) == importer->function_type) {
      PA_TRY(own_function_entry(importer, PyTuple_GetItem(values, i), &items[i]));
      continue;
    }
    pa_status failure = pa_constant_attr(importer, PyTuple_GetItem(values, i), &nowhere, &items[i]);
    if (failure && pa_status_code(failure) == PA_CODE_PYTHON) return failure;
    pa_status_free(failure); // of an integer beyond 64 bits, say
    if (failure || mlirAttributeIsNull(items[i])) items[i] = pyarrayOpaqueAttrGet(importer->context);
  }
  return *out_attribute = mlirArrayAttrGet(importer->context, count, items), PA_OK;
}

typedef pa_status (*part_maker)(pa_importer *importer, PyObject *part, MlirAttribute *out_attribute);

static pa_status members_attr(pa_importer *importer, PyObject *members, MlirAttribute *out_attribute) {
  return table_attr(importer, members, constant_entry, out_attribute);
}

static pa_status describe_named(pa_importer *importer, PyObject *parts, pa_class_entry *entry) {
  static const struct {
    const char *name;
    part_maker make;
  } members[] = {{"fields", names_attr},      {"defaults", constants_attr}, {"members", members_attr},
                 {"numbers", constants_attr}, {"names", names_attr},        {"values", constants_attr},
                 {"new", own_function_entry}};
  static const char *const tables[] = {"methods", "getters", "statics", "class_getters", "constants"};
  MlirNamedAttribute attrs[1 + sizeof members / sizeof *members + sizeof tables / sizeof *tables];
  intptr_t count = 0;
  PyObject *kind = pa_adopt(importer, PyObject_GetAttrString(parts, "kind")),
           *held = pa_adopt(importer, PyObject_GetAttrString(parts, "tables"));
  const char *text = kind ? pa_python_text(importer, kind) : NULL;
  if (!text || !held) return pa_python_failure();
  attrs[count++] = named(importer, "kind", pa_string_attr(importer->context, text));
  for (size_t i = 0; i < sizeof members / sizeof *members; ++i) {
    PyObject *part = pa_adopt(importer, PyObject_GetAttrString(parts, members[i].name));
    PyErr_Clear();
    MlirAttribute value;
    if (!part || Py_IsNone(part)) continue;
    PA_TRY(members[i].make(importer, part, &value));
    attrs[count++] = named(importer, members[i].name, value);
  }
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
    PyObject *table = PyDict_GetItemString(held, tables[i]);
    MlirAttribute value;
    if (!table) continue;
    PA_TRY(
        table_attr(importer, table, strcmp(tables[i], "constants") == 0 ? constant_entry : own_function_entry, &value));
    if (mlirDictionaryAttrGetNumElements(value)) attrs[count++] = named(importer, tables[i], value);
  }
  return entry->description.attribute = mlirDictionaryAttrGet(importer->context, count, attrs), PA_OK;
}

// Of tuples with names, or with a metaclass: what pyarray._named says of it, kept; NULL for all other classes.
static pa_status description_of(pa_importer *importer, PyObject *class, PyObject **out_parts) {
  *out_parts = NULL;
  bool tuple = PyType_IsSubtype((PyTypeObject *)class, &PyTuple_Type) && class != (PyObject *)&PyTuple_Type;
  if (!tuple && Py_TYPE(class) == &PyType_Type) return PA_OK;
  PyObject *module = pa_adopt(importer, PyImport_ImportModule("pyarray._named"));
  PyObject *parts = module ? pa_adopt(importer, PyObject_CallMethod(module, "describe", "O", class)) : NULL;
  if (!parts) return pa_python_failure();
  if (!Py_IsNone(parts)) *out_parts = parts;
  return PA_OK;
}

static pa_status request_named(pa_importer *importer, PyObject *class, const char **out_name) {
  PyObject *parts;
  PA_TRY(description_of(importer, class, &parts));
  if (!parts) return PA_OK;
  PyObject *name = pa_adopt(importer, PyObject_GetAttrString(parts, "name"));
  PyObject *reason = pa_adopt(importer, PyObject_GetAttrString(parts, "reason"));
  PyErr_Clear();
  const char *text = name ? pa_python_text(importer, name) : NULL;
  if (!text) return pa_python_failure();
  if (reason) {
    pa_location location =
        importer->importing ? pa_locate(importer->importing, importer->importing->place) : (pa_location){0};
    const char *why = pa_python_text(importer, reason), *start = strchr(text, ':') + 1;
    return why ? pa_fail(PA_CODE_UNSUPPORTED, &location, "the class '%.*s' is not supported in compiled code: %s",
                         (int)strcspn(start, "#"), start, why)
               : pa_python_failure();
  }
  pa_class_entry *entry = PA_NEW(importer->arena, pa_class_entry);
  entry->class = class;
  entry->description = named(importer, text, pa_unit_attr(importer->context));
  entry->next = importer->classes_used;
  importer->classes_used = entry; // before its methods, which may name it
  PA_TRY(describe_named(importer, parts, entry));
  return *out_name = text, PA_OK;
}

pa_status pa_class_value_name(pa_importer *importer, PyObject *value, const char **out_name) {
  PyObject *class = (PyObject *)Py_TYPE(value), *parts;
  *out_name = NULL;
  PA_TRY(description_of(importer, class, &parts));
  return parts ? pa_request_class(importer, class, out_name) : PA_OK;
}

//===-- The module --------------------------------------------------------------------------------===//

void pa_write_classes(pa_importer *importer) {
  intptr_t count = 0, before = 0;
  MlirAttribute known = pa_get_attr(importer->module, "pyarray.classes");
  if (!mlirAttributeIsNull(known) && mlirAttributeIsADictionary(known))
    before = mlirDictionaryAttrGetNumElements(known);
  for (pa_class_entry *entry = importer->classes_used; entry; entry = entry->next) ++count;
  if (!count) return;
  MlirNamedAttribute *all = PA_NEW_ARRAY(importer->arena, MlirNamedAttribute, count + before);
  intptr_t at = 0;
  for (pa_class_entry *entry = importer->classes_used; entry; entry = entry->next) all[at++] = entry->description;
  for (intptr_t i = 0; i < before; ++i) {
    MlirNamedAttribute other = mlirDictionaryAttrGetElement(known, i);
    bool again = false;
    for (intptr_t k = 0; k < count; ++k) again = again || mlirIdentifierEqual(all[k].name, other.name);
    if (!again) all[at++] = other;
  }
  pa_set_attr(importer->module, "pyarray.classes", mlirDictionaryAttrGet(importer->context, at, all));
}

//===-- Making instances --------------------------------------------------------------------------===//

// Of the parameters of __init__ those after self: by position, then *rest, spread, then by name.
static MlirValue call_init(pa_emitter *e, MlirValue self, MlirBlock block) {
  pa_importer *importer = e->importer;
  const pa_function *init = e->function;
  MlirContext context = importer->context;
  int count = init->parameter_count - 1, at = 1;
  MlirValue *operands = PA_NEW_ARRAY(e->arena, MlirValue, count + 2);
  MlirAttribute *keywords = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1), kw = {NULL}, spread = {NULL},
                mappings = {NULL};
  intptr_t keyword_count = 0;
  operands[0] = self;
  for (int i = 0; i < count; ++i)
    if (init->parameter_kinds[i + 1] == 'p' || init->parameter_kinds[i + 1] == 'o')
      operands[at++] = mlirBlockGetArgument(block, i);
  for (int i = 0; i < count; ++i) {
    bool rest = init->parameter_kinds[i + 1] == '*';
    if (!rest && init->parameter_kinds[i + 1] != 'w') continue;
    int64_t number = at;
    operands[at++] = mlirBlockGetArgument(block, i);
    *(rest ? &spread : &mappings) = mlirDenseI64ArrayGet(context, 1, &number);
  }
  for (int i = 0; i < count; ++i) {
    if (init->parameter_kinds[i + 1] != 'k') continue;
    operands[at++] = mlirBlockGetArgument(block, i);
    keywords[keyword_count++] = pa_string_attr(context, init->variables[i + 1]->text);
  }
  if (keyword_count) kw = mlirArrayAttrGet(context, keyword_count, keywords);
  return pa_value(&e->builder, pa_op_names[PA_OP_METHOD], PA_OPERAND_ARRAY(operands, at), PA_RESULTS(e->any),
                  PA_ATTRS({"name", pa_string_attr(context, "__init__")}, {"kw", kw}, {"spread", spread},
                           {"pyarray.mappings", mappings}));
}

pa_status pa_emit_constructor(pa_emitter *e, MlirAttribute defaults, MlirAttribute options) {
  MlirContext context = e->importer->context;
  const pa_function *init = e->function;
  int count = init->parameter_count - 1;
  if (count < 0) return pa_fail(PA_CODE_TYPING, NULL, "%s() takes no argument 'self'", init->qualname);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  MlirType *inputs = PA_NEW_ARRAY(e->arena, MlirType, count + 1);
  MlirAttribute *names = PA_NEW_ARRAY(e->arena, MlirAttribute, count + 1);
  bool plain = true;
  pa_at(e, init->place);
  for (int i = 0; i < count; ++i) {
    inputs[i] = e->any;
    names[i] = pa_string_attr(context, init->variables[i + 1]->text);
    plain = plain && init->parameter_kinds[i + 1] == 'p';
    mlirBlockAddArgument(block, e->any, e->builder.location);
  }
  e->builder.block = block;
  MlirValue self = pa_value(&e->builder, pa_op_names[PA_OP_NEW], PA_RESULTS(e->any),
                            PA_ATTRS({"name", pa_string_attr(context, init->makes)}));
  call_init(e, self, block);
  pa_op(&e->builder, pa_op_names[PA_OP_RETURN], PA_OPERANDS(self));
  e->builder.block = pa_module_body(e->importer->module);
  MlirAttribute kinds = plain ? (MlirAttribute){NULL} : pa_string_attr(context, init->parameter_kinds + 1);
  pa_op(&e->builder, pa_op_names[PA_OP_FUNC], PA_REGIONS(region),
        PA_ATTRS({"sym_name", pa_string_attr(context, init->makes_symbol)},
                 {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(context, count, inputs, 1, &e->any))},
                 {"pyarray.params", mlirArrayAttrGet(context, count, names)}, {"pyarray.kinds", kinds},
                 {"pyarray.defaults", defaults}, {"pyarray.options", options},
                 {"pyarray.qualname", pa_string_attr(context, init->makes_symbol)},
                 {"pyarray.no_frame", pa_unit_attr(context)}));
  return e->builder.failure;
}
