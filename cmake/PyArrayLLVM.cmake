# Finds LLVM/MLIR 22 and defines
#   pa_mlir_headers  what compiling against MLIR or LLVM needs
#   pa_mlir          the static archives of MLIR and LLVM, for the final link of a binary
#
# MLIR's own imported targets name libLLVM.so on distributions that build it; we want the archives, so they are listed
# by path. lld reads only the members that are needed, in any order.

set(PYARRAY_LLVM_VERSION 22)
if(NOT MLIR_DIR AND EXISTS /usr/lib/llvm-${PYARRAY_LLVM_VERSION}/lib/cmake/mlir)
  set(MLIR_DIR /usr/lib/llvm-${PYARRAY_LLVM_VERSION}/lib/cmake/mlir CACHE PATH "Folder of MLIRConfig.cmake")
endif()
find_package(MLIR CONFIG QUIET)
set(pa_mlir_problem)
if(NOT MLIR_FOUND)
  set(pa_mlir_problem "pyarray needs LLVM/MLIR ${PYARRAY_LLVM_VERSION} for development: `cmake/setup.sh --no-venv` installs \
Debian's packages; -DMLIR_DIR=<prefix>/lib/cmake/mlir names another")
elseif(NOT LLVM_VERSION_MAJOR EQUAL PYARRAY_LLVM_VERSION)
  set(pa_mlir_problem "pyarray needs LLVM/MLIR ${PYARRAY_LLVM_VERSION}, found ${LLVM_VERSION} in ${MLIR_DIR}; \
name another with -DMLIR_DIR=<prefix>/lib/cmake/mlir")
endif()
if(pa_mlir_problem)
  if(PYARRAY_IS_PACKAGE) # PyArrayConfig.cmake says that it was not found
    return()
  endif()
  message(FATAL_ERROR "${pa_mlir_problem}")
endif()
if(NOT PyArray_FIND_QUIETLY)
  message(STATUS "LLVM/MLIR ${LLVM_VERSION}: ${MLIR_DIR}")
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(PYARRAY_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
set(PYARRAY_LLVM_LIB ${LLVM_LIBRARY_DIR})

add_library(pa_mlir_headers INTERFACE)
# How a library names it: once installed, by the alias that PyArrayConfig.cmake makes.
set(pa_mlir_headers $<BUILD_INTERFACE:pa_mlir_headers> $<INSTALL_INTERFACE:PyArray::mlir_headers>)
target_include_directories(pa_mlir_headers SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})

# Who uses the installed library shares libMLIR.so, where there is one, with all else in the process: 5 MB instead of 100. Only
# the C API, which libMLIR.so lacks, comes from archives. -DPYARRAY_STATIC_MLIR=ON takes the archives alone.
if(PYARRAY_IS_PACKAGE)
  find_library(PYARRAY_MLIR_SHARED NAMES MLIR libMLIR.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} PATHS ${PYARRAY_LLVM_LIB}
               NO_DEFAULT_PATH)
  find_library(PYARRAY_LLVM_SHARED NAMES LLVM-${LLVM_VERSION_MAJOR} LLVM PATHS ${PYARRAY_LLVM_LIB} NO_DEFAULT_PATH)
  if(PYARRAY_MLIR_SHARED MATCHES "[.]so" AND PYARRAY_LLVM_SHARED MATCHES "[.]so" AND NOT PYARRAY_STATIC_MLIR)
    file(GLOB pa_capi_archives ${PYARRAY_LLVM_LIB}/libMLIRCAPI*.a)
    add_library(pa_mlir INTERFACE)
    target_link_libraries(pa_mlir INTERFACE pa_mlir_headers -Wl,--start-group ${pa_capi_archives} -Wl,--end-group
                                            ${PYARRAY_MLIR_SHARED} ${PYARRAY_LLVM_SHARED} dl m pthread)
    return()
  endif()
endif()

# Archives that no compiler of ours needs, some of which define main() or global test registrations; other targets.
file(GLOB pa_mlir_archives ${PYARRAY_LLVM_LIB}/libMLIR*.a)
list(FILTER pa_mlir_archives EXCLUDE REGEX "Runner|Lsp|Test|_runtime|TableGen|Tblgen|SparseTensorRuntime")
file(GLOB pa_llvm_archives ${PYARRAY_LLVM_LIB}/libLLVM*.a)
set(pa_other_targets ${LLVM_ALL_TARGETS} ${LLVM_ALL_EXPERIMENTAL_TARGETS} M68k Xtensa)
list(REMOVE_ITEM pa_other_targets X86 NVPTX)
list(JOIN pa_other_targets "|" pa_other_targets)
list(FILTER pa_llvm_archives EXCLUDE REGEX
     "TableGen|gtest|Testing|Fuzz|BOLT|Exegesis|Debuginfod|WindowsDriver|/libLLVM(${pa_other_targets})[A-Z]")
if(NOT pa_mlir_archives OR NOT pa_llvm_archives)
  message(FATAL_ERROR "no static LLVM/MLIR archives in ${PYARRAY_LLVM_LIB} (Debian: llvm-22-dev, libmlir-22-dev)")
endif()

# Static, so that the core loads on a machine that has none of them.
find_library(PYARRAY_ZLIB NAMES libz.a REQUIRED)
find_library(PYARRAY_ZSTD NAMES libzstd.a REQUIRED)
# One linker script names them all, which keeps link commands readable.
set(pa_archive_script ${CMAKE_BINARY_DIR}/mlir-archives.ld) # a group: any linker finds what it needs in any order
list(JOIN pa_mlir_archives "\n" pa_script)
list(APPEND pa_script ${pa_llvm_archives} ${PYARRAY_ZLIB} ${PYARRAY_ZSTD})
list(JOIN pa_script "\n" pa_script)
file(CONFIGURE OUTPUT ${pa_archive_script} CONTENT "GROUP(\n${pa_script}\n)\n")

add_library(pa_mlir INTERFACE)
target_link_libraries(pa_mlir INTERFACE pa_mlir_headers ${pa_archive_script} rt dl m pthread)
if(PYARRAY_IS_PACKAGE) # the linker is its user's
  return()
endif()

# For ours: -B tells gcc where ld.lld lies.
find_program(PYARRAY_LLD NAMES ld.lld HINTS ${PYARRAY_LLVM_BIN} REQUIRED)
get_filename_component(pa_lld_folder ${PYARRAY_LLD} DIRECTORY)
target_link_options(pa_mlir INTERFACE -fuse-ld=lld $<$<CXX_COMPILER_ID:GNU>:-B${pa_lld_folder}>
                                      $<$<CXX_COMPILER_ID:Clang>:--ld-path=${PYARRAY_LLD}>
                                      -Wl,--gc-sections -Wl,--as-needed -static-libstdc++ -static-libgcc)
