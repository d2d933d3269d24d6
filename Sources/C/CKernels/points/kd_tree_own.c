#include "kd_tree_boxes.h"

typedef int32_t rank_lanes __attribute__((ext_vector_type(PLB_TREE_LEAF)));
typedef int64_t key_lanes __attribute__((ext_vector_type(8)));

// A list holds what was found, without order; what lies beyond the neighbors is dropped when the next leaf might not
// fit.
enum { FOUND = 64, NEAR_LEAVES = 256 };

// The points of one leaf that search together: what each has found, and within which squared distance it still
// searches.
typedef struct {
  float squares[PLB_TREE_LEAF][FOUND];
  int64_t keys[PLB_TREE_LEAF][FOUND];
  int32_t counts[PLB_TREE_LEAF];
  float limits[PLB_TREE_LEAF];
} searches;

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
  return maximum_of(&nearest);
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

INLINE int32_t filled(const plb_tree_leaf *leaf) {
  int32_t count = 0;
  while (count < PLB_TREE_LEAF && leaf->index[count] != UINT32_MAX) count++;
  return count;
}

// Adds what a leaf has within the limit of a point.
INLINE void scan(
    const plb_tree_leaf *leaf, const float *place, int32_t point, int32_t neighbors,
    searches *of) {
  float squares[PLB_TREE_LEAF];
  int32_t count = of->counts[point];
  uint32_t rest = squares_within(leaf, place, of->limits[point], squares);
  for (; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    of->squares[point][count] = squares[i];
    of->keys[point][count] = (int64_t)key_of(squares[i], leaf->index[i]);
    count += leaf->index[i] != UINT32_MAX;
  }
  of->counts[point] = count;
  if (count > FOUND - PLB_TREE_LEAF) narrow(of, point, neighbors);
}

// Lets every point search leaves, the nearest first.
INLINE void scan_all(
    const tree *t, const plb_tree_leaf *own, int32_t points, int32_t neighbors, near_leaf *near,
    int32_t count, searches *of) {
  sort_by_square(near, count);
  for (int32_t point = 0; point < points; point++) {
    const float place[3] = {own->x[point], own->y[point], own->z[point]};
    for (int32_t i = 0; i < count && near[i].square <= of->limits[point]; i++)
      scan(t->leaves + near[i].leaf, place, point, neighbors, of);
  }
}

INLINE float widest(const searches *of, int32_t points) {
  float limit = 0;
  for (int32_t i = 0; i < points; i++) limit = of->limits[i] > limit ? of->limits[i] : limit;
  return limit;
}

// The points of one leaf; returns how many there are.
INLINE int32_t search_leaf(
    const tree *t, uint32_t number, int32_t neighbors, float limit, uint64_t *found) {
  searches of;
  const plb_tree_leaf *own = t->leaves + number;
  const int32_t points = filled(own);
  if (points == 0) return 0;
  // The smallest subtree with enough points bounds the search; its leaves follow one another.
  int32_t above = 0, members = points;
  while (above < t->depth && members < neighbors) {
    above++;
    members = 0;
    const uint32_t first = number >> above << above;
    for (uint32_t i = 0; i < (uint32_t)1 << above; i++) members += filled(t->leaves + first + i);
  }
  const uint32_t first = number >> above << above;
  for (int32_t point = 0; point < points; point++) {
    of.counts[point] = 0;
    of.limits[point] = limit;
    const float place[3] = {own->x[point], own->y[point], own->z[point]};
    for (uint32_t i = 0; i < (uint32_t)1 << above; i++)
      scan(t->leaves + first + i, place, point, neighbors, &of);
    narrow(&of, point, neighbors);
  }
  // Everything outside it, in portions, so that the number of leaves has no bound.
  const box around = box_of(own);
  const uint32_t home = (((uint32_t)1 << t->depth) + number) >> above;
  traversal rest;
  begin_traversal(&rest, &around);
  while (rest.top > 0) {
    near_leaf near[NEAR_LEAVES];
    const int32_t count =
        next_leaves(t, &rest, home, widest(&of, points), near, NEAR_LEAVES);
    scan_all(t, own, points, neighbors, near, count, &of);
  }
  for (int32_t point = 0; point < points; point++) {
    narrow(&of, point, neighbors);
    write_nearest(&of, point, neighbors, found + (ptrdiff_t)point * neighbors);
  }
  return points;
}

PLB_CLONES
void plb_tree_own_nearest(
    const plb_tree_node *nodes, const plb_tree_leaf *leaves, int32_t depth, ptrdiff_t first,
    ptrdiff_t end, int32_t neighbors, float limit, uint64_t *found) {
  const tree whole = {nodes, leaves, depth};
  for (ptrdiff_t leaf = first; leaf < end; leaf++)
    found += search_leaf(&whole, (uint32_t)leaf, neighbors, limit, found) * (ptrdiff_t)neighbors;
}
