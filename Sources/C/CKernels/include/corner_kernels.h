#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

enum { PLB_CORNER_MAXIMUM_RADIUS = 8 };  // in pixels

// Weighted sums over a patch around a point, each taken over all offsets d within the radius, once
// for each pair (d, −d). P is the smoothed image at the point plus d, g its gradient;
// difference = P(d) − P(−d), j = g(d) − g(−d), sum = P(d) + P(−d) − 256.
typedef struct {
  float weight;
  float sum, sum_sum;                        // of sum, sum²
  float difference_difference;               // difference²
  float j_xx, j_xy, j_yy;                    // j·jᵀ
  float j_difference_x, j_difference_y;      // j·difference
  float light_xx, light_xy, light_yy;        // (P(d) + P(−d))²·d·dᵀ
  float j_light_xx, j_light_xy, j_light_yx, j_light_yy;  // (P(d) + P(−d))·j·dᵀ
  float light_difference_x, light_difference_y;          // (P(d) + P(−d))·d·difference
  float bend_xx, bend_xy, bend_yy;           // j·dᵀ, symmetric part
  float gradient_xx, gradient_xy, gradient_yy;           // g·gᵀ at d and −d
  float line_x, line_y;                      // g·(g·d) at d and −d
} plb_corner_sums;

// `pixels` is the pixel at the point's whole coordinates, the fractions are what they lack; three
// pixels beyond the radius must exist on each side. The radius is from 1 to
// PLB_CORNER_MAXIMUM_RADIUS.
plb_corner_sums plb_sum_corner(
    const uint8_t *_Nonnull pixels, ptrdiff_t stride, ptrdiff_t radius, float fraction_x,
    float fraction_y);
