#include <math.h>
#include <string.h>

#include "point_kernels.h"

// A coordinate and the index of its point as one number: in the order of coordinates, equal ones by index.
static inline uint64_t key_of(float coordinate, uint32_t index) {
  uint32_t bits;
  memcpy(&bits, &coordinate, sizeof bits);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  return (uint64_t)bits << 32 | index;
}

static inline float coordinate_of(uint64_t key) {
  uint32_t bits = (uint32_t)(key >> 32);
  bits = bits & 0x80000000u ? bits & 0x7fffffffu : ~bits;
  float coordinate;
  memcpy(&coordinate, &bits, sizeof coordinate);
  return coordinate;
}

static inline void swap(uint64_t *keys, ptrdiff_t i, ptrdiff_t j) {
  const uint64_t key = keys[i];
  keys[i] = keys[j];
  keys[j] = key;
}

// Which of three places holds the median.
static inline ptrdiff_t median(const uint64_t *keys, ptrdiff_t a, ptrdiff_t b, ptrdiff_t c) {
  const uint64_t x = keys[a], y = keys[b], z = keys[c];
  if ((x < y) == (y < z)) return b;
  return (x < y) == (z < x) ? a : c;
}

// Of places spread from a pseudo-random beginning: the median of nine, of three where there are few keys.
static inline ptrdiff_t pivot_of(
    const uint64_t *keys, ptrdiff_t first, ptrdiff_t count, uint32_t draw) {
  if (count < 9) return median(keys, first, first + count / 2, first + count - 1);
  const ptrdiff_t step = count / 9;
  const ptrdiff_t a = first + (ptrdiff_t)(((uint64_t)draw * (uint64_t)step) >> 32);
  return median(
      keys, median(keys, a, a + step, a + 2 * step),
      median(keys, a + 3 * step, a + 4 * step, a + 5 * step),
      median(keys, a + 6 * step, a + 7 * step, a + 8 * step));
}

// What comes before keys[target] in the order stands before it afterwards. No branch depends on a comparison of
// keys (Lomuto's partition). The pivots are drawn by a fixed sequence, so that no arrangement of points makes it
// quadratic except by design against this sequence.
static void select_middle(uint64_t *keys, ptrdiff_t first, ptrdiff_t end, ptrdiff_t target) {
  uint32_t draw = 0x9e3779b9u;
  while (end - first > 1) {
    draw = draw * 1664525u + 1013904223u;
    swap(keys, pivot_of(keys, first, end - first, draw), end - 1);
    const uint64_t pivot = keys[end - 1];
    ptrdiff_t place = first;
    for (ptrdiff_t i = first; i < end - 1; i++) {
      const uint64_t key = keys[i];
      keys[i] = keys[place];
      keys[place] = key;
      place += key < pivot;
    }
    swap(keys, place, end - 1);
    if (target < place) {
      end = place;
    } else if (target > place) {
      first = place + 1;
    } else {
      return;
    }
  }
}

// Where the share of a node begins.
static inline ptrdiff_t begin(ptrdiff_t count, int32_t level, ptrdiff_t place) {
  return (ptrdiff_t)(((uint64_t)count * (uint64_t)place) >> level);
}

void plb_tree_split(
    const float *points, uint64_t *order, ptrdiff_t count, int32_t level, ptrdiff_t place,
    plb_tree_node *nodes) {
  const ptrdiff_t first = begin(count, level, place), end = begin(count, level, place + 1);
  const ptrdiff_t middle = begin(count, level + 1, 2 * place + 1);
  plb_tree_node *node = nodes + ((ptrdiff_t)1 << level) + place;
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (ptrdiff_t i = first; i < end; i++) {
    const float *p = points + 3 * (size_t)(uint32_t)order[i];
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
  for (ptrdiff_t i = first; i < end; i++) {
    const uint32_t index = (uint32_t)order[i];
    order[i] = key_of(points[3 * (size_t)index + widest], index);
  }
  select_middle(order, first, end, middle);
  node->split = coordinate_of(order[middle]);
}

static void fill(
    const float *points, const uint64_t *order, ptrdiff_t first, ptrdiff_t end,
    plb_tree_leaf *leaf) {
  for (ptrdiff_t i = 0; i < PLB_TREE_LEAF; i++) {
    const int filled = first + i < end;
    const uint32_t index = filled ? (uint32_t)order[first + i] : UINT32_MAX;
    leaf->index[i] = index;
    leaf->x[i] = filled ? points[3 * (size_t)index] : INFINITY;
    leaf->y[i] = filled ? points[3 * (size_t)index + 1] : INFINITY;
    leaf->z[i] = filled ? points[3 * (size_t)index + 2] : INFINITY;
  }
}

void plb_tree_grow(
    const float *points, uint64_t *order, ptrdiff_t count, int32_t level, ptrdiff_t place,
    int32_t depth, plb_tree_node *nodes, plb_tree_leaf *leaves) {
  for (int32_t below = level; below < depth; below++) {
    const ptrdiff_t first = place << (below - level), end = (place + 1) << (below - level);
    for (ptrdiff_t i = first; i < end; i++) plb_tree_split(points, order, count, below, i, nodes);
  }
  const ptrdiff_t first = place << (depth - level), end = (place + 1) << (depth - level);
  for (ptrdiff_t i = first; i < end; i++)
    fill(points, order, begin(count, depth, i), begin(count, depth, i + 1), leaves + i);
}
