// The rows of lib/ir/builtins.def, as the dialect's verifiers and effects ask for them.
#ifndef PYARRAY_DIALECTS_PYARRAY_BUILTINS_H
#define PYARRAY_DIALECTS_PYARRAY_BUILTINS_H

#include "builtin_rules.h"

#include "llvm/ADT/StringRef.h"

namespace pyarray {

struct BuiltinRow {
  ::llvm::StringRef parameters;
  pa_builtin_typing typing;
  pa_builtin_lowering lowering;
  ::llvm::StringRef target;
  bool hasErrors;
};

// Null where there is none of that name.
const BuiltinRow *findBuiltin(::llvm::StringRef name);

// Whether Python has an exception class of that name, or it is `module:qualname` of another one.
bool isExceptionClass(::llvm::StringRef name);

} // namespace pyarray

#endif // PYARRAY_DIALECTS_PYARRAY_BUILTINS_H
