// NVIDIA's GPUs as LLVM's targets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvptx.h"
#include "target.h"
#include "llvm-c/Core.h"
#include "llvm-c/Target.h"

#include <pthread.h>

const char pa_nvptx_triple[] = "nvptx64-nvidia-cuda";

static void initialize_nvptx(void) {
  pa_target_set_llvm_options();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

// The oldest version of PTX that has the architecture and all that we use, so that old drivers take it too.
static int ptx_version(int architecture) {
  static const int rows[][2] = {{70, 63},  {80, 70},  {86, 71},  {87, 74}, {89, 78},
                                {100, 86}, {103, 88}, {120, 87}, {121, 88}};
  int version = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (architecture >= rows[i][0]) version = rows[i][1];
  return architecture <= 121 ? version : 0;
}

pa_status pa_nvptx_machine(const pa_codegen_options *options, bool has_points, const char **out_cpu, int *out_version,
                           LLVMTargetMachineRef *out_machine) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, initialize_nvptx);
  const char *cpu = *out_cpu = options->cpu ? options->cpu : "sm_75";
  char *rest = NULL, *message = NULL, features[32];
  long architecture = strncmp(cpu, "sm_", 3) == 0 ? strtol(cpu + 3, &rest, 10) : 0;
  int version = ptx_version((int)architecture);
  if (!version || (*rest && *rest != 'a' && *rest != 'f'))
    return pa_fail(PA_CODE_INVALID, NULL, "'%s' is no GPU that is supported; sm_70 to sm_121 are", cpu);
  int least = *rest == 'f' ? 88 : *rest ? 80 : 0; // sm_90a came late
  *out_version = version > least ? version : least;
  snprintf(features, sizeof features, "+ptx%d", *out_version);
  LLVMTargetRef target;
  if (LLVMGetTargetFromTriple(pa_nvptx_triple, &target, &message)) {
    pa_status status = pa_fail(PA_CODE_INTERNAL, NULL, "LLVM has no target %s: %s", pa_nvptx_triple, message);
    LLVMDisposeMessage(message);
    return status;
  }
  LLVMCodeGenOptLevel level = !options->opt_level ? LLVMCodeGenLevelNone
                              : has_points        ? LLVMCodeGenLevelLess
                                                  : LLVMCodeGenLevelAggressive;
  *out_machine =
      LLVMCreateTargetMachine(target, pa_nvptx_triple, cpu, features, level, LLVMRelocDefault, LLVMCodeModelDefault);
  return *out_machine ? PA_OK : pa_fail(PA_CODE_INVALID, NULL, "LLVM cannot compile for '%s'", cpu);
}
