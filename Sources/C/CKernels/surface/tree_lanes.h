// Eight boxes or triangles at a time.
#pragma once
#include <string.h>

#include "surface_kernels.h"

typedef float lanes __attribute__((vector_size(32)));
typedef int32_t masks __attribute__((vector_size(32)));
enum { WIDTH = 8, BOX_FLOATS = 48, LEAF_FLOATS = 72, MOST_OPEN = 128 };

#define INLINE static inline __attribute__((always_inline))
#define CHOOSE(mask, a, b) ((lanes)(((masks)(a) & (mask)) | ((masks)(b) & ~(mask))))

INLINE void load(lanes *result, const float *source) { memcpy(result, source, sizeof *result); }

INLINE void larger(lanes *result, const lanes *other) {
  masks is_less = *result < *other;
  *result = CHOOSE(is_less, *other, *result);
}

INLINE void lesser(lanes *result, const lanes *other) {
  masks is_more = *result > *other;
  *result = CHOOSE(is_more, *other, *result);
}

typedef struct {
  lanes x, y, z;
} triple;

INLINE void difference(triple *result, const triple *a, const triple *b) {
  result->x = a->x - b->x;
  result->y = a->y - b->y;
  result->z = a->z - b->z;
}

INLINE void product(triple *result, const triple *a, const triple *b) {
  result->x = a->y * b->z - a->z * b->y;
  result->y = a->z * b->x - a->x * b->z;
  result->z = a->x * b->y - a->y * b->x;
}

INLINE void dot(lanes *result, const triple *a, const triple *b) {
  *result = a->x * b->x + a->y * b->y + a->z * b->z;
}

// The corners of a leaf's triangles, less a point.
INLINE void corners(triple *a, triple *b, triple *c, const float *leaf, const float *point) {
  load(&a->x, leaf);
  load(&a->y, leaf + 8);
  load(&a->z, leaf + 16);
  load(&b->x, leaf + 24);
  load(&b->y, leaf + 32);
  load(&b->z, leaf + 40);
  load(&c->x, leaf + 48);
  load(&c->y, leaf + 56);
  load(&c->z, leaf + 64);
  a->x -= point[0], b->x -= point[0], c->x -= point[0];
  a->y -= point[1], b->y -= point[1], c->y -= point[1];
  a->z -= point[2], b->z -= point[2], c->z -= point[2];
}

// A node or leaf that is still to be visited.
typedef struct {
  float key;
  int32_t level, index;
} open_node;

// Appends children that are nearer than a limit, so that the nearest comes last.
INLINE int32_t append(
    open_node *stack, int32_t count, const lanes *keys, float limit, int32_t level,
    int32_t first) {
  float values[WIDTH];
  memcpy(values, keys, sizeof values);
  int32_t start = count;
  for (int32_t k = 0; k < WIDTH; k++) {
    if (!(values[k] <= limit) || values[k] > 3e38f) continue;
    int32_t place = count++;
    while (place > start && stack[place - 1].key < values[k]) {
      stack[place] = stack[place - 1];
      place--;
    }
    stack[place] = (open_node){values[k], level, first + k};
  }
  return count;
}
