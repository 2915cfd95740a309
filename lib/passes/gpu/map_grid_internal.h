// What the parts of pyarray-map-grid share that give several points to a thread: map_grid_vectors.c (which, accesses of
// 16 bytes) and map_grid_bodies.c (copies of the body).
#ifndef PYARRAY_LIB_PASSES_MAP_GRID_INTERNAL_H
#define PYARRAY_LIB_PASSES_MAP_GRID_INTERNAL_H

#include "ir/blocks.h"
#include "map_grid.h"

// A load or store of the point's element of a contiguous operand.
typedef struct pa_access {
  MlirOperation op;
  MlirValue memref, start; // |start|: address of the element 0
  MlirValue *strides;      // i64, of more than one dimension
  MlirType element, part;  // |part|: number in memory; complex elements have two
  int bytes, parts;        // of an element
  bool writes;
  MlirValue is_number, number; // null, or i1 and element: what it is in place of an array (map_grid_numbers.c)
} pa_access;

struct pa_vector_plan {
  pa_access *items;
  size_t count, capacity;
  intptr_t rank;
  int lanes;   // points that a thread takes at an access
  int groups;  // such accesses, one after the other
  bool loops;  // over the groups and their points, instead of a copy of the body for each
  int cost;    // of the body
  bool merges; // the points that are left go through the same loop: nothing is seen of a computation but what is stored
};

MlirType pa_access_vector(const pa_vector_plan *p, const pa_access *a);
// The elements of an array at a thread's points, the first of which is at |indices|.
MlirValue pa_vector_load(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                         const MlirValue *indices);
// The same, or the number, in |groups| vectors; the first of each is at |indices[group]|.
void pa_vector_loads(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                     MlirValue *const *indices, int groups, MlirValue *out_vectors);
void pa_vector_store(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                     const MlirValue *indices, MlirValue vector);
// One element of such a vector; the vector with another one.
MlirValue pa_vector_element(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue vector, int lane);
MlirValue pa_vector_with(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue vector, MlirValue value,
                         int lane);

// The body for the point at |indices|. |elements|, one for each access, are those that it reads, or become those that
// it writes.
void pa_vector_body(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const MlirValue *indices,
                    MlirValue *elements);
// The bytes that an access is aligned to.
int64_t pa_vector_alignment(const pa_vector_plan *p, const pa_access *a);
// The address of a number of an element that has several.
MlirValue pa_vector_part(pa_mapping *m, pa_builder *at, const pa_access *a, MlirValue address, int number);
// The address of the first of the points at |indices|.
MlirValue pa_vector_address(pa_mapping *m, pa_builder *at, const pa_vector_plan *p, const pa_access *a,
                            const MlirValue *indices);

//===-- map_grid_numbers.c ------------------------------------------------------------------------===//

enum { PA_ALIGNED = 1, PA_OFFSET, PA_EXTENTS, PA_STRIDES }; // fields of a memref's descriptor

MlirValue pa_descriptor(pa_mapping *m, pa_builder *at, MlirValue memref, intptr_t rank);
// |second|: of an array, else negative. i64, or a pointer.
MlirValue pa_descriptor_field(pa_mapping *m, pa_builder *at, MlirValue descriptor, int64_t first, int64_t second);
// scf.if with one result, which the regions, whose builders are at their ends, yield.
MlirValue pa_grid_choice(pa_builder *at, MlirValue condition, MlirType type, MlirRegion then, pa_builder *then_at,
                         MlirValue first, MlirRegion otherwise, pa_builder *otherwise_at, MlirValue second);
// Whether |op| chooses between a number and a load from an array; else nothing is written.
bool pa_read_choice(MlirOperation op, MlirOperation *out_load, MlirValue *out_is_number, MlirValue *out_value);

#endif // PYARRAY_LIB_PASSES_MAP_GRID_INTERNAL_H
