// Registration of a frame to a surface as a camera sees it: the points of the frame, and the sums of the
// normal equations of one step. Tests hold each to a slow twin in Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// A rectified depth map. `noise` may be null: then a pixel needs only its depth.
typedef struct {
  const float *_Nonnull depth;
  const float *_Nullable noise;
  ptrdiff_t depth_stride, noise_stride;
  int32_t width, height;
  float focal_x, focal_y, principal_x, principal_y;
  // The normal of a pixel is the cross product of the differences of the pixels `reach` to its right and
  // left, and below and above; there is none where one is missing or its depth differs by more than
  // `step` of the pixel's own. It reaches up to four times as far where the noise would turn the normal
  // by more than 31°.
  int32_t reach;
  float step;
  // The parts of the shared error: its variance is their squares times 1, z², z⁴.
  float shared_constant, shared_linear, shared_quadratic;
} plb_tracking_frame;

// Planes of points: x, y, z, the variance along the optical axis, and the normal toward the camera. The
// plane k begins at `values` + k·capacity.
enum { PLB_TRACKING_PLANES = 7 };

// Adds the points of pixels whose column and row are multiples of `stride`, but not both of `done` (0 for
// none). Returns the number of points after it; there must be room.
ptrdiff_t plb_tracking_gather(
    const plb_tracking_frame *_Nonnull frame, int32_t stride, int32_t done, float *_Nonnull values,
    ptrdiff_t capacity, ptrdiff_t count);

// The normals of one row, packed, NaN where there is none; and the σ along them: the noise of the depth
// times the share of it that lies along the normal.
void plb_tracking_normals_row(
    const plb_tracking_frame *_Nonnull frame, int32_t row, float *_Nonnull normals,
    float *_Nonnull sigma);

// A surface as a camera sees it, and where the frame's points are taken in it.
typedef struct {
  const float *_Nonnull depth;
  const float *_Nonnull normals;
  const float *_Nonnull sigma;
  ptrdiff_t depth_stride, normal_stride, sigma_stride;
  int32_t width, height;
  float focal_x, focal_y, principal_x, principal_y;
  float rotation[9];  // viewFromCamera, row after row
  float translation[3];
  float cosine;        // of the maximum angle between the normals of point and surface
  float coarse_share;  // a part of the σ as a share of the depth
  float cutoff;        // the residual in σ from which a point has no weight
} plb_tracking_view;

enum { PLB_TRACKING_BINS = 64, PLB_TRACKING_BINS_PER_SIGMA = 8 };

typedef struct {
  double information[21];  // Σ w·J·Jᵀ, the upper triangle row after row; rotation first
  // Σ w·J·Kᵀ, the upper triangle, with K as J but of the frame's own normals: the noise of two normals is
  // independent, so that it adds nothing here, and to the information what no surface says.
  double confirmed[21];
  double gradient[6];      // Σ w·J·r
  double cost;             // Σ w·r²
  double weight;           // Σ w
  int64_t seen, used;      // points that meet a surface; those with a weight
  uint32_t bins[PLB_TRACKING_BINS];  // of |r|/σ of all whose normals agree; the last one for all above
} plb_tracking_sums;

// The sums over the points `first`..<`last`, in Tukey's weights. `residuals` may be null; it gets
// r in meters of each point with a weight, NaN for the others.
void plb_tracking_accumulate(
    const plb_tracking_view *_Nonnull view, const float *_Nonnull values, ptrdiff_t capacity,
    ptrdiff_t first, ptrdiff_t last, plb_tracking_sums *_Nonnull sums, float *_Nullable residuals);
