// The kernels that prepare a depth frame for fusion and add it to blocks of 8 x 8 x 8 voxels. They
// allocate nothing, check nothing and keep no state: the Swift caller has done so; tests hold slow twins.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// The tangent plane of one pixel, with what fusion takes of it. With u, v pixels from its center,
// 1/z = inverse_depth + slope_x u + slope_y v.
typedef struct {
  float inverse_depth;  // 1/m
  float slope_x, slope_y;  // 1/m a pixel
  float plane_distance;  // meters from the camera to the plane
  float weight;  // cos^2 / sigma^2 in 1/m^2; 0 for no surface
  float truncation;  // meters
  float shared_variance;  // m^2
  uint32_t color;  // red + 256 green + 65,536 blue + 2^24; 0 without color
} plb_volume_pixel;

// What all pixels of a frame share; lengths in meters, focal lengths in pixels.
typedef struct {
  float focal_x, focal_y, center_x, center_y;
  int32_t width, height;
  int32_t slope_step;  // pixels from a pixel to those that its slope is taken from
  float voxel;
  float time_weight;  // factor of each weight
  float shared_constant, shared_linear, shared_quadratic;  // squared parts of the shared error
  float free_views;  // free space weighs at most as many observations
} plb_volume_frame;

// One row of pixels; depth and noise hold the whole packed map.
void plb_volume_row(
    const plb_volume_frame *_Nonnull frame, const float *_Nonnull depth, const float *_Nonnull noise,
    int32_t row, plb_volume_pixel *_Nonnull result);

// Adds a frame to one block. values: 64 rows of 8 distances, then 8 weights; colors: 64 rows of
// 8 red, 8 green, 8 blue in 256ths, or NULL. origin: the first voxel in camera axes; steps: the
// camera axes of one voxel along x, y, z. Returns how many voxels lie within one voxel of a surface.
int32_t plb_volume_integrate(
    const plb_volume_frame *_Nonnull frame, const plb_volume_pixel *_Nonnull pixels,
    const float *_Nonnull origin, const float *_Nonnull steps, float *_Nonnull values,
    uint16_t *_Nullable colors);
