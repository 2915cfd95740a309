# Finds the Python that the extension module is built for, and its NumPy headers. Select one with
# -DPython3_EXECUTABLE=...; the virtual environment .venv is preferred.

if(NOT Python3_EXECUTABLE AND NOT SKBUILD AND EXISTS ${CMAKE_SOURCE_DIR}/.venv/bin/python)
  set(Python3_EXECUTABLE ${CMAKE_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "Python interpreter")
endif()
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter Development.Module OPTIONAL_COMPONENTS NumPy
                                                                                                 Development.Embed)
message(STATUS "Python ${Python3_VERSION}: ${Python3_EXECUTABLE}")
if(NOT Python3_NumPy_FOUND)
  message(STATUS "NumPy not found: the _pyarray extension module is not built")
endif()

# Headers only: Python's symbols are found in the process that loads us.
add_library(pa_python_headers INTERFACE)
target_include_directories(pa_python_headers SYSTEM INTERFACE ${Python3_INCLUDE_DIRS})
