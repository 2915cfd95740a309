// What lower_fold_grid.c (blocks, teams) and lower_fold_lanes.c (what a thread folds) share.
#ifndef PYARRAY_LIB_PASSES_LOWER_FOLD_GRID_H
#define PYARRAY_LIB_PASSES_LOWER_FOLD_GRID_H

#include "lower_fold.h"

// What a result carries: its value, and of a position that too.
typedef struct pa_lane_result {
  const pa_fold_result *result;
  pa_scalar scalar;
  pa_array shared, places; // of each thread of the block
} pa_lane_result;

typedef struct pa_grid_fold {
  pa_fold fold;
  MlirValue *starts; // of the results, or NULL
  pa_lane_result *results;
  int group;                                       // elements that follow each other and that a lane folds apart
  bool by_vectors;                                 // of which a group may be one access
  MlirValue thread, block, blocks;                 // index type, as all that follows
  MlirValue kept, parts, share, bits, lanes, tile; // points of the result; elements of a part; items of a tile
  MlirValue point, lane, apart;                    // of the thread, in its tile
  MlirValue columns;                               // i1
} pa_grid_fold;

// lower_fold_grid.c. Values, each with its position behind it where that is what is sought.
int pa_lane_words(const pa_lane_result *result);
int pa_all_lane_words(const pa_grid_fold *g);
void pa_lane_starts(pa_lowering *lower, const pa_grid_fold *g, MlirValue *out);
void pa_lane_combine(pa_lowering *lower, const pa_lane_result *c, const MlirValue *a, const MlirValue *b,
                     MlirValue *out);
// The places, along the dimensions that are |folded| or not, of point |number| in C order.
void pa_find_fold_places(pa_lowering *lower, const pa_fold *f, bool folded, MlirValue number, MlirValue *out_places);
MlirValue pa_fold_total(pa_lowering *lower, const pa_fold *f, bool folded); // how many there are

// lower_fold_lanes.c
void pa_choose_group(pa_grid_fold *g); // |group|, |by_vectors|
// What the lane folds of part |part| of the point at |places|, those along dimensions that are folded being free to be
// written.
void pa_fold_lane(pa_lowering *lower, const pa_grid_fold *g, MlirValue part, MlirValue *places, MlirValue *out);

#endif // PYARRAY_LIB_PASSES_LOWER_FOLD_GRID_H
