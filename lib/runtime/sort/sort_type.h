// Sorts and selections of one type: PA_T is the type, PA_LESS(a, b) its order, which may ask |values|, of PA_VALUES,
// PA_SUFFIX the end of the names. Of numbers twice, of the numbers themselves, and of positions of numbers, which
// PA_ITEM is then.
#define PA_JOIN_NAME(stem, suffix) stem##_##suffix
#define PA_WITH_SUFFIX(stem, suffix) PA_JOIN_NAME(stem, suffix)
#define PA_NAME(stem) PA_WITH_SUFFIX(stem, PA_SUFFIX)

// Stable: merges runs of 16, which are sorted by insertion.
static void PA_NAME(insert_items)(PA_ITEM *items, int64_t count, const PA_VALUES *values) {
  (void)values;
  for (int64_t i = 1; i < count; ++i) {
    PA_ITEM item = items[i];
    int64_t k = i;
    for (; k > 0 && PA_LESS(PA_VALUE(item), PA_VALUE(items[k - 1])); --k) items[k] = items[k - 1];
    items[k] = item;
  }
}

static void PA_NAME(merge_items)(PA_ITEM *to, const PA_ITEM *from, int64_t middle, int64_t count,
                                 const PA_VALUES *values) {
  (void)values;
  int64_t i = 0, k = middle;
  for (int64_t at = 0; at < count; ++at) {
    bool second = i == middle || (k < count && PA_LESS(PA_VALUE(from[k]), PA_VALUE(from[i])));
    to[at] = second ? from[k++] : from[i++];
  }
}

// -1: there is no memory.
static int PA_NAME(sort_items)(PA_ITEM *items, int64_t count, const PA_VALUES *values) {
  for (int64_t i = 0; i < count; i += RUN) PA_NAME(insert_items)(items + i, count - i < RUN ? count - i : RUN, values);
  if (count <= RUN) return 0;
  PA_ITEM *other = malloc((size_t)count * sizeof *other), *from = items, *to = other;
  if (!other) return -1;
  for (int64_t run = RUN; run < count; run *= 2) {
    for (int64_t i = 0; i < count; i += 2 * run) {
      int64_t all = count - i < 2 * run ? count - i : 2 * run;
      PA_NAME(merge_items)(to + i, from + i, all < run ? all : run, all, values);
    }
    PA_ITEM *swapped = from;
    from = to, to = swapped;
  }
  if (from != items) memcpy(items, from, (size_t)count * sizeof *items);
  return free(other), 0;
}

static void PA_NAME(swap_items)(PA_ITEM *items, int64_t a, int64_t b) {
  PA_ITEM item = items[a];
  items[a] = items[b], items[b] = item;
}

// Puts what is less than |pivot|, or not |greater|, to the front, without a branch: how many that are.
static int64_t PA_NAME(part_items)(PA_ITEM *items, int64_t count, PA_T pivot, const PA_VALUES *values) {
  (void)values;
#ifdef PA_VECTORS
  if (count > VECTORS && has_vectors()) return PA_WITH_SUFFIX(pa_part, PA_VECTORS)(items, count, pivot);
#endif
  int64_t front = 0;
  for (int64_t i = 0; i < count; ++i) {
    PA_ITEM item = items[i];
    items[i] = items[front], items[front] = item;
    front += PA_LESS(PA_VALUE(item), pivot);
  }
  return front;
}

static int64_t PA_NAME(part_equal_items)(PA_ITEM *items, int64_t count, PA_T pivot, const PA_VALUES *values) {
  (void)values;
#ifdef PA_VECTORS
  if (count > VECTORS && has_vectors()) return PA_WITH_SUFFIX(pa_part_equal, PA_VECTORS)(items, count, pivot);
#endif
  int64_t front = 0;
  for (int64_t i = 0; i < count; ++i) {
    PA_ITEM item = items[i];
    items[i] = items[front], items[front] = item;
    front += !PA_LESS(pivot, PA_VALUE(item));
  }
  return front;
}

// The first of the least items goes to the front.
static void PA_NAME(least_item)(PA_ITEM *items, int64_t count, const PA_VALUES *values) {
  (void)values;
  int64_t least = 0;
#ifdef PA_VECTORS
  if (count > VECTORS && has_vectors()) {
    PA_NAME(swap_items)(items, 0, PA_WITH_SUFFIX(pa_least, PA_VECTORS)(items, count));
    return;
  }
#endif
  PA_T value = PA_VALUE(items[0]);
  for (int64_t i = 1; i < count; ++i)
    if (PA_LESS(PA_VALUE(items[i]), value)) value = PA_VALUE(items[i]), least = i;
  PA_NAME(swap_items)(items, 0, least);
}

// Floyd and Rivest: the item of rank |k| goes there, what is less before it. Pivots are chosen from a sample such that
// about one and a half passes do. Where that has not narrowed the range after |rounds|, what is left is sorted.
static int PA_NAME(select_items)(PA_ITEM *items, int64_t count, int64_t k, const PA_VALUES *values, int rounds) {
  for (; count > RUN; --rounds) {
    if (!k) return PA_NAME(least_item)(items, count, values), 0; // of two in the middle, the second
    if (!rounds) return PA_NAME(sort_items)(items, count, values);
    if (count > SAMPLED) {
      double n = (double)count, z = log(n), s = 0.5 * exp(2 * z / 3), share = (double)k / n;
      double spread = 0.5 * sqrt(z * s * (n - s) / n) * (2 * k < count ? -1 : 1);
      int64_t low = (int64_t)((double)k - share * s + spread), high = (int64_t)((double)k + (1 - share) * s + spread);
      low = low < 0 ? 0 : low > k ? k : low, high = high >= count ? count - 1 : high < k ? k : high;
      uint64_t drawn = (uint64_t)count; // items from all over: neighbours may be alike
      for (int64_t i = low; i <= high; ++i) {
        drawn = drawn * UINT64_C(6364136223846793005) + 1;
        PA_NAME(swap_items)(items, i, (int64_t)((drawn >> 32) * (uint64_t)count >> 32));
      }
      int status = PA_NAME(select_items)(items + low, high - low + 1, k - low, values, ROUNDS);
      if (status) return status;
    } else {
      int64_t a = 0, b = count / 2, c = count - 1; // the median of three comes to where k is
      bool ab = PA_LESS(PA_VALUE(items[a]), PA_VALUE(items[b])), bc = PA_LESS(PA_VALUE(items[b]), PA_VALUE(items[c])),
           ac = PA_LESS(PA_VALUE(items[a]), PA_VALUE(items[c]));
      int64_t median = ab == bc ? b : ab == ac ? c : a;
      PA_NAME(swap_items)(items, median, k);
    }
    PA_T pivot = PA_VALUE(items[k]);
    int64_t less = PA_NAME(part_items)(items, count, pivot, values);
    if (k < less) {
      count = less;
      continue;
    }
    items += less, count -= less, k -= less;
    if (less) continue; // else the pivot is among the least
    int64_t equal = PA_NAME(part_equal_items)(items, count, pivot, values);
    if (k < equal) return 0;
    items += equal, count -= equal, k -= equal;
  }
  return PA_NAME(insert_items)(items, count, values), 0;
}

#undef PA_JOIN_NAME
#undef PA_WITH_SUFFIX
#undef PA_NAME
#undef PA_SUFFIX
#undef PA_ITEM
#undef PA_VALUE
#undef PA_VALUES
