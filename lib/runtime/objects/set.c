// Operations of sets, which are dicts without values (dict.c), by compiled code.
#include "objects.h"

static pa_dict *dict_of(int64_t handle) { return pa_object_of(handle); }

static int64_t finish_set(pa_dict *made, bool done) {
  if (done) return pa_handle_of(made);
  if (made) pyarray_rt_release(pa_handle_of(made));
  return 0;
}

int64_t pyarray_rt_set_intersection(int64_t a, int64_t b) {
  pa_dict *made = pa_dict_new_like(dict_of(a), 0);
  return finish_set(made, made && pa_dict_copy_where(made, dict_of(a), dict_of(b), true));
}

int64_t pyarray_rt_set_difference(int64_t a, int64_t b) {
  pa_dict *made = pa_dict_new_like(dict_of(a), 0);
  return finish_set(made, made && pa_dict_copy_where(made, dict_of(a), dict_of(b), false));
}

int64_t pyarray_rt_set_symmetric_difference(int64_t a, int64_t b) {
  pa_dict *made = pa_dict_new_like(dict_of(a), 0);
  return finish_set(made, made && pa_set_merge(made, dict_of(a), dict_of(b), true));
}

// The set becomes what |other| is, whose only reference is the caller's.
void pyarray_rt_set_assign(int64_t handle, int64_t other) {
  pa_dict *set = dict_of(handle), *source = dict_of(other), old = *set;
  int64_t version = set->version + 1;
  *set = *source;
  *source = old;
  set->version = version;
}

int32_t pyarray_rt_set_issubset(int64_t a, int64_t b) {
  const pa_dict *set = dict_of(a), *other = dict_of(b);
  return set->length <= other->length && pa_dict_has_none(set, other, false);
}

int32_t pyarray_rt_set_issuperset(int64_t a, int64_t b) { return pyarray_rt_set_issubset(b, a); }

int32_t pyarray_rt_set_is_proper_subset(int64_t a, int64_t b) {
  return dict_of(a)->length < dict_of(b)->length && pyarray_rt_set_issubset(a, b);
}

int32_t pyarray_rt_set_isdisjoint(int64_t a, int64_t b) { return pa_dict_has_none(dict_of(a), dict_of(b), true); }
