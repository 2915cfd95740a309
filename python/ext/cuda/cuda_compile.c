// compile_device: a Python function to PTX or to any level of IR on the way, for GPUs. Needs no GPU.
#include "ext.h"

#include <string.h>

static const char *const names[] = {"function",   "type_code",   "level",         "target",        "cpu",
                                    "device",     "debug",       "lineinfo",      "fastmath",      "no_fma",
                                    "no_opt",     "boundscheck", "python_errors", "max_registers", "max_threads",
                                    "min_blocks", "max_cluster", "cluster",       "export_name",   "libdevice",
                                    "ufunc",      "operands",    "link",          "lto",           NULL};

// PTX is text; an object for the CPU is bytes.
static PyObject *compiled(const pyarray_compile_request *request, const pyarray_compile_result *result) {
  bool ptx = request->target && strcmp(request->target, "cuda") == 0;
  return Py_BuildValue(ptx ? "{ss#sssssy#sLsO}" : "{sy#szszsy#sLsO}", "code", result->object,
                       (Py_ssize_t)result->object_size, "type_code", result->type_code, "entry", result->entry, "sites",
                       result->sites, (Py_ssize_t)result->sites_size, "shared_bytes", (long long)result->shared_bytes,
                       "cooperative", result->cooperative ? Py_True : Py_False);
}

PyObject *pa_compile_device(PyObject *module, PyObject *arguments, PyObject *keywords) {
  (void)module;
  pyarray_compile_request request = {.inline_policy = "auto"};
  PyObject *function, *link = NULL;
  const char *level = NULL;
  int device = 0, debug = 0, lineinfo = 0, fastmath = 0, no_fma = 0, no_opt = 0, boundscheck = 0, python_errors = 0,
      lto = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Osz|$zzppppppppiiiiizzzzOp:compile_device",
                                   (char **)(uintptr_t)names, &function, &request.type_code, &level, &request.target,
                                   &request.cpu, &device, &debug, &lineinfo, &fastmath, &no_fma, &no_opt, &boundscheck,
                                   &python_errors, &request.max_registers, &request.max_threads, &request.min_blocks,
                                   &request.max_cluster, &request.cluster, &request.export_name, &request.libdevice,
                                   &request.ufunc, &request.operands, &link, &lto))
    return NULL;
  request.function = function;
  request.link = link;
  request.lto = lto;
  request.device = device;
  request.debug = debug;
  request.lineinfo = lineinfo;
  request.fastmath = fastmath;
  request.no_fma = no_fma;
  request.no_opt = no_opt;
  request.boundscheck = boundscheck;
  request.error_model = python_errors ? "python" : "numpy";
  const pyarray_core_api *core = pa_core_load();
  if (!core) return NULL;
  pyarray_compile_result result;
  if (level)
    core->inspect(&request, level, &result);
  else
    core->compile(&request, &result);
  PyObject *answer = NULL;
  if (result.outcome != PYARRAY_OK)
    pa_core_raise(&result);
  else
    answer = level ? Py_BuildValue("{ss#}", "code", result.object, (Py_ssize_t)result.object_size)
                   : compiled(&request, &result);
  core->free_result(&result);
  return answer;
}
