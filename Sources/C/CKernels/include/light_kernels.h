// Light through fog and on surfaces. No kernel allocates or checks sizes. `linear` are 256 levels of
// light, 0…65535, of the codes; `codes` are the codes of 65536 levels.
#pragma once
#include "mask_kernels.h"

typedef struct {
  const uint16_t *_Nonnull linear;
  const uint8_t *_Nonnull codes;
  float air[3];          // light of infinitely much fog, 0…65535
  float density;         // per unit of distance
  float near, scale;     // relative: distance = (near − disparity) · scale; metric: scale 0, 1 / disparity
  float ray_x, ray_y;    // steps of x/z and y/z per column and row; 0 counts distance along the axis
  float center_x, center_y;
  float up_x, up_y;      // which way is up in the image, for fog that thins with height
  float thinning;        // per unit of height; 0 for the same fog everywhere
} plb_fog;

// One row of an image in fog: c · t + air · (1 − t) in linear light, t = exp(−density · distance).
void plb_light_fog(
    const plb_fog *_Nonnull fog, const uint8_t *_Nonnull image, const float *_Nonnull disparity,
    int32_t row, int32_t width, uint8_t *_Nonnull result);

// A row of depth seen by a camera: points (x, y, z) of disparities; z = 1 / disparity, at most `far`.
typedef struct {
  const float *_Nonnull depth;      // of width × height
  int32_t width, height;
  float ray_x, ray_y, center_x, center_y;  // x/z = (column − center_x) · ray_x
  float light_x, light_y, light_z;  // toward the light (directional), or its position (point)
  int32_t is_point;
  float reference;                  // distance at which a point light has its strength
  float strength, ambient;
  float wrap;                       // 0: Lambert; up to 1: light reaches around
  float relief;                     // slopes are multiplied with it
  float noise;                      // σ of smoothed disparity, 1 / depth: steeper slopes are meant
} plb_relight;

// How much light pixels of a row get: ambient + strength · max(0, (n·l + wrap) / (1 + wrap)).
void plb_light_shade(
    const plb_relight *_Nonnull light, int32_t row, float *_Nonnull result);

// Colors times light, in linear light: `reliable` of it is ambient, `shares` more have a color, and the
// rest is as it was.
void plb_light_multiply(
    const uint16_t *_Nonnull linear, const uint8_t *_Nonnull codes,
    const uint8_t *_Nonnull image, const float *_Nonnull shares,
    const float *_Nonnull reliable, const float *_Nonnull ambient, const float *_Nonnull color,
    ptrdiff_t count, uint8_t *_Nonnull result);

// Rows of one level of edge-avoiding smoothing: 25 taps `spacing` apart, a B₃ spline times
// (1 − (difference / step)²)₊².
void plb_light_smooth(
    const float *_Nonnull source, int32_t width, int32_t height, int32_t spacing, float step,
    int32_t first, int32_t end, float *_Nonnull result);
