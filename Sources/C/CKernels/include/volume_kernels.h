// The kernels that prepare a depth frame for fusion, add it to blocks of 8 x 8 x 8 voxels and cast rays
// through them. They allocate nothing, check nothing and keep no state: the Swift caller has done so;
// tests hold slow twins.
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
  float free_weight;  // the weight where it says that space is free; 0 beside a nearer surface
  float truncation;  // meters
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
  float one_surface;  // pixels slope_step apart are one surface where 1/z differs by less than this share
} plb_volume_frame;

// Pixels of a row that one tile holds, and rows.
enum { PLB_VOLUME_TILE = 8 };

// 1/depth of a row; 0 where depth or noise is not finite and above 0.
void plb_volume_inverse_row(
    const float *_Nonnull depth, const float *_Nonnull noise, int32_t width, float *_Nonnull result);

// One row of pixels. inverse: the row in a map of 1/depth with slope_step columns and rows of 0 around it,
// whose rows lie `stride` apart. For each tile of the row: nearest, the depth in front of which all of it is
// free; farthest, the depth behind which none of it says anything. They are only widened.
void plb_volume_row(
    const plb_volume_frame *_Nonnull frame, const float *_Nonnull inverse, ptrdiff_t stride,
    const float *_Nonnull noise, int32_t row, plb_volume_pixel *_Nonnull result,
    float *_Nonnull nearest, float *_Nonnull farthest);

// The keys of the blocks that the bands around the surface of one row reach; a key of the pixel or of its
// neighbors may come again. origin: the camera in block sides; rotation: world from camera, row after row,
// times block sides a meter; recent: 64 keys, all ones at first, kept from row to row. Returns how many.
ptrdiff_t plb_volume_requests(
    const plb_volume_frame *_Nonnull frame, const plb_volume_pixel *_Nonnull pixels, int32_t row,
    int32_t every, const double *_Nonnull origin, const double *_Nonnull rotation,
    uint64_t *_Nonnull recent, uint64_t *_Nonnull keys, ptrdiff_t capacity);

// What a frame did to a block: how many voxels lie within one voxel of its surface, and whether any voxel of
// the block is behind a surface now. Of the voxels near the surface: the sum of weights, and that of weight
// times the variance of a distance in units of 1/weight.
typedef struct {
  int32_t near, has_solid;
  float weight, variance;
} plb_volume_change;

// Adds a frame to one block. values: 64 rows of 8 distances, then 8 weights; colors: 64 rows of
// 8 red, 8 green, 8 blue in 256ths, or NULL. origin: the first voxel in camera axes; steps: the
// camera axes of one voxel along x, y, z.
plb_volume_change plb_volume_integrate(
    const plb_volume_frame *_Nonnull frame, const plb_volume_pixel *_Nonnull pixels,
    const float *_Nonnull origin, const float *_Nonnull steps, float *_Nonnull values,
    uint16_t *_Nullable colors);

// Blocks, found by open addressing: a key of all ones is an empty slot, and the slots are a power of two.
// Block p lies in slab p >> PLB_VOLUME_SLAB_SHIFT.
enum { PLB_VOLUME_SLAB_SHIFT = 12, PLB_VOLUME_BLOCK_VALUES = 1024 };
typedef struct {
  const uint64_t *_Nonnull keys;
  const int32_t *_Nonnull places;
  uint64_t mask;  // slots - 1
  const float *_Nullable const *_Nonnull slabs;
} plb_volume_blocks;

// A camera in the volume.
typedef struct {
  double focal_x, focal_y, center_x, center_y;
  double origin[3];  // the camera, in voxels
  double rotation[9];  // world from camera, row after row
  double voxel;  // meters
  int32_t width;
} plb_volume_camera;

// Casts the rays of one row to the first change from free to solid. ranges: the nearest and farthest depth
// of each tile of 8 pixels, in meters; nearest >= farthest for none. Depth is NaN without a surface. weights: that
// of the volume at the surface; places: the block of the nearest voxel, -1 for none.
void plb_volume_cast_row(
    const plb_volume_blocks *_Nonnull blocks, const plb_volume_camera *_Nonnull camera, int32_t row,
    const double *_Nonnull ranges, float *_Nonnull depth, float *_Nonnull weights,
    int32_t *_Nonnull places);
