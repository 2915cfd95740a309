# pa_library(<name> DEPENDS ... [ROOMS] [PUBLIC_ROOMS]): a static library of all *.c and *.cpp files of the folder; with ROOMS, of
# its rooms too, the subfolders that docs/rooms.md has a table of. Other libraries see headers of rooms where these are public.
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

# Of Python programs that load what was built: an interpreter without sanitizers needs theirs loaded first.
set(pa_python_environment PYTHONDONTWRITEBYTECODE=1)
if(PYARRAY_SANITIZE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so OUTPUT_VARIABLE sanitizer OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND pa_python_environment LD_PRELOAD=${sanitizer} ASAN_OPTIONS=detect_leaks=0)
endif()

# pa_rooms(<sources> <folders>): the C files of the rooms of the current folder, or of |subfolder| in it, and the rooms. By the
# table of docs/rooms.md each file sees the headers of its own room, and of those that this may call.
function(pa_rooms out_sources out_folders)
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${ARGN})
  cmake_path(RELATIVE_PATH root BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE title)
  string(REGEX REPLACE "/$" "" title ${title})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/rooms.md)
  file(STRINGS ${CMAKE_SOURCE_DIR}/docs/rooms.md lines)
  set(section)
  set(all)
  set(folders)
  foreach(line IN LISTS lines)
    if(line MATCHES "^## (.*)$")
      set(section ${CMAKE_MATCH_1})
    elseif(section STREQUAL title AND line MATCHES "^\\| `([a-z_]+)` \\|.*\\|(.*)\\|$")
      set(room ${CMAKE_MATCH_1})
      string(REGEX MATCHALL "[a-z_]+" visible "${CMAKE_MATCH_2}")
      list(APPEND visible ${room})
      list(TRANSFORM visible PREPEND ${root}/)
      file(GLOB sources CONFIGURE_DEPENDS ${root}/${room}/*.c)
      set_property(SOURCE ${sources} APPEND PROPERTY INCLUDE_DIRECTORIES ${visible})
      list(APPEND all ${sources})
      list(APPEND folders ${root}/${room})
    endif()
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${root}/*.c)
  set_property(SOURCE ${sources} APPEND PROPERTY INCLUDE_DIRECTORIES ${folders})
  set(${out_sources} ${all} PARENT_SCOPE)
  set(${out_folders} ${folders} PARENT_SCOPE)
endfunction()

function(pa_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "ROOMS;PUBLIC_ROOMS" "" "DEPENDS")
  file(GLOB sources CONFIGURE_DEPENDS *.c *.cpp)
  set(folders)
  if(ARG_ROOMS OR ARG_PUBLIC_ROOMS)
    pa_rooms(of_rooms folders)
    list(APPEND sources ${of_rooms})
  endif()
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
  if(ARG_PUBLIC_ROOMS)
    list(TRANSFORM folders PREPEND "$<BUILD_INTERFACE:")
    list(TRANSFORM folders APPEND ">")
    target_include_directories(${name} INTERFACE ${folders})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:pa_flags>)
endfunction()
