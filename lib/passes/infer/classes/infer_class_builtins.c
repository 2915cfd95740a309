// Builtin functions of instances of classes in pyarray-infer-types: the method that each calls, or an overload of the
// user's.
//
//   len(c)            @Own.__len__ with (%c)
#include <string.h>

#include "infer_classes.h"
#include "ir/classes.h"

typedef struct special {
  const char *name, *method, *otherwise; // |otherwise|: what serves where the class has no |method|
} special;

static const special builtin_methods[] = {
    {"builtins.len", "__len__", NULL},        {"builtins.abs", "__abs__", NULL},
    {"builtins.bool", "__bool__", "__len__"}, {"builtins.int", "__int__", "__index__"},
    {"builtins.float", "__float__", NULL},    {"builtins.complex", "__complex__", NULL},
    {"builtins.hash", "__hash__", NULL},      {"builtins.str", "__str__", "__repr__"},
    {"builtins.repr", "__repr__", NULL},      {"builtins.round", "__round__", NULL},
    {"operator.index", "__index__", NULL},    {"math.floor", "__floor__", NULL},
    {"math.ceil", "__ceil__", NULL},          {"math.trunc", "__trunc__", NULL},
    {"builtins.divmod", "__divmod__", NULL},  {"builtins.iter", "__iter__", NULL},
    {"builtins.next", "__next__", NULL},      {"builtins.pow", "__pow__", NULL},
};

// The method of the first argument that a call of the builtin |name| is; null where there is none.
static MlirAttribute method_of_builtin(const pa_class_operation *o, MlirStringRef name, MlirType first) {
  MlirAttribute method = mlirAttributeGetNull();
  for (size_t i = 0;
       !mlirTypeIsNull(first) && i < sizeof builtin_methods / sizeof *builtin_methods && mlirAttributeIsNull(method);
       ++i) {
    if (!pa_ref_equal(name, builtin_methods[i].name)) continue;
    method = pa_find_class_method(o->inference, first, builtin_methods[i].method);
    if (mlirAttributeIsNull(method)) method = pa_find_class_method(o->inference, first, builtin_methods[i].otherwise);
  }
  return method;
}

// Functions of module operator that are more than the operator that they use: the others leave it to that.
static bool is_operator(MlirStringRef name) {
  static const char *const others[] = {"call", "concat", "countOf", "iconcat", "index", "indexOf", "length_hint"};
  bool is = name.length > 9 && memcmp(name.data, "operator.", 9) == 0;
  for (size_t i = 0; is && i < sizeof others / sizeof *others; ++i)
    is = !pa_ref_equal(mlirStringRefCreate(name.data + 9, name.length - 9), others[i]);
  return is;
}

// A builtin that is given an instance: what is overloaded comes before what it does with all that there is.
pa_status pa_plan_overloaded_call(pa_class_operation *o) {
  MlirType callee = pa_operand_type(o, 0);
  MlirAttribute name = pyarrayTypeIsCallable(callee) ? pyarrayCallableTypeGetName(callee) : mlirAttributeGetNull();
  bool any = false;
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name) ||
      !mlirAttributeIsNull(pa_class_of_callable(o->inference->module, callee)))
    return PA_OK;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(o->op) && !any; ++i)
    any = !mlirTypeIsNull(pa_operand_type(o, i)) && pyarrayTypeIsObject(pa_operand_type(o, i));
  if (!any || is_operator(mlirStringAttrGetValue(name)) ||
      !mlirAttributeIsNull(method_of_builtin(o, mlirStringAttrGetValue(name), pa_instance_type(pa_operand_type(o, 1)))))
    return PA_OK;
  return pa_plan_overloaded(o, &any);
}

// A builtin whose first argument is an instance: what it calls, null where it is none of those that call a method.
pa_status pa_decide_class_builtin(pa_class_operation *o, MlirStringRef name, MlirType first,
                                  MlirAttribute *out_method) {
  MlirAttribute method = method_of_builtin(o, name, first);
  MlirStringRef class = pa_class_short_name(pyarrayObjectTypeGetName(first));
  bool text = pa_ref_equal(name, "builtins.str") || pa_ref_equal(name, "builtins.repr"),
       truth = pa_ref_equal(name, "builtins.bool");
  bool optional = pyarrayTypeIsOptional(pa_operand_type(o, 1));
  *out_method = text && optional ? mlirAttributeGetNull() : method; // "None"
  o->plan->truth = truth;
  if (!mlirAttributeIsNull(method) || text || pa_ref_equal(name, "builtins.hash"))
    return PA_OK; // without one, the class and where the instance lies
  if (truth && !optional)
    return o->plan->kind = PA_CLASS_CONSTANT, o->plan->constant = mlirBoolAttrGet(o->inference->context, true), PA_OK;
  for (size_t i = 0; i < sizeof builtin_methods / sizeof *builtin_methods; ++i)
    if (pa_ref_equal(name, builtin_methods[i].name))
      return pa_typing_fail(&o->typing, PA_CODE_TYPING, "%s(): '%.*s' object has no method %s",
                            strchr(builtin_methods[i].name, '.') + 1, (int)class.length, class.data,
                            builtin_methods[i].method);
  return PA_OK;
}
