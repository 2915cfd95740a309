// The version of the C API, and what may be relied on.
//
// Stable, from one minor version to the next of the same major one: what the headers Version.h, Runtime.h, Emit.h,
// Engine.h, Passes.h, Dialect.h, Types.h and Ops.h declare; functions are added, none is taken away or changes its
// meaning without a rise of PYARRAY_C_API_VERSION and a line in CHANGELOG.md; names of passes, and of pipelines; the
// calling convention of functions that are called by name (docs/ahead-of-time.md). Until 1.0 a minor version may raise
// it.
//
// Not stable: Core.h, Drivers.h, Effects.h and Target.h, which serve the Python package and tools; the text of IR
// between levels, order and options of passes within a pipeline; headers of lib/, which are not installed; the C++ of
// pyarray/PyArray.h, which follows MLIR. MLIR's own C API makes no promise: archives belong to the version of LLVM that
// they were built with.
#ifndef PYARRAY_C_VERSION_H
#define PYARRAY_C_VERSION_H

#define PYARRAY_VERSION_MAJOR 0
#define PYARRAY_VERSION_MINOR 1
#define PYARRAY_VERSION_PATCH 0
#define PYARRAY_VERSION_STRING "0.1.0"

// Rises with each change that a caller must see to.
#define PYARRAY_C_API_VERSION 1

#endif // PYARRAY_C_VERSION_H
