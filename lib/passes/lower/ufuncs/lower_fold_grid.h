// What lower_fold_grid.c (blocks), lower_fold_teams.c (what lanes hand each other) and lower_fold_lanes.c (what a
// thread folds) share.
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
  int least;                                       // groups of elements that a lane has, where there are enough
  int group;                                       // elements that follow each other and that a lane folds apart
  bool by_vectors;                                 // of which a group may be one access
  MlirValue thread, block, blocks;                 // index type, as all that follows
  MlirValue kept, parts, share, bits, lanes, tile; // points of the result; elements of a part; items of a tile
  MlirValue point, lane;                           // of the thread, in its tile
  MlirValue tile_bits;                             // of items of a tile
  MlirValue block_bits, step;                      // of threads of the block; between lanes that are in other warps
  MlirValue columns;                               // i1
  bool known, unrolls_narrow; // |columns| is a constant; several groups at once where they are read by elements
} pa_grid_fold;

// The threads of a block over rows, each of which has a team (lower_team.c).
typedef struct pa_team {
  pa_grid_fold block; // kept: rows; share: elements of a row
  MlirValue active;   // i1: the team has a row of its own, and does not stand by at the last one
} pa_team;

// lower_fold_grid.c
// |block_bits|: of its threads; of which a team has at most |most_bits|. Sets bits, lanes, tile, point, lane.
void pa_share_block(pa_lowering *lower, pa_grid_fold *g, MlirValue block_bits, MlirValue most_bits);
MlirValue pa_bits_of(pa_lowering *lower, MlirValue number);          // the least power of two that is |number| at least
MlirValue pa_round_up(pa_lowering *lower, MlirValue a, MlirValue b); // a / b, up
// lower_fold_teams.c
void pa_block_barrier(pa_lowering *lower);
// |values| of lanes become the team's, in all its threads. All threads of the block come here.
void pa_fold_team(pa_lowering *lower, pa_grid_fold *g, MlirValue *values);
void pa_fold_row_of_team(pa_lowering *lower, const pa_grid_fold *g, MlirValue *values); // the same, of a row
// lower_fold_grid.c
// pyarray.reduce of a row: the number, for all threads of the team.
void pa_team_reduce(pa_lowering *lower, MlirOperation op);

// lower_team.c
struct pa_ufunc;
// The body of a ufunc over rows that are cores, by teams; |lower_point|: at u->indices.
void pa_lower_rows(pa_lowering *lower, struct pa_ufunc *u,
                   void (*lower_point)(pa_lowering *lower, const struct pa_ufunc *u));
void pa_team_map(pa_lowering *lower, const struct pa_ufunc *u); // a ufunc in such a body

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
// How many elements of these arrays a group has, and whether it may be one access.
int pa_choose_group(const pa_array *const *arrays, int count, bool *out_by_vectors);
int64_t pa_group_alignment(int group, const pa_array *array);
// Whether the elements along dimensions that are |folded| lie in |array| one after the other; i1.
MlirValue pa_lies_in_order(pa_lowering *lower, const pa_array *array, const bool *folded, const MlirValue *sizes);
MlirValue pa_pointer_at(pa_lowering *lower, const pa_array *array, MlirValue base, MlirValue distance);
MlirValue pa_is_aligned(pa_lowering *lower, MlirValue pointer, int64_t alignment); // i1
MlirValue pa_load_group(pa_lowering *lower, const pa_array *array, int group, MlirValue pointer);
MlirValue pa_group_element(pa_lowering *lower, const pa_array *array, MlirValue vector, int place);
// What the lane folds of part |part| of the point at |places|, those along dimensions that are folded being free to be
// written.
void pa_fold_lane(pa_lowering *lower, const pa_grid_fold *g, MlirValue part, MlirValue *places, MlirValue *out);

#endif // PYARRAY_LIB_PASSES_LOWER_FOLD_GRID_H
