// Sites: what is known of the items of containers that are made here (typing_sites.c).
#ifndef PYARRAY_LIB_PASSES_TYPING_SITES_H
#define PYARRAY_LIB_PASSES_TYPING_SITES_H

#include "sign_notes.h"
#include "typing_growth.h"

pa_sites *pa_sites_new(pa_arena *arena, pa_growths *growths);
bool pa_sites_take_change(pa_sites *sites); // since it was asked last
// While this is so, only sites of which nothing is known learn anything. The value before.
bool pa_sites_guess(pa_sites *sites, bool guessing);
bool pa_sites_are_known(const pa_sites *sites); // something is put into all containers
bool pa_sites_fill_empty(
    pa_sites *sites,
    MlirType none); // what nothing is put into has items of type |none|; whether there is such a one

bool pa_is_open(MlirType type); // a container of whose items nothing is known yet, or a function that has captured one
void pa_sites_forget(pa_sites *sites); // what is in containers, save of which signs are unknown
// The container of |fact| may be changed where nothing of that is seen; of one that is open everything is seen.
void pa_site_escapes(pa_sites *sites, pa_signs *signs, pa_fact fact);
void pa_site_loses_signs(pa_sites *sites, pa_signs *signs,
                         pa_fact fact); // numbers of unknown sign are put into its container

#endif // PYARRAY_LIB_PASSES_TYPING_SITES_H
