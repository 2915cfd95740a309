// Of pyarray-gpu-to-cpu, in race mode: every access of memory that threads share tells the runtime
// (lib/runtime/cuda/races.c).
//
//   %v = memref.load %a[%i] : memref<?xf32>
// becomes
//   %status = func.call @pyarray_rt_race_access(%address, %bytes, %kind, %line, %site) : (i64, i64, i32, i32, i32) ->
//   i32 scf.if %status != 0 { func.call @pyarray_rt_leave() } %v = memref.load %a[%i] : memref<?xf32>
//
// The access has three raise sites in a row, for the kinds of the other access. Which memory is a thread's own the
// runtime sees.
#include "ir/blocks.h"
#include "lockstep.h"

// ORDER RACE KINDS: pa_race_kind in lib/runtime/cuda/races.h.
enum { READ, WRITE, ATOMIC, KINDS };

static MlirValue arith(pa_builder *at, const char *name, MlirValue a, MlirValue b) {
  return pa_value(at, name, PA_OPERANDS(a, b), PA_RESULTS(mlirIndexTypeGet(at->context)));
}

// In bytes, of the element at |indices|.
static MlirValue element_address(pa_lockstep *lock, pa_builder *at, MlirValue memref, const MlirValue *indices) {
  MlirType type = mlirValueGetType(memref), element = mlirShapedTypeGetElementType(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType *types = PA_NEW_ARRAY(lock->arena, MlirType, 2 + 2 * rank);
  MlirType base = mlirMemRefTypeGet(element, 0, NULL, mlirAttributeGetNull(), mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = 0; i < 2 + 2 * rank; ++i) types[i] = i ? lock->index : base;
  MlirOperation parts =
      pa_op(at, "memref.extract_strided_metadata", PA_OPERANDS(memref), PA_RESULT_ARRAY(types, 2 + 2 * rank));
  if (mlirOperationIsNull(parts)) return (MlirValue){NULL};
  MlirValue position = mlirOperationGetResult(parts, 1);
  for (intptr_t i = 0; i < rank; ++i)
    position = arith(at, "arith.addi", position,
                     arith(at, "arith.muli", indices[i], mlirOperationGetResult(parts, 2 + rank + i)));
  MlirValue start =
      pa_value(at, "memref.extract_aligned_pointer_as_index", PA_OPERANDS(memref), PA_RESULTS(lock->index));
  MlirValue bytes = pa_constant_int(at, lock->index, pa_element_bytes(lock, element));
  MlirValue address = arith(at, "arith.addi", start, arith(at, "arith.muli", position, bytes));
  return pa_value(at, "arith.index_cast", PA_OPERANDS(address), PA_RESULTS(lock->i64));
}

typedef struct access {
  int kind;
  MlirType element;
  MlirValue address; // i64
} access;

// Memory that a thread has made for itself: what it prints, for instance.
static bool is_own(MlirValue place) {
  static const char *const views[] = {"llvm.getelementptr", "memref.cast", "memref.subview", "memref.reinterpret_cast",
                                      "memref.memory_space_cast"};
  while (mlirValueIsAOpResult(place)) {
    MlirOperation op = mlirOpResultGetOwner(place);
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    if (pa_ref_equal(name, "llvm.alloca") || pa_ref_equal(name, "memref.alloca")) return true;
    bool is_view = false;
    for (size_t i = 0; i < sizeof views / sizeof *views; ++i) is_view |= pa_ref_equal(name, views[i]);
    if (!is_view) return false;
    place = mlirOperationGetOperand(op, 0);
  }
  return false;
}

// False for operations that access no memory, or none that other threads know of.
static bool find_access(pa_lockstep *lock, pa_builder *at, MlirOperation op, access *out_access) {
  static const struct {
    const char *name;
    int kind;
    intptr_t place, value; // operands: the memory; an element, -1: the result
  } rows[] = {{"memref.load", READ, 0, -1}, {"memref.store", WRITE, 1, 0},    {"llvm.load", READ, 0, -1},
              {"llvm.store", WRITE, 1, 0},  {"llvm.atomicrmw", ATOMIC, 0, 1}, {"llvm.cmpxchg", ATOMIC, 0, 1}};
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!pa_ref_equal(name, rows[i].name)) continue;
    MlirValue place = mlirOperationGetOperand(op, rows[i].place);
    if (is_own(place)) return false;
    MlirValue value = rows[i].value < 0 ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, rows[i].value);
    *out_access = (access){.kind = rows[i].kind, .element = mlirValueGetType(value)};
    if (!mlirTypeIsAMemRef(mlirValueGetType(place))) {
      out_access->address = pa_value(at, "llvm.ptrtoint", PA_OPERANDS(place), PA_RESULTS(lock->i64));
      return true;
    }
    intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(place));
    MlirValue *indices = PA_NEW_ARRAY(lock->arena, MlirValue, rank + 1);
    for (intptr_t d = 0; d < rank; ++d) indices[d] = mlirOperationGetOperand(op, rows[i].place + 1 + d);
    out_access->address = element_address(lock, at, place, indices);
    return true;
  }
  return false;
}

// The first of three, which differ in what the other thread did.
static int64_t new_sites(pa_lockstep *lock, MlirLocation location, int kind) {
  static const char *const does[KINDS] = {"reads", "writes", "updates"}, *const did[KINDS] = {"read", "written",
                                                                                              "updated"};
  int64_t first = 0;
  for (int other = 0; other < KINDS; ++other) {
    const char *message = pa_arena_format(
        lock->arena,
        "data race: this thread %s what is %s in line {6} by thread ({0}, {1}, {2}) of block ({3}, {4}, {5}), "
        "and nothing orders the two",
        does[kind], did[other]);
    int64_t site = pa_new_raise_site(lock, location, "RuntimeError", message);
    if (!other) first = site;
  }
  return first;
}

void pa_tell_access(pa_lockstep *lock, pa_builder *at, MlirOperation op) {
  access access;
  if (!lock->races || !find_access(lock, at, op, &access) || pa_failed(at)) return;
  MlirLocation location = mlirOperationGetLocation(op);
  MlirValue operands[] = {access.address, pa_constant_int(at, lock->i64, pa_element_bytes(lock, access.element)),
                          pa_constant_int(at, lock->i32, access.kind),
                          pa_constant_int(at, lock->i32, pa_source_location(lock->arena, location).line),
                          pa_constant_int(at, lock->i32, new_sites(lock, location, access.kind))};
  pa_builder once = lock->once;
  lock->once = *at;
  pa_leave_if(lock, pa_lockstep_call(lock, "pyarray_rt_race_access", lock->i32, operands, PA_COUNT(operands)));
  pa_take_failure(&once, &lock->once);
  lock->once = once;
}

// |function| tells the runtime that threads have waited for each other.
void pa_tell_order(pa_lockstep *lock, const char *function) {
  if (lock->races) pa_lockstep_call(lock, function, (MlirType){NULL}, NULL, 0);
}
