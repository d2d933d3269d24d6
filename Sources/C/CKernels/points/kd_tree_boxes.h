#pragma once
#include "kd_tree.h"

// Which leaves of a tree are near a box of points.

typedef struct {
  const plb_tree_node *nodes;
  const plb_tree_leaf *leaves;
  int32_t depth;
} tree;

typedef struct {
  float low[3], high[3];
} box;

// A leaf and its squared distance from the box of the points that search.
typedef struct {
  float square;
  uint32_t leaf;
} near_leaf;

// What of a tree is not yet searched for a box: how far the box is from the half spaces of each subtree, by axis.
typedef struct {
  box around;
  int top;
  struct {
    uint32_t node;
    float away[3];
  } stack[DEEPEST + 1];
} traversal;

INLINE float maximum_of(const lanes *values) {
  const lanes negative = -*values;
  return -minimum_of(&negative);
}

// The box of a leaf's points, of which there is one at least. Places without a point lie at infinity.
INLINE box box_of(const plb_tree_leaf *leaf) {
  box around;
  lanes columns[3];
  load(leaf, columns);
  for (int axis = 0; axis < 3; axis++) {
    around.low[axis] = minimum_of(&columns[axis]);
    columns[axis] = columns[axis] < INFINITY ? columns[axis] : -INFINITY;
    around.high[axis] = maximum_of(&columns[axis]);
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
  return minimum_of(&squares);
}

INLINE void begin_traversal(traversal *of, const box *around) {
  of->around = *around;
  of->top = 1;
  of->stack[0].node = 1;
  memset(of->stack[0].away, 0, sizeof of->stack[0].away);
}

// The next leaves within a squared distance of the box, outside the subtree `home`; returns how many. The traversal
// has ended when its stack is empty, else `near` is full.
INLINE int32_t next_leaves(
    const tree *t, traversal *of, uint32_t home, float limit, near_leaf *near, int32_t capacity) {
  const uint32_t first_leaf = (uint32_t)1 << t->depth;
  int32_t count = 0;
  while (of->top > 0 && count < capacity) {
    of->top--;
    const uint32_t number = of->stack[of->top].node;
    if (number == home) continue;
    if (number >= first_leaf) {
      const float square = square_between(&of->around, t->leaves + (number - first_leaf));
      near[count] = (near_leaf){square, number - first_leaf};
      count += square <= limit;
      continue;
    }
    const plb_tree_node node = t->nodes[number];
    float away[3];
    memcpy(away, of->stack[of->top].away, sizeof away);
    const float before = away[node.axis];
    const float gaps[2] = {
        of->around.low[node.axis] - node.split, node.split - of->around.high[node.axis]};
    for (uint32_t right = 0; right < 2; right++) {
      away[node.axis] = gaps[right] > before ? gaps[right] : before;
      const float square = (away[0] * away[0] + away[1] * away[1]) + away[2] * away[2];
      if (!(square <= limit)) continue;
      of->stack[of->top].node = 2 * number + right;
      memcpy(of->stack[of->top].away, away, sizeof away);
      of->top++;
    }
  }
  return count;
}

INLINE void sort_by_square(near_leaf *near, int32_t count) {
  for (int32_t i = 1; i < count; i++) {
    const near_leaf moved = near[i];
    int32_t place = i;
    for (; place > 0 && near[place - 1].square > moved.square; place--)
      near[place] = near[place - 1];
    near[place] = moved;
  }
}
