// What a raise has to release: of the owner slots, those that may hold something there. A function with a thousand
// slots and as many raises has one exit for each slot then, and not one block with all of them, where LLVM would join
// each slot's value from all raises.
//
//   raise with slots 0, 3:  ^exit3: release 3; cf.br ^exit0
//   raise with slot 0:      ^exit0: release 0; cf.br ^error
#include "raise_exits.h"

// Where there is more to look at, or more exits come out, than in proportion to the function, a raise releases all
// slots of its try.
enum { MOST_STEPS = 16 << 20, MOST_EXITS = 8 };

// What the last store to a slot within a block leaves there.
typedef enum content { UNCHANGED, EMPTY, HELD } content;

typedef struct event {
  size_t block;
  content after;
} event;

typedef struct slot_fact {
  event *events; // in the order of blocks, one for each
  size_t count, capacity;
  size_t try;     // 1 + index of that in which it is filled; 0: none
  intptr_t known; // uses that are loads and stores
  bool escapes;   // something else uses it: it may hold something at any time
} slot_fact;

typedef struct search {
  pa_arena *arena;
  pa_raise_blocks *list;
  slot_fact *slots;
  size_t *exits;   // by block: what the slots before this one make
  size_t *seen;    // by block: 1 + the slot that it is live into
  content *events; // by block: of the slot at hand
  size_t *work;
  size_t *child, *child_slot; // by exit: the one that goes on with it, for the slot at hand
  size_t child_capacity, child_slot_capacity;
  size_t *parents; // by try: 1 + index of the one around it; 0: none
  size_t steps;
} search;

size_t pa_find_raise_try(const pa_raise_blocks *list, int64_t number) {
  return number < 0 ? 0 : (size_t)(uintptr_t)pa_map_get(&list->by_number, (void *)(uintptr_t)(number + 1));
}

static size_t try_named_by(const pa_raise_blocks *list, MlirOperation op) {
  MlirAttribute number = pa_get_attr(op, "pyarray.try");
  return mlirAttributeIsNull(number) ? 0 : pa_find_raise_try(list, mlirIntegerAttrGetValueInt(number));
}

size_t pa_find_catching_try(const pa_raise_blocks *list, MlirOperation raise) { return try_named_by(list, raise); }

//===-- Slots -------------------------------------------------------------------------------------===//

static bool is_zero(MlirValue value) {
  if (!mlirValueIsAOpResult(value)) return false;
  MlirAttribute number = pa_get_attr(mlirOpResultGetOwner(value), "value");
  return !mlirAttributeIsNull(number) && mlirAttributeIsAInteger(number) && mlirIntegerAttrGetValueInt(number) == 0;
}

static void note_store(search *s, slot_fact *slot, size_t block, MlirValue stored) {
  if (!slot->count || slot->events[slot->count - 1].block != block) {
    slot->events = pa_arena_grow(s->arena, slot->events, slot->count, &slot->capacity, sizeof *slot->events);
    slot->events[slot->count++].block = block;
  }
  slot->events[slot->count - 1].after = is_zero(stored) ? EMPTY : HELD;
}

static slot_fact *slot_of(search *s, const pa_map *numbers, MlirValue memory) {
  size_t number = (size_t)(uintptr_t)pa_map_get(numbers, memory.ptr);
  return number ? &s->slots[number - 1] : NULL;
}

// Loads and stores up to the raise count; what is behind it is about to be erased.
static void look_at_block(search *s, const pa_map *numbers, size_t index) {
  const pa_raise_block *fact = &s->list->facts[index];
  MlirIdentifier load = mlirIdentifierGet(mlirOperationGetContext(s->list->owners.items[0]), pa_ref("memref.load"));
  MlirIdentifier store = mlirIdentifierGet(mlirOperationGetContext(s->list->owners.items[0]), pa_ref("memref.store"));
  bool doomed = !fact->reachable;
  PA_FOR_EACH_OP(op, fact->block) {
    MlirIdentifier name = mlirOperationGetName(op);
    bool stores = mlirIdentifierEqual(name, store);
    if (stores || mlirIdentifierEqual(name, load)) {
      slot_fact *slot = slot_of(s, numbers, mlirOperationGetOperand(op, stores));
      if (slot) ++slot->known;
      if (slot && stores && !doomed) note_store(s, slot, index, mlirOperationGetOperand(op, 0));
    }
    doomed |= mlirOperationEqual(op, fact->raise);
  }
}

static void look_at_slots(search *s) {
  const pa_op_list *owners = &s->list->owners;
  pa_map numbers = {0};
  s->slots = PA_NEW_ARRAY(s->arena, slot_fact, owners->count);
  for (size_t i = 0; i < owners->count; ++i) {
    s->slots[i].try = try_named_by(s->list, owners->items[i]);
    pa_map_put(s->arena, &numbers, mlirOperationGetResult(owners->items[i], 0).ptr, (void *)(uintptr_t)(i + 1));
  }
  for (size_t i = 0; i < s->list->count; ++i) look_at_block(s, &numbers, i);
  for (size_t i = 0; i < owners->count; ++i) {
    intptr_t uses = 0;
    MlirValue memory = mlirOperationGetResult(owners->items[i], 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      ++uses;
    s->slots[i].escapes = uses != s->slots[i].known;
  }
}

//===-- Exits -------------------------------------------------------------------------------------===//

// Whether an exit to |caught| releases a slot of |try|: of that try or one within it. All slots are released on the way
// out of the function.
static bool is_within(const search *s, size_t try, size_t caught) {
  while (caught && try && try != caught) try = s->parents[try - 1];
  return try == caught || !caught;
}

static size_t add_exit(search *s, size_t slot, size_t next, size_t caught) {
  pa_raise_blocks *list = s->list;
  list->exits = pa_arena_grow(s->arena, list->exits, list->exit_count, &list->exit_capacity, sizeof *list->exits);
  s->child = pa_arena_grow(s->arena, s->child, list->exit_count, &s->child_capacity, sizeof *s->child);
  s->child_slot =
      pa_arena_grow(s->arena, s->child_slot, list->exit_count, &s->child_slot_capacity, sizeof *s->child_slot);
  list->exits[list->exit_count] = (pa_raise_exit){.slot = slot, .next = next, .caught = caught};
  s->child_slot[list->exit_count] = 0;
  return list->exit_count++;
}

static void begin_exits(search *s) {
  s->list->exit_count = 0;
  for (size_t i = 0; i <= s->list->try_count; ++i) add_exit(s, 0, 0, i);
  for (size_t i = 0; i < s->list->count; ++i)
    if (!mlirOperationIsNull(s->list->facts[i].raise))
      s->exits[i] = pa_find_catching_try(s->list, s->list->facts[i].raise);
}

static void release_at(search *s, size_t block, size_t slot) {
  size_t at = s->exits[block];
  if (s->child_slot[at] != slot + 1) {
    size_t made = add_exit(s, slot, at, s->list->exits[at].caught);
    s->child[at] = made;
    s->child_slot[at] = slot + 1;
  }
  s->exits[block] = s->child[at];
}

static bool raises(const search *s, size_t block) {
  return s->list->facts[block].reachable && !mlirOperationIsNull(s->list->facts[block].raise);
}

// The slot holds something where |block| ends.
static void hold(search *s, size_t block, size_t slot, size_t *depth) {
  const pa_raise_block *fact = &s->list->facts[block];
  if (raises(s, block)) {
    size_t caught = s->list->exits[s->exits[block]].caught;
    if (is_within(s, s->slots[slot].try, caught)) return release_at(s, block, slot);
  }
  for (size_t i = 0; i < fact->successor_count; ++i) {
    ++s->steps;
    if (s->seen[fact->successors[i]] == slot + 1) continue;
    s->seen[fact->successors[i]] = slot + 1;
    s->work[(*depth)++] = fact->successors[i];
  }
}

static void follow(search *s, size_t number) {
  const slot_fact *slot = &s->slots[number];
  size_t depth = 0;
  for (size_t i = 0; i < slot->count; ++i) s->events[slot->events[i].block] = slot->events[i].after;
  for (size_t i = 0; i < slot->count; ++i)
    if (slot->events[i].after == HELD) hold(s, slot->events[i].block, number, &depth);
  while (depth) {
    size_t block = s->work[--depth];
    if (s->events[block] == UNCHANGED) hold(s, block, number, &depth);
  }
  for (size_t i = 0; i < slot->count; ++i) s->events[slot->events[i].block] = UNCHANGED;
}

static void release_everywhere(search *s, size_t slot) {
  for (size_t i = 0; i < s->list->count; ++i)
    if (raises(s, i) && is_within(s, s->slots[slot].try, s->list->exits[s->exits[i]].caught)) release_at(s, i, slot);
}

// One chain of exits for each try that catches something.
static void release_all(search *s) {
  bool *used = PA_NEW_ARRAY(s->arena, bool, s->list->try_count + 1);
  size_t *last = PA_NEW_ARRAY(s->arena, size_t, s->list->try_count + 1);
  begin_exits(s);
  for (size_t i = 0; i < s->list->count; ++i)
    if (raises(s, i)) used[s->exits[i]] = true;
  for (size_t t = 0; t <= s->list->try_count; ++t) {
    last[t] = t;
    for (size_t slot = 0; used[t] && slot < s->list->owners.count; ++slot)
      if (is_within(s, s->slots[slot].try, t)) last[t] = add_exit(s, slot, last[t], t);
  }
  for (size_t i = 0; i < s->list->count; ++i)
    if (raises(s, i)) s->exits[i] = last[s->exits[i]];
}

static bool is_too_much(const search *s) {
  return s->steps > MOST_STEPS || s->list->exit_count > MOST_EXITS * (s->list->owners.count + s->list->try_count + 8);
}

void pa_find_raise_exits(pa_arena *arena, pa_raise_blocks *list, bool releases) {
  size_t slots = releases ? list->owners.count : 0;
  search s = {.arena = arena,
              .list = list,
              .exits = PA_NEW_ARRAY(arena, size_t, list->count),
              .seen = PA_NEW_ARRAY(arena, size_t, list->count),
              .events = PA_NEW_ARRAY(arena, content, list->count),
              .work = PA_NEW_ARRAY(arena, size_t, list->count),
              .parents = PA_NEW_ARRAY(arena, size_t, list->try_count + 1)};
  for (size_t i = 0; i < list->try_count; ++i) s.parents[i] = pa_find_raise_try(list, list->tries[i].parent);
  begin_exits(&s);
  if (slots) look_at_slots(&s);
  for (size_t i = 0; i < slots && !is_too_much(&s); ++i) {
    if (s.slots[i].escapes)
      release_everywhere(&s, i);
    else
      follow(&s, i);
  }
  if (slots && is_too_much(&s)) release_all(&s);
  for (size_t i = 0; i < list->count; ++i) list->facts[i].exit = s.exits[i];
}
