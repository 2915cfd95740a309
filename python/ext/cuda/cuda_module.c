// The namespace _pyarray.cuda.
#include "cuda_libraries.h"
#include "cuda_ufunc.h"

int pa_cuda_initialize(PyObject *module) {
  PyTypeObject *const types[] = {
      &pa_cuda_dispatcher_type, &pa_cuda_launcher_type, &pa_stream_type,         &pa_event_type,
      &pa_memory_type,          &pa_device_array_type,  &pa_transfer_type,       &pa_cuda_ufunc_type,
      &pa_fft_plan_type,        &pa_blas_handle_type,   &pa_library_method_type, &pa_blas_method_type,
      &pa_graph_type,           &pa_host_block_type,    &pa_rand_generator_type, &pa_rand_base_type};
  PyObject *cuda = PyModule_New("pyarray._pyarray.cuda");
  bool done = cuda && PyModule_AddFunctions(cuda, pa_cuda_device_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_memory_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_stream_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_array_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_deferred_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_product_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_ipc_functions) == 0 &&
              PyModule_AddFunctions(cuda, pa_cuda_library_functions) == 0;
  for (size_t i = 0; done && i < sizeof types / sizeof *types; ++i) done = PyModule_AddType(cuda, types[i]) == 0;
  done = done && PyModule_AddObjectRef(module, "cuda", cuda) == 0;
  Py_XDECREF(cuda);
  return done ? 0 : -1;
}
