#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "ir.h"
#include "pyarray-c/Dialect.h"

static pa_library_entry entry_at(uint32_t index) {
  pa_library_entry entry;
  memcpy(&entry, pa_library_data + sizeof(uint32_t) + index * sizeof entry, sizeof entry);
  return entry;
}

static int compare(const pa_library_entry *entry, MlirStringRef name) {
  size_t shorter = entry->name_length < name.length ? entry->name_length : name.length;
  int order = memcmp(pa_library_data + entry->name, name.data, shorter);
  return order ? order : (entry->name_length > name.length) - (entry->name_length < name.length);
}

static bool find_entry(MlirStringRef name, pa_library_entry *out_entry) {
  uint32_t low = 0, high;
  memcpy(&high, pa_library_data, sizeof high);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    *out_entry = entry_at(middle);
    int order = compare(out_entry, name);
    if (order == 0) return true;
    *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
  }
  return false;
}

// Classes that the function read makes values of: those of which the module has no description.
static void take_classes(MlirOperation module, MlirOperation read) {
  MlirAttribute own = pa_get_attr(module, "pyarray.classes"), others = pa_get_attr(read, "pyarray.classes");
  if (mlirAttributeIsNull(others)) return;
  intptr_t before = mlirAttributeIsNull(own) ? 0 : mlirDictionaryAttrGetNumElements(own), count = before,
           more = mlirDictionaryAttrGetNumElements(others);
  MlirNamedAttribute *all = malloc((size_t)(before + more) * sizeof *all);
  if (!all) return; // they are then no classes to the compiler, which says so
  for (intptr_t i = 0; i < before; ++i) all[i] = mlirDictionaryAttrGetElement(own, i);
  for (intptr_t i = 0; i < more; ++i) {
    MlirNamedAttribute class = mlirDictionaryAttrGetElement(others, i);
    MlirStringRef name = mlirIdentifierStr(class.name);
    if (before == 0 || mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(own, name))) all[count++] = class;
  }
  if (count > before)
    pa_set_attr(module, "pyarray.classes", mlirDictionaryAttrGet(mlirOperationGetContext(module), count, all));
  free(all);
}

MlirOperation pa_library_function(MlirOperation module, MlirStringRef name) {
  MlirOperation function = pa_lookup(module, name);
  pa_library_entry entry;
  if (!mlirOperationIsNull(function) || !find_entry(name, &entry)) return function;
  MlirContext context = mlirOperationGetContext(module);
  MlirModule read =
      pyarrayParseModule(context, (const char *)pa_library_data + entry.start, entry.size, "<library>", false);
  if (mlirModuleIsNull(read)) return function;
  take_classes(module, mlirModuleGetOperation(read));
  function = mlirBlockGetFirstOperation(mlirModuleGetBody(read));
  for (MlirOperation each = function, next; !mlirOperationIsNull(each);
       each = next) { // and those that are nested in it
    next = mlirOperationGetNextInBlock(each);
    mlirOperationRemoveFromParent(each);
    mlirBlockAppendOwnedOperation(pa_module_body(module), each);
  }
  mlirModuleDestroy(read);
  return function;
}
