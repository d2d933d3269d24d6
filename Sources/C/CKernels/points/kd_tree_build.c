#include <math.h>

#include "point_kernels.h"

// Whether point a comes before point b along an axis.
static inline int before(const float *points, uint32_t axis, uint32_t a, uint32_t b) {
  const float x = points[3 * (size_t)a + axis], y = points[3 * (size_t)b + axis];
  return x < y || (x == y && a < b);
}

static inline void swap(uint32_t *order, ptrdiff_t i, ptrdiff_t j) {
  const uint32_t value = order[i];
  order[i] = order[j];
  order[j] = value;
}

// Puts the median of three at `middle`.
static inline void median(
    const float *points, uint32_t axis, uint32_t *order, ptrdiff_t a, ptrdiff_t middle,
    ptrdiff_t b) {
  if (before(points, axis, order[middle], order[a])) swap(order, a, middle);
  if (before(points, axis, order[b], order[middle])) {
    swap(order, middle, b);
    if (before(points, axis, order[middle], order[a])) swap(order, a, middle);
  }
}

// Hoare's selection: what comes before order[target] in the order stands before it. The pivot is drawn by a
// fixed sequence, so that no arrangement of points makes it quadratic except by design against this sequence.
static void select_middle(
    const float *points, uint32_t axis, uint32_t *order, ptrdiff_t first, ptrdiff_t last,
    ptrdiff_t target) {
  uint32_t draw = 0x9e3779b9u;
  while (last - first > 2) {
    draw = draw * 1664525u + 1013904223u;
    const ptrdiff_t span = last - first;
    const ptrdiff_t offset = (ptrdiff_t)(((uint64_t)draw * (uint64_t)(span / 2)) >> 32);
    median(points, axis, order, first, first + span / 4 + offset, last);
    const uint32_t pivot = order[first + span / 4 + offset];
    ptrdiff_t i = first, j = last;
    while (i <= j) {
      while (before(points, axis, order[i], pivot)) i++;
      while (before(points, axis, pivot, order[j])) j--;
      if (i <= j) swap(order, i++, j--);
    }
    if (target <= j) {
      last = j;
    } else if (target >= i) {
      first = i;
    } else {
      return;
    }
  }
  // At most three are left.
  for (ptrdiff_t i = first + 1; i <= last; i++)
    for (ptrdiff_t j = i; j > first && before(points, axis, order[j], order[j - 1]); j--)
      swap(order, j, j - 1);
}

// Where the share of a node begins.
static inline ptrdiff_t begin(ptrdiff_t count, int32_t level, ptrdiff_t place) {
  return (ptrdiff_t)(((uint64_t)count * (uint64_t)place) >> level);
}

void plb_tree_split(
    const float *points, uint32_t *order, ptrdiff_t count, int32_t level, ptrdiff_t place,
    plb_tree_node *nodes) {
  const ptrdiff_t first = begin(count, level, place), end = begin(count, level, place + 1);
  const ptrdiff_t middle = begin(count, level + 1, 2 * place + 1);
  plb_tree_node *node = nodes + ((ptrdiff_t)1 << level) + place;
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (ptrdiff_t i = first; i < end; i++) {
    const float *p = points + 3 * (size_t)order[i];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = p[axis] < low[axis] ? p[axis] : low[axis];
      high[axis] = p[axis] > high[axis] ? p[axis] : high[axis];
    }
  }
  uint32_t widest = 0;
  for (uint32_t axis = 1; axis < 3; axis++)
    if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
  node->axis = widest;
  node->split = 0;
  if (middle >= end) return;
  select_middle(points, widest, order, first, end - 1, middle);
  node->split = points[3 * (size_t)order[middle] + widest];
}

static void fill(
    const float *points, const uint32_t *order, ptrdiff_t first, ptrdiff_t end,
    plb_tree_leaf *leaf) {
  for (ptrdiff_t i = 0; i < PLB_TREE_LEAF; i++) {
    const int filled = first + i < end;
    const uint32_t index = filled ? order[first + i] : UINT32_MAX;
    leaf->index[i] = index;
    leaf->x[i] = filled ? points[3 * (size_t)index] : INFINITY;
    leaf->y[i] = filled ? points[3 * (size_t)index + 1] : INFINITY;
    leaf->z[i] = filled ? points[3 * (size_t)index + 2] : INFINITY;
  }
}

void plb_tree_grow(
    const float *points, uint32_t *order, ptrdiff_t count, int32_t level, ptrdiff_t place,
    int32_t depth, plb_tree_node *nodes, plb_tree_leaf *leaves) {
  for (int32_t below = level; below < depth; below++) {
    const ptrdiff_t first = place << (below - level), end = (place + 1) << (below - level);
    for (ptrdiff_t i = first; i < end; i++) plb_tree_split(points, order, count, below, i, nodes);
  }
  const ptrdiff_t first = place << (depth - level), end = (place + 1) << (depth - level);
  for (ptrdiff_t i = first; i < end; i++)
    fill(points, order, begin(count, depth, i), begin(count, depth, i + 1), leaves + i);
}
