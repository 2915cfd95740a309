// What the files of the second phase share: infer_emit.c goes over the operations, and has others emit them.
#ifndef PYARRAY_LIB_PASSES_INFER_EMIT_PARTS_H
#define PYARRAY_LIB_PASSES_INFER_EMIT_PARTS_H

#include "infer_emit.h"

// infer_emit_flow.c
pa_status pa_infer_emit_region(pa_instance_emitter *e, MlirBlock source, MlirBlock target, const char *terminator,
                               MlirValue condition, const MlirType *types, intptr_t count);
MlirRegion pa_infer_open_region(pa_instance_emitter *e, MlirBlock source, MlirBlock *out_block, MlirType **out_types);
pa_status pa_infer_emit_for(pa_instance_emitter *e, MlirOperation op);
MlirType *pa_infer_result_types(pa_instance_emitter *e, MlirOperation op);
void pa_infer_map_results(pa_instance_emitter *e, MlirOperation from, MlirOperation to);
pa_status pa_infer_emit_while(pa_instance_emitter *e, MlirOperation op);
pa_status pa_infer_emit_if(pa_instance_emitter *e, MlirOperation op);

// infer_emit.c
pa_status pa_infer_emit_block(pa_instance_emitter *e, MlirBlock source);

// infer_emit_calls.c
void pa_infer_emit_made_value(pa_instance_emitter *e, const pa_made_value *made);
MlirValue pa_infer_emit_instance_call(pa_instance_emitter *e, const pa_resolved_call *call);
pa_status pa_infer_emit_call(pa_instance_emitter *e, MlirOperation op);
// |*out_done|: it was an operator that extends a list, and gives that.
pa_status pa_infer_emit_extension(pa_instance_emitter *e, MlirOperation op, bool *out_done);
pa_status pa_infer_emit_class_operation(pa_instance_emitter *e, MlirOperation op, bool *out_done);

// infer_emit_subscripts.c
pa_status pa_infer_emit_getitem(pa_instance_emitter *e, MlirOperation op);
pa_status pa_infer_emit_setitem(pa_instance_emitter *e, MlirOperation op);
pa_status pa_infer_emit_delitem(pa_instance_emitter *e, MlirOperation op);

// infer_emit_operators.c
pa_status pa_emit_binary_operator(pa_instance_emitter *e, MlirOperation op);
pa_status pa_emit_unary_operator(pa_instance_emitter *e, MlirOperation op);
pa_status pa_emit_comparison_operator(pa_instance_emitter *e, MlirOperation op);

// infer_emit_function.c
// Appends the typed function to the module.
pa_status pa_emit_instance(pa_inference *inference, pa_instance *instance);

#endif // PYARRAY_LIB_PASSES_INFER_EMIT_PARTS_H
