// The plan of an np.einsum.
#include "einsum.h"

#include <stdio.h>
#include <string.h>

enum { DOTS = 128 }; // the first label of "...", of its last dimension

static int find(const pa_einsum_term *term, int label) {
  for (int i = 0; i < term->rank; ++i)
    if (term->labels[i] == label) return i;
  return -1;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

//===-- The text ----------------------------------------------------------------------------------===//

// A term as it is written: letters, and where "..." stands among them (-1: nowhere).
typedef struct written {
  int letters, dots;
  char text[PA_MOST_EINSUM_RANK];
} written;

static const char *read_term(const char **at, const char *end, written *out, char *buffer) {
  *out = (written){.dots = -1};
  for (; *at < end && **at != ',' && **at != '-'; ++*at) {
    if (**at == ' ') continue;
    if (**at == '.') {
      if (out->dots >= 0 || end - *at < 3 || (*at)[1] != '.' || (*at)[2] != '.')
        return "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...')";
      out->dots = out->letters;
      *at += 2;
      continue;
    }
    if (!is_letter(**at)) {
      snprintf(buffer, 200, "invalid subscript '%c' in einstein sum subscripts string, subscripts must be letters",
               **at);
      return buffer;
    }
    if (out->letters == PA_MOST_EINSUM_RANK) return "too many subscripts in einsum";
    out->text[out->letters++] = **at;
  }
  return NULL;
}

// Its labels, with |count| dimensions for "...".
static void put_labels(pa_einsum_term *term, const written *w, int count) {
  term->rank = 0;
  for (int i = 0; i <= w->letters; ++i) {
    for (int k = count; i == w->dots && k > 0; --k) term->labels[term->rank++] = (uint8_t)(DOTS + k - 1);
    if (i < w->letters) term->labels[term->rank++] = (uint8_t)w->text[i];
  }
}

static const char *read_operand(const written *w, int rank, int number, pa_einsum_term *term, char *buffer) {
  if (w->letters > rank) {
    snprintf(buffer, 200, "einstein sum subscripts string contains too many subscripts for operand %d", number);
    return buffer;
  }
  if (w->dots < 0 && w->letters < rank)
    return "operand has more dimensions than subscripts given in einstein sum, but no '...' ellipsis provided to "
           "broadcast the extra dimensions.";
  if (rank > PA_MOST_EINSUM_RANK) return "too many dimensions of an operand of einsum";
  return put_labels(term, w, rank - w->letters), NULL;
}

static int most_dots(const pa_einsum *plan) {
  int most = 0;
  for (int p = 0; p < plan->operands; ++p)
    for (int i = 0; i < plan->given[p].rank; ++i)
      if (plan->given[p].labels[i] >= DOTS && plan->given[p].labels[i] - DOTS + 1 > most)
        most = plan->given[p].labels[i] - DOTS + 1;
  return most;
}

static int uses_of(const pa_einsum *plan, int label) {
  int uses = 0;
  for (int p = 0; p < plan->operands; ++p)
    for (int i = 0; i < plan->given[p].rank; ++i) uses += plan->given[p].labels[i] == label;
  return uses;
}

// Without "->" the result has the dimensions of "...", then the letters that occur once, in order.
static void imply_result(pa_einsum *plan) {
  written w = {.dots = 0};
  for (int c = 'A'; c <= 'z'; ++c)
    if (is_letter((char)c) && uses_of(plan, c) == 1 && w.letters < PA_MOST_EINSUM_RANK) w.text[w.letters++] = (char)c;
  put_labels(&plan->result, &w, most_dots(plan));
}

static const char *check_result(pa_einsum *plan, const written *w, char *buffer) {
  int dots = most_dots(plan);
  if (dots && w->dots < 0) return "output has no '...' for the dimensions that the ellipsis of the operands stands for";
  if (w->letters + dots > PA_MOST_EINSUM_RANK) return "too many subscripts in einsum";
  put_labels(&plan->result, w, dots);
  for (int i = 0; i < w->letters; ++i) {
    bool again = memchr(w->text, w->text[i], (size_t)i) != NULL;
    if (!again && uses_of(plan, w->text[i])) continue;
    snprintf(buffer, 200, "einstein sum subscripts string %s output subscript '%c' %s", again ? "includes" : "included",
             w->text[i], again ? "multiple times" : "which never appeared in an input");
    return buffer;
  }
  return NULL;
}

static const char *read_text(const char *text, size_t length, const int *ranks, pa_einsum *plan, char *buffer) {
  const char *at = text, *end = text + length, *wrong;
  written w;
  for (int p = 0;; ++p, ++at) {
    if (p == plan->operands)
      return "more operands provided to einstein sum function than specified in the subscripts string";
    if ((wrong = read_term(&at, end, &w, buffer)) || (wrong = read_operand(&w, ranks[p], p, &plan->given[p], buffer)))
      return wrong;
    if (at < end && *at == ',') continue;
    if (p + 1 < plan->operands)
      return "fewer operands provided to einstein sum function than specified in the subscripts string";
    break;
  }
  if (at == end) return imply_result(plan), NULL;
  if (end - at < 2 || at[1] != '>')
    return "einstein sum subscript string does not contain proper '->' output specified";
  at += 2;
  if ((wrong = read_term(&at, end, &w, buffer))) return wrong;
  return at < end ? "invalid subscript in the output of einsum" : check_result(plan, &w, buffer);
}

//===-- The plan ----------------------------------------------------------------------------------===//

// Whether what is not among |skipped| terms needs the label.
static bool is_needed(const pa_einsum *plan, const pa_einsum_term *terms, int count, int label, int i, int k) {
  bool needed = find(&plan->result, label) >= 0;
  for (int p = 0; p < count; ++p) needed |= p != i && p != k && find(&terms[p], label) >= 0;
  return needed;
}

// What each operand is before products: its own sums done.
static void plan_operand(pa_einsum *plan, int p, pa_einsum_term *term) {
  const pa_einsum_term *given = &plan->given[p];
  pa_einsum_term *distinct = &plan->distinct[p];
  *distinct = (pa_einsum_term){0};
  for (int summed = 0; summed < 2; ++summed) {
    for (int i = 0; i < given->rank; ++i)
      if (find(distinct, given->labels[i]) < 0 &&
          is_needed(plan, plan->given, plan->operands, given->labels[i], p, p) == !summed)
        distinct->labels[distinct->rank++] = given->labels[i];
    if (!summed) *term = *distinct;
  }
  plan->summed[p] = distinct->rank - term->rank;
}

// By their places in the result, others behind.
static int order_of(const pa_einsum *plan, int label) {
  int place = find(&plan->result, label);
  return place < 0 ? PA_MOST_EINSUM_RANK + label : place;
}

static void sort_labels(const pa_einsum *plan, pa_einsum_term *term) {
  for (int i = 1; i < term->rank; ++i)
    for (int k = i; k > 0 && order_of(plan, term->labels[k]) < order_of(plan, term->labels[k - 1]); --k) {
      uint8_t label = term->labels[k];
      term->labels[k] = term->labels[k - 1], term->labels[k - 1] = label;
    }
}

// Labels of |a| that are, or are not, in |b|, and are, or are not, needed.
static pa_einsum_term labels_of(const pa_einsum *plan, const pa_einsum_term *terms, int count, int a, int b, bool both,
                                bool needed) {
  pa_einsum_term found = {0};
  for (int i = 0; i < terms[a].rank; ++i) {
    int label = terms[a].labels[i];
    if ((find(&terms[b], label) >= 0) == both && is_needed(plan, terms, count, label, a, b) == needed)
      found.labels[found.rank++] = (uint8_t)label;
  }
  return sort_labels(plan, &found), found;
}

static void append(pa_einsum_term *to, const pa_einsum_term *from) {
  for (int i = 0; i < from->rank && to->rank < PA_MOST_EINSUM_RANK; ++i) to->labels[to->rank++] = from->labels[i];
}

static void put_axes(int8_t *axes, const pa_einsum_term *term, const pa_einsum_term *const parts[3]) {
  int count = 0;
  for (int part = 0; part < 3; ++part)
    for (int i = 0; i < parts[part]->rank; ++i) axes[count++] = (int8_t)find(term, parts[part]->labels[i]);
}

static pa_einsum_term plan_product(pa_einsum *plan, const pa_einsum_term *terms, int count, int a, int b,
                                   pa_einsum_step *step) {
  pa_einsum_term left = labels_of(plan, terms, count, a, b, false, true),
                 right = labels_of(plan, terms, count, b, a, false, true);
  if (left.rank && right.rank && order_of(plan, right.labels[0]) < order_of(plan, left.labels[0])) {
    pa_einsum_term other = left;
    int first = a;
    left = right, right = other, a = b, b = first;
  }
  pa_einsum_term batch = labels_of(plan, terms, count, a, b, true, true),
                 shared = labels_of(plan, terms, count, a, b, true, false), made = batch;
  append(&made, &left);
  append(&made, &right);
  *step = (pa_einsum_step){
      .first = a, .second = b, .batch = batch.rank, .left = left.rank, .shared = shared.rank, .right = right.rank};
  if (!shared.rank) { // nothing is summed: both have all axes of the product, in the order of the result
    sort_labels(plan, &made);
    step->batch = made.rank, step->left = step->right = 0;
    for (int i = 0; i < made.rank; ++i)
      step->left_axes[i] = (int8_t)find(&terms[a], made.labels[i]),
      step->right_axes[i] = (int8_t)find(&terms[b], made.labels[i]);
    return made;
  }
  put_axes(step->left_axes, &terms[a], (const pa_einsum_term *const[]){&batch, &left, &shared});
  put_axes(step->right_axes, &terms[b], (const pa_einsum_term *const[]){&batch, &shared, &right});
  return made;
}

static void plan_steps(pa_einsum *plan, pa_einsum_term *terms) {
  for (int count = plan->operands, s = 0; count > 1; --count, ++s) {
    int best = 1 << 20, a = 0, b = 1;
    pa_einsum_step step;
    for (int i = 0; i < count; ++i)
      for (int k = i + 1; k < count; ++k) {
        int rank = plan_product(plan, terms, count, i, k, &step).rank, cost = rank - 2 * step.shared;
        if (cost < best) best = cost, a = i, b = k;
      }
    pa_einsum_term made = plan_product(plan, terms, count, a, b, &plan->steps[s]);
    for (int p = 0, kept = 0; p < count; ++p)
      if (p != a && p != b) terms[kept++] = terms[p];
    terms[count - 2] = made;
  }
}

const char *pa_einsum_plan(const char *text, size_t length, const int *ranks, int operands, pa_einsum *out_plan,
                           char *buffer) {
  *out_plan = (pa_einsum){.operands = operands};
  if (operands < 1 || operands > PA_MOST_EINSUM_OPERANDS) return "einsum takes from 1 to 24 operands";
  const char *wrong = read_text(text, length, ranks, out_plan, buffer);
  if (wrong) return wrong;
  pa_einsum_term terms[PA_MOST_EINSUM_OPERANDS];
  for (int p = 0; p < operands; ++p) plan_operand(out_plan, p, &terms[p]);
  plan_steps(out_plan, terms);
  for (int i = 0; i < out_plan->result.rank; ++i)
    out_plan->final_axes[i] = (int8_t)find(&terms[0], out_plan->result.labels[i]);
  return NULL;
}

//===-- Questions ---------------------------------------------------------------------------------===//

// The axes of an operand that have the label at |place|, a bit for each.
static int64_t axes_with(const pa_einsum *plan, int p, int place) {
  int64_t bits = 0;
  for (int i = 0; i < plan->given[p].rank; ++i)
    if (plan->given[p].labels[i] == plan->distinct[p].labels[place]) bits |= INT64_C(1) << i;
  return bits;
}

static bool in_order(const int8_t *axes, int count) {
  for (int i = 0; i < count; ++i)
    if (axes[i] != i) return false;
  return true;
}

int64_t pa_einsum_number(const pa_einsum *plan, const char *name, int number, int place) {
  const pa_einsum_term *given = &plan->given[number], *distinct = &plan->distinct[number];
  const pa_einsum_step *step = &plan->steps[number];
  const struct {
    const char *name;
    int64_t value;
  } rows[] = {
      {"labels", distinct->rank},
      {"summed", plan->summed[number]},
      {"axes", axes_with(plan, number, place)},
      {"letter", distinct->labels[place]},
      {"is_plain", given->rank == distinct->rank && memcmp(given->labels, distinct->labels, (size_t)given->rank) == 0},
      {"first", step->first},
      {"second", step->second},
      {"batch", step->batch},
      {"left", step->left},
      {"shared", step->shared},
      {"right", step->right},
      {"left_axis", step->left_axes[place]},
      {"right_axis", step->right_axes[place]},
      {"left_is_plain", in_order(step->left_axes, step->batch + step->left + step->shared)},
      {"right_is_plain", in_order(step->right_axes, step->batch + step->shared + step->right)},
      {"rank", plan->result.rank},
      {"axis", plan->final_axes[place]},
      {"result_is_plain", in_order(plan->final_axes, plan->result.rank)}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, name) == 0) return rows[i].value;
  return -1;
}
