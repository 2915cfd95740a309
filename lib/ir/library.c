#include "library.h"

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

MlirOperation pa_library_function(MlirOperation module, MlirStringRef name) {
  MlirOperation function = pa_lookup(module, name);
  pa_library_entry entry;
  if (!mlirOperationIsNull(function) || !find_entry(name, &entry)) return function;
  MlirContext context = mlirOperationGetContext(module);
  MlirModule read =
      pyarrayParseModule(context, (const char *)pa_library_data + entry.start, entry.size, "<library>", false);
  if (mlirModuleIsNull(read)) return function;
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
