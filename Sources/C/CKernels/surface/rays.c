#include "tree_lanes.h"

#pragma STDC FP_CONTRACT OFF

// Where a ray enters boxes, in lengths of its direction; +∞ for those that it misses.
INLINE void entries(lanes *keys, const float *box, const float *ray, const float *inverse) {
  lanes near = {0}, far = near + __builtin_inff(), infinite = far, low, high;
  for (int axis = 0; axis < 3; axis++) {
    load(&low, box + 8 * axis);
    load(&high, box + 24 + 8 * axis);
    masks is_there = low <= high;
    low = (low - ray[axis]) * inverse[axis];
    high = (high - ray[axis]) * inverse[axis];
    lanes first = low, last = high;
    lesser(&first, &high);
    larger(&last, &low);
    // A box that the ray only touches counts; rounding must not lose it.
    last *= 1.000001f;
    larger(&near, &first);
    lesser(&far, &last);
    far = CHOOSE(is_there, far, -infinite);
  }
  masks is_hit = near <= far;
  *keys = CHOOSE(is_hit, near, infinite);
}

// T. Möller, B. Trumbore, Fast, minimum storage ray/triangle intersection, 1997.
INLINE void hits(lanes *lengths, const float *leaf, const float *ray) {
  triple a, b, c, ab, ac, across, around, origin;
  corners(&a, &b, &c, leaf, ray);
  lanes zero = {0}, infinite = zero + __builtin_inff();
  triple direction = {zero + ray[3], zero + ray[4], zero + ray[5]};
  triple none = {zero, zero, zero};
  difference(&ab, &b, &a);
  difference(&ac, &c, &a);
  difference(&origin, &none, &a);
  product(&across, &direction, &ac);
  product(&around, &origin, &ab);
  lanes determinant, second, third, length;
  dot(&determinant, &ab, &across);
  dot(&second, &origin, &across);
  dot(&third, &direction, &around);
  dot(&length, &ac, &around);
  second /= determinant;
  third /= determinant;
  length /= determinant;
  // What rounding leaves open between neighbors is closed by the width of a few units in the last place.
  masks is_hit = (second >= -1e-6f) & (third >= -1e-6f) & (second + third <= 1.000001f)
      & (length > 0) & ((determinant > 0) | (determinant < 0));
  *lengths = CHOOSE(is_hit, length, infinite);
}

PLB_CLONES_256
void plb_surface_rays(
    const plb_surface_tree *tree, const float *rays, ptrdiff_t count, int32_t *places,
    float *lengths) {
  open_node stack[MOST_OPEN];
  for (ptrdiff_t i = 0; i < count; i++) {
    const float *ray = rays + 6 * i;
    float inverse[3], best = __builtin_inff();
    for (int axis = 0; axis < 3; axis++) {
      // A direction without this part: so small a one that the quotient stays finite.
      float part = ray[3 + axis];
      inverse[axis] = 1 / (part > 1e-30f || part < -1e-30f ? part : 1e-30f);
    }
    int32_t place = -1, open = 1;
    stack[0] = (open_node){0, tree->level_count - 1, 0};
    while (open > 0) {
      open_node node = stack[--open];
      if (node.key > best) continue;
      lanes keys;
      if (node.level >= 0) {
        ptrdiff_t at = tree->levels[node.level] + (ptrdiff_t)node.index;
        entries(&keys, tree->boxes + BOX_FLOATS * at, ray, inverse);
        open = append(stack, open, &keys, best, node.level - 1, 8 * node.index);
        continue;
      }
      float values[WIDTH];
      hits(&keys, tree->leaves + LEAF_FLOATS * (ptrdiff_t)node.index, ray);
      memcpy(values, &keys, sizeof values);
      for (int32_t k = 0; k < WIDTH; k++) {
        if (values[k] < best) {
          best = values[k];
          place = 8 * node.index + k;
        }
      }
    }
    places[i] = place;
    lengths[i] = best;
  }
}
