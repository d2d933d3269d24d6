#include <math.h>
#include <string.h>

#include "point_kernels.h"

// A bound must be rounded as the distances that it bounds, on every processor.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

typedef float lanes __attribute__((ext_vector_type(PLB_TREE_LEAF)));
typedef float half_lanes __attribute__((ext_vector_type(PLB_TREE_LEAF / 2)));
typedef float quarter_lanes __attribute__((ext_vector_type(PLB_TREE_LEAF / 4)));
typedef _Bool lane_bits __attribute__((ext_vector_type(PLB_TREE_LEAF)));
typedef int32_t rank_lanes __attribute__((ext_vector_type(PLB_TREE_LEAF)));
typedef int64_t key_lanes __attribute__((ext_vector_type(8)));

// A list holds what was found, without order; what lies beyond the neighbors is dropped when the next leaf might not
// fit.
enum { DEEPEST = 32, FOUND = 64, NEAR_LEAVES = 256 };

typedef struct {
  float low[3], high[3];
} box;

// A leaf and its squared distance from the box of the points that search.
typedef struct {
  float square;
  uint32_t leaf;
} near_leaf;

// A subtree not yet searched: how far the box is from its half spaces, by axis.
typedef struct {
  uint32_t node;
  float away[3];
} pending;

// The points of one leaf that search together: what each has found, and within which squared distance it still
// searches.
typedef struct {
  float squares[PLB_TREE_LEAF][FOUND];
  int64_t keys[PLB_TREE_LEAF][FOUND];
  int32_t counts[PLB_TREE_LEAF];
  float limits[PLB_TREE_LEAF];
} searches;

typedef struct {
  const plb_tree_node *nodes;
  const plb_tree_leaf *leaves;
  int32_t depth;
  int32_t neighbors;
} tree;

INLINE int64_t key_of(float square, uint32_t index) {
  uint32_t bits;
  memcpy(&bits, &square, sizeof bits);
  return (int64_t)((uint64_t)bits << 32 | index);
}

INLINE int32_t filled(const plb_tree_leaf *leaf) {
  int32_t count = 0;
  while (count < PLB_TREE_LEAF && leaf->index[count] != UINT32_MAX) count++;
  return count;
}

// The least or greatest of all lanes, by halves: a reduction of floats in general keeps their order and is slow.
INLINE float least_of(const lanes *values) {
  const half_lanes a = values->lo < values->hi ? values->lo : values->hi;
  const quarter_lanes b = a.lo < a.hi ? a.lo : a.hi;
  const float x = b[0] < b[1] ? b[0] : b[1], y = b[2] < b[3] ? b[2] : b[3];
  return x < y ? x : y;
}

INLINE float greatest_of(const lanes *values) {
  const lanes negative = -*values;
  return -least_of(&negative);
}

INLINE void load(const plb_tree_leaf *leaf, lanes columns[3]) {
  memcpy(&columns[0], leaf->x, sizeof columns[0]);
  memcpy(&columns[1], leaf->y, sizeof columns[1]);
  memcpy(&columns[2], leaf->z, sizeof columns[2]);
}

// The box of a leaf's points, of which there is one at least. Places without a point lie at infinity.
INLINE box box_of(const plb_tree_leaf *leaf) {
  box around;
  lanes columns[3];
  load(leaf, columns);
  for (int axis = 0; axis < 3; axis++) {
    around.low[axis] = least_of(&columns[axis]);
    columns[axis] = columns[axis] < INFINITY ? columns[axis] : -INFINITY;
    around.high[axis] = greatest_of(&columns[axis]);
  }
  return around;
}

// The squared distance of the nearest point of a leaf from a box: no more than from any point in it.
INLINE float square_between(const box *around, const plb_tree_leaf *leaf) {
  lanes columns[3];
  load(leaf, columns);
  for (int axis = 0; axis < 3; axis++) {
    const lanes below = around->low[axis] - columns[axis], above = columns[axis] - around->high[axis];
    const lanes gap = below > above ? below : above;
    columns[axis] = gap > 0 ? gap : 0;
  }
  const lanes squares =
      (columns[0] * columns[0] + columns[1] * columns[1]) + columns[2] * columns[2];
  return least_of(&squares);
}

// The square at place `neighbors` of the first `count` in ascending order, from the rank of each: the number of
// smaller ones. `vectors` holds them all.
INLINE float nth_square(const float *squares, int32_t count, int vectors, int32_t neighbors) {
  lanes own[FOUND / PLB_TREE_LEAF];
  rank_lanes rank[FOUND / PLB_TREE_LEAF];
  memcpy(own, squares, (size_t)vectors * sizeof *own);
  memset(rank, 0, sizeof rank);
  for (int32_t i = 0; i < count; i++)
    for (int v = 0; v < vectors; v++) rank[v] -= squares[i] < own[v];
  const rank_lanes place = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  lanes nearest = 0;
  for (int v = 0; v < vectors; v++) {
    const rank_lanes isNear = (rank[v] < neighbors) & (place + v * PLB_TREE_LEAF < count);
    own[v] = isNear ? own[v] : 0;
    nearest = own[v] > nearest ? own[v] : nearest;
  }
  return greatest_of(&nearest);
}

// Keeps the first keys where too many are equally near; returns how many.
INLINE int32_t drop_ties(float *squares, int64_t *keys, int32_t count, int32_t neighbors) {
  for (int32_t i = 1; i < count; i++) {
    const int64_t key = keys[i];
    const float square = squares[i];
    int32_t place = i;
    for (; place > 0 && keys[place - 1] > key; place--) {
      keys[place] = keys[place - 1];
      squares[place] = squares[place - 1];
    }
    keys[place] = key;
    squares[place] = square;
  }
  return neighbors;
}

// Narrows the limit of a point to its farthest neighbor so far and drops what lies beyond.
INLINE void narrow(searches *of, int32_t point, int32_t neighbors) {
  const int32_t count = of->counts[point];
  if (count < neighbors) return;
  float *squares = of->squares[point];
  int64_t *keys = of->keys[point];
  const float limit =
      count <= FOUND / 2 ? nth_square(squares, count, FOUND / 2 / PLB_TREE_LEAF, neighbors)
                         : nth_square(squares, count, FOUND / PLB_TREE_LEAF, neighbors);
  int32_t kept = 0;
  for (int32_t i = 0; i < count; i++) {
    squares[kept] = squares[i];
    keys[kept] = keys[i];
    kept += squares[i] <= limit;
  }
  if (kept > FOUND - PLB_TREE_LEAF) kept = drop_ties(squares, keys, kept, neighbors);
  of->counts[point] = kept;
  of->limits[point] = limit;
}

// Writes the nearest of what a point has found in their order. No two keys are equal, and as signed numbers
// they are positive.
INLINE void write_nearest(searches *of, int32_t point, int32_t neighbors, uint64_t *list) {
  int64_t *keys = of->keys[point];
  const int32_t count = of->counts[point];
  const int32_t kept = count < neighbors ? count : neighbors;
  for (int32_t first = 0; first < count; first += 8) {
    key_lanes own, rank = 0;
    memcpy(&own, keys + first, sizeof own);
    for (int32_t i = 0; i < count; i++) rank -= keys[i] < own;
    for (int32_t i = 0; i < 8 && first + i < count; i++)
      if (rank[i] < kept) list[rank[i]] = (uint64_t)keys[first + i];
  }
  for (int32_t i = kept; i < neighbors; i++) list[i] = UINT64_MAX;
}

// Adds what a leaf has within the limit of a point.
INLINE void scan(
    const plb_tree_leaf *leaf, float px, float py, float pz, int32_t point, int32_t neighbors,
    searches *of) {
  lanes x, y, z;
  memcpy(&x, leaf->x, sizeof x);
  memcpy(&y, leaf->y, sizeof y);
  memcpy(&z, leaf->z, sizeof z);
  x -= px;
  y -= py;
  z -= pz;
  const lanes squares = (x * x + y * y) + z * z;
  const lane_bits near = __builtin_convertvector(squares <= of->limits[point], lane_bits);
  uint16_t nears;
  memcpy(&nears, &near, sizeof nears);
  if (nears == 0) return;
  float values[PLB_TREE_LEAF];
  memcpy(values, &squares, sizeof values);
  int32_t count = of->counts[point];
  for (uint32_t rest = nears; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    of->squares[point][count] = values[i];
    of->keys[point][count] = key_of(values[i], leaf->index[i]);
    count += leaf->index[i] != UINT32_MAX;
  }
  of->counts[point] = count;
  if (count > FOUND - PLB_TREE_LEAF) narrow(of, point, neighbors);
}

// Lets every point search leaves, the nearest first.
INLINE void scan_all(
    const tree *t, const plb_tree_leaf *own, int32_t points, near_leaf *near, int32_t count,
    searches *of) {
  for (int32_t i = 1; i < count; i++) {
    const near_leaf moved = near[i];
    int32_t place = i;
    for (; place > 0 && near[place - 1].square > moved.square; place--)
      near[place] = near[place - 1];
    near[place] = moved;
  }
  for (int32_t point = 0; point < points; point++)
    for (int32_t i = 0; i < count && near[i].square <= of->limits[point]; i++)
      scan(t->leaves + near[i].leaf, own->x[point], own->y[point], own->z[point], point,
           t->neighbors, of);
}

INLINE float widest(const searches *of, int32_t points) {
  float limit = 0;
  for (int32_t i = 0; i < points; i++) limit = of->limits[i] > limit ? of->limits[i] : limit;
  return limit;
}

// Searches everything outside the subtree `home`, leaves in portions, so that their number has no bound.
INLINE void search_outside(
    const tree *t, const plb_tree_leaf *own, int32_t points, uint32_t home, searches *of) {
  const box around = box_of(own);
  const uint32_t first_leaf = (uint32_t)1 << t->depth;
  near_leaf near[NEAR_LEAVES];
  int32_t count = 0;
  float limit = widest(of, points);
  pending stack[DEEPEST + 1];
  int top = 0;
  stack[top++] = (pending){1, {0, 0, 0}};
  while (top > 0) {
    const pending now = stack[--top];
    if (now.node == home) continue;
    if (now.node >= first_leaf) {
      const plb_tree_leaf *leaf = t->leaves + (now.node - first_leaf);
      const float square = square_between(&around, leaf);
      if (!(square <= limit)) continue;
      near[count++] = (near_leaf){square, now.node - first_leaf};
      if (count == NEAR_LEAVES) {
        scan_all(t, own, points, near, count, of);
        count = 0;
        limit = widest(of, points);
      }
      continue;
    }
    const plb_tree_node node = t->nodes[now.node];
    const float gaps[2] = {around.low[node.axis] - node.split, node.split - around.high[node.axis]};
    for (uint32_t right = 0; right < 2; right++) {
      pending child = now;
      child.node = 2 * now.node + right;
      if (gaps[right] > child.away[node.axis]) child.away[node.axis] = gaps[right];
      const float square =
          (child.away[0] * child.away[0] + child.away[1] * child.away[1]) +
          child.away[2] * child.away[2];
      if (square <= limit) stack[top++] = child;
    }
  }
  scan_all(t, own, points, near, count, of);
}

// The points of one leaf; returns how many there are.
INLINE int32_t search_leaf(const tree *t, uint32_t number, float limit, uint64_t *found) {
  searches of;
  const plb_tree_leaf *own = t->leaves + number;
  const int32_t points = filled(own);
  for (int32_t i = 0; i < points; i++) {
    of.counts[i] = 0;
    of.limits[i] = limit;
  }
  // The smallest subtree with enough points bounds the search; its leaves follow one another.
  int32_t above = 0, members = points;
  while (above < t->depth && members < t->neighbors) {
    above++;
    members = 0;
    const uint32_t first = number >> above << above;
    for (uint32_t i = 0; i < (uint32_t)1 << above; i++) members += filled(t->leaves + first + i);
  }
  const uint32_t first = number >> above << above;
  for (int32_t point = 0; point < points; point++) {
    for (uint32_t i = 0; i < (uint32_t)1 << above; i++)
      scan(t->leaves + first + i, own->x[point], own->y[point], own->z[point], point,
           t->neighbors, &of);
    narrow(&of, point, t->neighbors);
  }
  search_outside(t, own, points, (((uint32_t)1 << t->depth) + number) >> above, &of);
  for (int32_t point = 0; point < points; point++) {
    narrow(&of, point, t->neighbors);
    write_nearest(&of, point, t->neighbors, found + (ptrdiff_t)point * t->neighbors);
  }
  return points;
}

PLB_CLONES
void plb_tree_own_nearest(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, ptrdiff_t first,
    ptrdiff_t end, int32_t neighbors, float limit, uint64_t *found) {
  const tree whole = {nodes, leaves, depth, neighbors};
  for (ptrdiff_t leaf = first; leaf < end; leaf++)
    found += search_leaf(&whole, (uint32_t)leaf, limit, found) * (ptrdiff_t)neighbors;
}
