// The kernels that prepare a depth frame for fusion, add it to blocks of 8 x 8 x 8 voxels and cast rays
// through them. They allocate nothing, check nothing and keep no state: the Swift caller has done so;
// tests hold slow twins.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"
#include "volume_voxels.h"

// The tangent plane of one pixel, with what fusion takes of it. With u, v pixels from its center,
// 1/z = inverse_depth + slope_x u + slope_y v.
typedef struct {
  float inverse_depth;  // 1/m
  float slope_x, slope_y;  // 1/m a pixel
  float plane_distance;  // meters from the camera to the plane
  float weight_per_truncation;  // cos^2 / sigma^2 over the truncation, in 1/m^3; 0 for no surface
  float variance;  // of a distance from the plane, in units of 1/weight
  float truncation;  // meters
  uint32_t color;  // red + 256 green + 65,536 blue, and the bits below
} plb_volume_pixel;

// Bits of a pixel's color: whether it has one, and whether it says that the space before it is free, which
// pixels beside a nearer surface do not.
enum { PLB_VOLUME_COLOR = 1 << 24, PLB_VOLUME_CARVES = 1 << 25 };

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
  uint32_t seed;  // that of the last frame and 512: which numbers between two stored ones become the upper one
} plb_volume_frame;

// Pixels of a row that one tile holds, and rows.
enum { PLB_VOLUME_TILE = 8 };

// 1/depth of a row; 0 where depth or noise is not finite and above 0.
void plb_volume_inverse_row(
    const float *_Nonnull depth, const float *_Nonnull noise, int32_t width, float *_Nonnull result);

// One row of pixels. inverse: the row in a map of 1/depth with slope_step columns and rows of 0 around it,
// whose rows lie `stride` apart. nearest, farthest: of each pixel of the row, the depth in front of which it says
// that space is free and that behind which it says nothing; tile_nearest, tile_farthest: the range of
// each tile of the row, which is only widened.
void plb_volume_row(
    const plb_volume_frame *_Nonnull frame, const float *_Nonnull inverse, ptrdiff_t stride,
    const float *_Nonnull noise, int32_t row, plb_volume_pixel *_Nonnull result,
    float *_Nonnull nearest, float *_Nonnull farthest, float *_Nonnull tile_nearest,
    float *_Nonnull tile_farthest);

// The keys of the blocks that half of the bands around the surface of one row reach; a key of the pixel or of
// its neighbors may come again, and some pixels that lie closer together than two voxels are passed over.
// origin: the camera in block sides; rotation: world from camera, row after row, times block sides a meter;
// recent: 64 keys, all ones at first, kept from row to row. Returns how many.
ptrdiff_t plb_volume_requests(
    const plb_volume_frame *_Nonnull frame, const plb_volume_pixel *_Nonnull pixels, int32_t row,
    int32_t every, const double *_Nonnull origin, const double *_Nonnull rotation,
    uint64_t *_Nonnull recent, uint64_t *_Nonnull keys, ptrdiff_t capacity);

// The pixels of a frame, and behind the last one a pixel without a surface. Of each, in maps of their own with seven
// numbers more at the end: the depth in front of which it says that space is free, and that behind which it says
// nothing.
typedef struct {
  const plb_volume_pixel *_Nonnull pixels;
  const float *_Nonnull nearest;
  const float *_Nonnull farthest;
} plb_volume_pixels;

// One block, before a frame is added.
typedef struct {
  float origin[3];  // the first voxel in camera axes, in meters
  float nearest;  // in front of this depth all pixels that the block projects into say that space is free
  float farthest;  // behind this depth none of them says anything
  uint64_t solid_rows;  // bit z * 8 + y: whether a voxel of the row is behind a surface
} plb_volume_block;

// What a frame did to a block: the rows with a voxel behind a surface now, and how many voxels lie within one
// voxel of the frame's surface. Of those: the sum of weights, and that of weight times variance.
typedef struct {
  uint64_t solid_rows;
  int32_t near;
  float weight, variance;
} plb_volume_change;

// Adds a frame to one block. steps: the camera axes of one voxel along x, y, z; values: 64 rows of
// 8 distances, then 8 weights, as volume_voxels.h stores them; colors: 64 rows of 8 red, 8 green, 8 blue in
// 256ths, or NULL.
plb_volume_change plb_volume_integrate(
    const plb_volume_frame *_Nonnull frame, const plb_volume_pixels *_Nonnull pixels,
    const float *_Nonnull steps, const plb_volume_block *_Nonnull block, int16_t *_Nonnull values,
    uint16_t *_Nullable colors);

// Blocks, found by open addressing: a key of all ones is an empty slot, and the slots are a power of two.
// Block p lies in slab p >> PLB_VOLUME_SLAB_SHIFT.
enum { PLB_VOLUME_SLAB_SHIFT = 12, PLB_VOLUME_BLOCK_VALUES = 1024 };
typedef struct {
  const uint64_t *_Nonnull keys;
  const int32_t *_Nonnull places;
  uint64_t mask;  // slots - 1
  const int16_t *_Nullable const *_Nonnull slabs;
  // Which blocks have a voxel behind a surface, in bricks of 4 x 4 x 4 blocks, found in the same way: a bit for
  // each block, x fastest.
  const uint64_t *_Nonnull brick_keys;
  const uint64_t *_Nonnull bricks;
  uint64_t brick_mask;
} plb_volume_blocks;

// A camera in the volume.
typedef struct {
  double focal_x, focal_y, center_x, center_y;
  double origin[3];  // the camera, in voxels
  double rotation[9];  // world from camera, row after row
  double voxel;  // meters
  int32_t width;
} plb_volume_camera;

// Pixels of a row of a view, and rows, whose rays begin and end at the same depths.
enum { PLB_VOLUME_VIEW_TILE = 4 };

// Casts the rays of one row to the first change from free to solid. ranges: the nearest and farthest depth
// of each tile of pixels, in meters; nearest >= farthest for none. Depth is NaN without a surface. weights: that
// of the volume at the surface; places: the block of the nearest voxel, -1 for none.
void plb_volume_cast_row(
    const plb_volume_blocks *_Nonnull blocks, const plb_volume_camera *_Nonnull camera, int32_t row,
    const double *_Nonnull ranges, float *_Nonnull depth, float *_Nonnull weights,
    int32_t *_Nonnull places);
