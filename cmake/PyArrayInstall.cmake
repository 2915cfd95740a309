# Installs the dialect and passes as a library: headers, static archives, and the CMake package PyArray, so that
#   find_package(PyArray CONFIG REQUIRED)
#   target_link_libraries(compiler PRIVATE PyArray::pipeline PyArray::mlir)
# suffices. PyArray::mlir brings libMLIR.so, or else the static archives of LLVM/MLIR; leave it out to link MLIR in another way.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(pa_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/PyArray)
set(pa_libraries number_text support runtime engine device ir dialect capi ops frontend pass check facts typing infer optimize arrays lower linalg cpu gpu to_llvm
                 passes python_library codegen pipeline)
set(pa_interfaces capi_headers runtime_table device_table)

foreach(name IN LISTS pa_libraries pa_interfaces)
  set_target_properties(pa_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(pa_${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS pa_${name} EXPORT PyArrayTargets ARCHIVE COMPONENT library)
endforeach()
install(EXPORT PyArrayTargets NAMESPACE PyArray:: DESTINATION ${pa_package_folder} COMPONENT library)

install(DIRECTORY capi/include/ TYPE INCLUDE COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/capi/ops/pyarray-c/Ops.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pyarray-c COMPONENT library)
# The dialect for C++ and for other .td files: #include "pyarray/PyArray.h".
install(DIRECTORY dialects/pyarray/ ${CMAKE_BINARY_DIR}/dialects/pyarray/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pyarray
        COMPONENT library FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)
target_include_directories(pa_dialect INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/pyarray>)

configure_package_config_file(cmake/PyArrayConfig.cmake.in ${CMAKE_BINARY_DIR}/PyArrayConfig.cmake
                              INSTALL_DESTINATION ${pa_package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/PyArrayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/PyArrayConfig.cmake ${CMAKE_BINARY_DIR}/PyArrayConfigVersion.cmake
              cmake/PyArrayLLVM.cmake DESTINATION ${pa_package_folder} COMPONENT library)
