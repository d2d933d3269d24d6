#pragma once
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

enum { DEEPEST = 32 };

INLINE float square_of(uint64_t key) {
  const uint32_t bits = (uint32_t)(key >> 32);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

INLINE uint64_t key_of(float square, uint32_t index) {
  uint32_t bits;
  memcpy(&bits, &square, sizeof bits);
  return (uint64_t)bits << 32 | index;
}

INLINE void load(const plb_tree_leaf *leaf, lanes columns[3]) {
  memcpy(&columns[0], leaf->x, sizeof columns[0]);
  memcpy(&columns[1], leaf->y, sizeof columns[1]);
  memcpy(&columns[2], leaf->z, sizeof columns[2]);
}

// The minimum of all lanes, by halves: a reduction of floats in general keeps their order and is slow.
INLINE float minimum_of(const lanes *values) {
  const half_lanes a = values->lo < values->hi ? values->lo : values->hi;
  const quarter_lanes b = a.lo < a.hi ? a.lo : a.hi;
  const float x = b[0] < b[1] ? b[0] : b[1], y = b[2] < b[3] ? b[2] : b[3];
  return x < y ? x : y;
}

// The squared distances of a leaf's points from a place, in the bits returned which are within a limit, and the
// minimum of the others, infinite without any.
INLINE uint32_t squares_around(
    const plb_tree_leaf *leaf, const float *place, float limit, float *squares, float *farther) {
  lanes columns[3];
  load(leaf, columns);
  for (int axis = 0; axis < 3; axis++) columns[axis] -= place[axis];
  const lanes all =
      (columns[0] * columns[0] + columns[1] * columns[1]) + columns[2] * columns[2];
  const lane_bits near = __builtin_convertvector(all <= limit, lane_bits);
  uint16_t bits;
  memcpy(&bits, &near, sizeof bits);
  if (bits != 0) memcpy(squares, &all, sizeof all);
  if (farther != NULL) {
    const lanes others = all <= limit ? (lanes)INFINITY : all;
    *farther = minimum_of(&others);
  }
  return bits;
}

// The same without the others.
INLINE uint32_t squares_within(
    const plb_tree_leaf *leaf, const float *place, float limit, float *squares) {
  return squares_around(leaf, place, limit, squares, NULL);
}
