// The rows of a block in the camera of a frame, and which of them the frame can change.
#pragma once
#include <string.h>

#include "volume_kernels.h"
#include "volume_vectors.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { rows = 64 };

// The homogeneous coordinates of the pixels, which are linear in the voxel: of the first voxel, and the steps
// along x, y and z. Along x a vector of eight, else the same for all.
typedef struct {
  floats column[3], row[3], depth[3];
  float first_column, first_row, first_depth;
} row_steps;

// How pixels and depth move along the axes of the volume.
PLB_INLINE void steps_of(
    const plb_volume_frame *frame, const float *origin, const float *steps, row_steps *result) {
  const floats lane = {0, 1, 2, 3, 4, 5, 6, 7}, one = {1, 1, 1, 1, 1, 1, 1, 1};
  for (int axis = 0; axis < 3; axis++) {
    const float *step = steps + 3 * axis;
    floats unit = axis == 0 ? lane : one;
    result->column[axis] = unit * (frame->focal_x * step[0] + frame->center_x * step[2]);
    result->row[axis] = unit * (frame->focal_y * step[1] + frame->center_y * step[2]);
    result->depth[axis] = unit * step[2];
  }
  result->first_column = frame->focal_x * origin[0] + frame->center_x * origin[2];
  result->first_row = frame->focal_y * origin[1] + frame->center_y * origin[2];
  result->first_depth = origin[2];
}

// Widens a range by that of eight pixels.
PLB_INLINE void widen(const float *nearest, const float *farthest, floats *near, floats *far) {
  floats low, high;
  memcpy(&low, nearest, sizeof(low));
  memcpy(&high, farthest, sizeof(high));
  *near = PICK(low < *near, low, *near);
  *far = PICK(high > *far, high, *far);
}

// A number brought within limits, so that an integer can hold it; `unknown` for one that is no number.
PLB_INLINE float within(float value, float low, float high, float unknown) {
  if (value != value) return unknown;
  return value < low ? low : value > high ? high : value;
}

// The range of the pixels that 4 x 4 rows from (y, z) on project into; that of the block where they are many, or
// reach the camera.
PLB_INLINE void range_of(
    const plb_volume_frame *frame, const plb_volume_pixels *pixels, const plb_volume_block *block,
    const row_steps *steps, int y, int z, float *nearest, float *farthest) {
  const floats xs = {0, 0, 0, 0, 1, 1, 1, 1}, ys = {0, 0, 3, 3, 0, 0, 3, 3};
  const floats zs = {0, 3, 0, 3, 0, 3, 0, 3};
  floats row = ys + (float)y, slice = zs + (float)z;
  floats depth = steps->first_depth + (slice * steps->depth[2] + row * steps->depth[1])
                 + xs * steps->depth[0][lanes - 1];
  *nearest = block->nearest;
  *farthest = block->farthest;
  // A hundredth of a meter before the camera: blocks that reach it have no rectangle of pixels.
  if (!(least_of(&depth) > 0.01f)) return;
  floats inverse = 1 / depth;
  floats column = (steps->first_column + (slice * steps->column[2] + row * steps->column[1])
                   + xs * steps->column[0][lanes - 1]) * inverse;
  floats line = (steps->first_row + (slice * steps->row[2] + row * steps->row[1])
                 + xs * steps->row[0][lanes - 1]) * inverse;
  // A hundredth of a pixel more, for rounding.
  const float right = (float)frame->width - 1, bottom = (float)frame->height - 1;
  float left = least_of(&column) - 0.01f, top = least_of(&line) - 0.01f;
  float last_column = most_of(&column) + 0.01f, last_line = most_of(&line) + 0.01f;
  left = within(left, 0, right + 1, 0);
  top = within(top, 0, bottom + 1, 0);
  last_column = within(last_column, -2, right, right);
  last_line = within(last_line, -2, bottom, bottom);
  int32_t first = (int32_t)(left + 0.5f), last = (int32_t)(last_column + 0.5f);
  int32_t from = (int32_t)(top + 0.5f), to = (int32_t)(last_line + 0.5f);
  if ((last - first) * (to - from) > 1024) return;
  floats near = {0}, far;
  near += __builtin_inff();
  far = -near;
  for (int32_t v = from; v <= to; v++) {
    const ptrdiff_t here = (ptrdiff_t)v * frame->width;
    for (int32_t u = first; u <= last; u += lanes)
      widen(pixels->nearest + here + u, pixels->farthest + here + u, &near, &far);
  }
  *nearest = least_of(&near);
  *farthest = most_of(&far);
}

// The rows that can change: something is known at their depths, and they are not merely free.
PLB_INLINE uint64_t rows_to_see(
    const plb_volume_frame *frame, const plb_volume_pixels *pixels, const plb_volume_block *block,
    const row_steps *steps) {
  const floats lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const ints bits = {1, 2, 4, 8, 16, 32, 64, 128};
  floats near, far;
  uint64_t result = 0;
  for (int z = 0; z < lanes; z++) {
    if ((z & 3) == 0) {
      float a, b, c, d;
      range_of(frame, pixels, block, steps, 0, z, &a, &c);
      range_of(frame, pixels, block, steps, 4, z, &b, &d);
      near = (floats){a, a, a, a, b, b, b, b};
      far = (floats){c, c, c, c, d, d, d, d};
    }
    // Eight rows, by their first and last voxels.
    floats first = steps->first_depth + ((float)z * steps->depth[2] + lane * steps->depth[1]);
    floats last = first + steps->depth[0][lanes - 1];
    floats low = PICK(first < last, first, last), high = PICK(first < last, last, first);
    int32_t solid = (int32_t)(block->solid_rows >> (8 * z) & 255);
    ints seen = (high > 0) & (low < far) & ((high > near) | ((solid & bits) != 0));
    result |= (uint64_t)(uint32_t)__builtin_reduce_or(seen & bits) << (8 * z);
  }
  return result;
}
