# pa_library(<name> DEPENDS ... ROOMS ...): a static library of all *.c and *.cpp files of the folder and of its rooms, which are
# subfolders of it.
#
# Headers are included by folder, "ir/ir.h", or by name, and are visible exactly to those libraries that link the folder's
# library (by a folder of links for each in the build tree). Link dependencies follow the data's path, so including
# against the stream does not compile.

# Out-parameters that are written on success only look uninitialised to GCC: it does not know that pa_fail is never NULL.
add_library(pa_flags INTERFACE)
target_compile_definitions(pa_flags INTERFACE _GNU_SOURCE)
target_compile_options(
  pa_flags
  INTERFACE -fvisibility=hidden -ffunction-sections -fdata-sections -Wall -Wextra
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
            $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti> $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
            $<$<COMPILE_LANGUAGE:CXX>:-Wno-unused-parameter>
            $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden> $<$<BOOL:${PYARRAY_WERROR}>:-Werror>)
if(PYARRAY_SANITIZE)
  # Our C only: MLIR's archives are not instrumented.
  set(pa_sanitizers -fsanitize=address,undefined)
  target_compile_options(
    pa_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${pa_sanitizers}> $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer>
                       $<$<COMPILE_LANGUAGE:C>:-fno-sanitize-recover=undefined> -g)
  target_link_options(pa_flags INTERFACE ${pa_sanitizers})
endif()

function(pa_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPENDS;ROOMS")
  file(GLOB sources CONFIGURE_DEPENDS *.c *.cpp)
  foreach(room IN LISTS ARG_ROOMS)
    file(GLOB of_room CONFIGURE_DEPENDS ${room}/*.c)
    list(APPEND sources ${of_room})
  endforeach()
  if(NOT sources)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/empty.c CONTENT "typedef int pa_empty;\n")
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/empty.c)
  endif()
  add_library(${name} STATIC ${sources})
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include/${name})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/include/${name}/${folder} SYMBOLIC)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/include/${name}>
                                            $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>)
  foreach(room IN LISTS ARG_ROOMS)
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/${room}>)
  endforeach()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:pa_flags>)
endfunction()
