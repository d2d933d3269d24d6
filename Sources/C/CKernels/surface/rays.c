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

// A ray with its axes in such an order that its direction is largest along the third, and what shears it
// onto that axis.
typedef struct {
  float origin[3], shear[3];
  int axes[3];
} sheared_ray;

INLINE void prepare(sheared_ray *sheared, const float *ray) {
  int third = 0;
  float size[3];
  for (int axis = 0; axis < 3; axis++) {
    size[axis] = ray[3 + axis] < 0 ? -ray[3 + axis] : ray[3 + axis];
  }
  if (size[1] > size[third]) third = 1;
  if (size[2] > size[third]) third = 2;
  for (int axis = 0; axis < 3; axis++) {
    sheared->axes[axis] = (third + 1 + axis) % 3;
    sheared->origin[axis] = ray[axis];
  }
  sheared->shear[0] = ray[3 + sheared->axes[0]] / ray[3 + third];
  sheared->shear[1] = ray[3 + sheared->axes[1]] / ray[3 + third];
  sheared->shear[2] = 1 / ray[3 + third];
}

// A corner of a leaf's triangles in the axes of a ray that runs along the third.
INLINE void corner(triple *result, const float *leaf, const sheared_ray *ray) {
  lanes x, y, z;
  load(&x, leaf + 8 * ray->axes[0]);
  load(&y, leaf + 8 * ray->axes[1]);
  load(&z, leaf + 8 * ray->axes[2]);
  z -= ray->origin[ray->axes[2]];
  result->x = x - ray->origin[ray->axes[0]] - ray->shear[0] * z;
  result->y = y - ray->origin[ray->axes[1]] - ray->shear[1] * z;
  result->z = ray->shear[2] * z;
}

// S. Woop, C. Benthin, I. Wald, Watertight ray/triangle intersection, 2013: an edge has the same number in
// both its triangles but for the sign, so that no ray passes between them.
INLINE void hits(lanes *lengths, const float *leaf, const sheared_ray *ray) {
  triple a, b, c;
  corner(&a, leaf, ray);
  corner(&b, leaf + 24, ray);
  corner(&c, leaf + 48, ray);
  lanes infinite = a.x * 0 + __builtin_inff();
  lanes u = c.x * b.y - c.y * b.x;
  lanes v = a.x * c.y - a.y * c.x;
  lanes w = b.x * a.y - b.y * a.x;
  lanes determinant = u + v + w;
  lanes length = (u * a.z + v * b.z + w * c.z) / determinant;
  masks is_hit = ((u >= 0) & (v >= 0) & (w >= 0)) | ((u <= 0) & (v <= 0) & (w <= 0));
  is_hit &= ((determinant > 0) | (determinant < 0)) & (length > 0);
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
    sheared_ray sheared;
    prepare(&sheared, ray);
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
      hits(&keys, tree->leaves + LEAF_FLOATS * (ptrdiff_t)node.index, &sheared);
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
