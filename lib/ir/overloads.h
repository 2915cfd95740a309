// Functions that users add for objects, methods and attributes that the compiler does not know (docs/extending.md). Who
// knows Python (lib/frontend) says which; type inference, which does not, asks.
#ifndef PYARRAY_LIB_IR_OVERLOADS_H
#define PYARRAY_LIB_IR_OVERLOADS_H

#include "mlir-c/IR.h"
#include "support/support.h"

typedef struct pa_overload_request {
  MlirOperation module;  // where the function is put
  MlirOperation caller;  // the function with the call, for whose target it shall be
  MlirLocation location; // of the call
  pa_arena *arena;
  const char *name;     // "overload:module.qualname", "method:name" or "attribute:name"
  const char *types;    // type codes of the arguments, a newline behind each; "" where a type has none
  const char *keywords; // names of the last arguments, a newline behind each
  const char *literals; // values of the arguments, a newline behind each: "3", of a bool "0" or "1", of a str "'" and
                        // hexadecimal digits of its UTF-8; "" where it is not known. "?" alone asks for a function that
                        // needs to know none, though there are some; "": there are none
  int *out_wanted;      // written on failure alone: the number of the argument whose value is asked for
} pa_overload_request;

// |*out_symbol|: of the function, of level 1; NULL where there is none for these types.
typedef pa_status (*pa_overload_resolver)(const pa_overload_request *request, const char **out_symbol);

extern pa_overload_resolver pa_find_overload; // NULL where there is no Python

// Whether anything was registered under a name, so that not all operations of a program are asked for with their types.
typedef bool (*pa_overload_names)(const char *name);

extern pa_overload_names pa_has_overloads; // NULL likewise

// Whether instances of Python's class, "builtins.int", have an attribute of that name.
typedef bool (*pa_class_attributes)(const char *class_name, const char *name);

extern pa_class_attributes pa_python_class_has; // NULL likewise

#endif // PYARRAY_LIB_IR_OVERLOADS_H
