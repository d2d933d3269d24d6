#include "tree_lanes.h"

#pragma STDC FP_CONTRACT OFF

// The squared distance of the origin from the segment from `a` along `edge`.
INLINE void segment(lanes *square, const triple *a, const triple *edge) {
  lanes along, length, zero = {0};
  dot(&along, a, edge);
  dot(&length, edge, edge);
  masks has_length = length > 0;
  lanes t = CHOOSE(has_length, -along / length, zero);
  masks is_before = t < 0, is_behind = t > 1;
  t = CHOOSE(is_before, zero, t);
  t = CHOOSE(is_behind, zero + 1, t);
  triple nearest = {a->x + t * edge->x, a->y + t * edge->y, a->z + t * edge->z};
  dot(square, &nearest, &nearest);
}

// The squared distances of a point from the triangles of a leaf: from the plane where the point lies above
// the triangle, else from the nearest side.
INLINE void leaf_squares(lanes *squares, const float *leaf, const float *point) {
  triple a, b, c, ab, bc, ca, normal, side;
  corners(&a, &b, &c, leaf, point);
  difference(&ab, &b, &a);
  difference(&bc, &c, &b);
  difference(&ca, &a, &c);
  product(&normal, &ca, &ab);
  lanes first, second, third, height, length;
  // Inside where the origin is on the same side of all three.
  product(&side, &ab, &normal);
  dot(&first, &side, &a);
  product(&side, &bc, &normal);
  dot(&second, &side, &b);
  product(&side, &ca, &normal);
  dot(&third, &side, &c);
  dot(&height, &normal, &a);
  dot(&length, &normal, &normal);
  masks is_above = (first >= 0) & (second >= 0) & (third >= 0) & (length > 0);
  lanes from_plane = height * height / length, least, other;
  segment(&least, &a, &ab);
  segment(&other, &b, &bc);
  lesser(&least, &other);
  segment(&other, &c, &ca);
  lesser(&least, &other);
  *squares = CHOOSE(is_above, from_plane, least);
}

INLINE void box_squares(lanes *squares, const float *box, const float *point) {
  lanes sum = {0}, low, high, zero = {0};
  for (int axis = 0; axis < 3; axis++) {
    load(&low, box + 8 * axis);
    load(&high, box + 24 + 8 * axis);
    low = low - point[axis];
    high = point[axis] - high;
    larger(&low, &high);
    larger(&low, &zero);
    sum += low * low;
  }
  *squares = sum;
}

INLINE void visit_leaf(
    const float *leaf, int32_t index, const float *point, float *best, int32_t *place) {
  lanes squares;
  leaf_squares(&squares, leaf, point);
  float values[WIDTH];
  memcpy(values, &squares, sizeof values);
  for (int32_t k = 0; k < WIDTH; k++) {
    if (values[k] < *best || (values[k] == *best && 8 * index + k < *place)) {
      *best = values[k];
      *place = 8 * index + k;
    }
  }
}

PLB_CLONES_256
void plb_surface_nearest(
    const plb_surface_tree *tree, const float *points, ptrdiff_t count, int32_t *places) {
  open_node stack[MOST_OPEN];
  int32_t place = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    const float *point = points + 3 * i;
    float best = __builtin_inff();
    int32_t start = place / WIDTH;
    visit_leaf(tree->leaves + LEAF_FLOATS * (ptrdiff_t)start, start, point, &best, &place);
    int32_t open = 1;
    stack[0] = (open_node){0, tree->level_count - 1, 0};
    while (open > 0) {
      open_node node = stack[--open];
      // A little more, since the distance of a box rounds otherwise than that of a triangle in it.
      if (node.key > best * 1.000001f) continue;
      if (node.level < 0) {
        visit_leaf(
            tree->leaves + LEAF_FLOATS * (ptrdiff_t)node.index, node.index, point, &best, &place);
        continue;
      }
      ptrdiff_t at = tree->levels[node.level] + (ptrdiff_t)node.index;
      lanes keys;
      box_squares(&keys, tree->boxes + BOX_FLOATS * at, point);
      open = append(stack, open, &keys, best * 1.000001f, node.level - 1, 8 * node.index);
    }
    places[i] = place;
  }
}
