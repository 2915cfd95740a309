// wave.sine %t amplitude 2.0   becomes   pyarray.binary mul 2.0, (pyarray.builtin "math.sin"(%t))
#include "mlir-c/BuiltinAttributes.h"
#include "pyarray-c/Dialect.h"
#include "pyarray-c/Types.h"
#include "wave.h"

static MlirStringRef ref(const char *text) { return mlirStringRefCreateFromCString(text); }

// Makes an operation with one result before |next|; |attribute| is its only one.
static MlirValue make(MlirOperation next, const char *name, const MlirValue *operands, intptr_t count, MlirType type,
                      const char *attribute, MlirAttribute value) {
  MlirContext context = mlirOperationGetContext(next);
  MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(context, ref(attribute)), value);
  MlirOperationState state = mlirOperationStateGet(ref(name), mlirOperationGetLocation(next));
  mlirOperationStateAddOperands(&state, count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &named);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(next), next, op);
  return mlirOperationGetResult(op, 0);
}

static MlirWalkResult lower(MlirOperation op, void *data) {
  (void)data;
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)), ref("wave.sine"))) return MlirWalkResultAdvance;
  MlirContext context = mlirOperationGetContext(op);
  MlirValue time = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(time);
  MlirAttribute amplitude = mlirOperationGetAttributeByName(op, ref("amplitude"));
  MlirValue factors[] = {
      make(op, "arith.constant", NULL, 0, type, "value", amplitude),
      make(op, "pyarray.builtin", &time, 1, type, "name", mlirStringAttrGet(context, ref("math.sin"))),
  };
  MlirAttribute multiply = pyarrayBinaryKindAttrGet(context, PYARRAY_BINARY_MUL);
  MlirValue product = make(op, "pyarray.binary", factors, 2, type, "kind", multiply);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), product);
  mlirOperationDestroy(op);
  return MlirWalkResultSkip;
}

static void run(MlirOperation module, MlirExternalPass pass, void *data) {
  (void)pass;
  mlirOperationWalk(module, lower, data, MlirWalkPreOrder);
}

static void begin_or_end(void *data) { (void)data; }
static void *clone(void *data) { return data; }

MlirPass wave_create_lowering(void) {
  static _Alignas(8) char id;
  MlirDialectHandle made[] = {pyarrayDialectHandle("arith"), mlirGetDialectHandle__pyarray__()};
  MlirExternalPassCallbacks callbacks = {
      .construct = begin_or_end, .destruct = begin_or_end, .clone = clone, .run = run};
  return mlirCreateExternalPass(mlirTypeIDCreate(&id), ref("LowerWave"), ref("lower-wave"),
                                ref("Lower waves to the pyarray dialect"), ref("builtin.module"), 2, made, callbacks,
                                NULL);
}
