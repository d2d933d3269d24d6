#include "corner_kernels.h"

#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum {
  LANES = 8,
  SIDE = 2 * PLB_CORNER_MAXIMUM_RADIUS + 1,
  WIDTH = (SIDE + LANES - 1) / LANES * LANES,
  TAPS = 6,
};

// Sums are kept in lanes, so that their order is the same on every CPU.
typedef struct { float lane[LANES]; } lanes;

static inline float total(const lanes *sum) {
  const float *l = sum->lane;
  return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]));
}

// The cubic B-spline, smoothed by (1 2 1)/4, and its slope, at the pixels from −2 to 3 around a
// fraction: symmetric about the point itself, wherever it lies between pixels. Sigma 0.91 pixels.
static void taps(float f, float *smooth, float *slope) {
  const float g = 1 - f;
  const float spline[4] = {
      g * g * g / 6, (3 * f * f * f - 6 * f * f + 4) / 6, (3 * g * g * g - 6 * g * g + 4) / 6,
      f * f * f / 6};
  const float rise[4] = {
      -g * g / 2, (3 * f * f - 4 * f) / 2, -(3 * g * g - 4 * g) / 2, f * f / 2};
  for (int k = 0; k < TAPS; k++) smooth[k] = slope[k] = 0;
  for (int k = 0; k < 4; k++) {
    smooth[k] += spline[k] / 4;
    smooth[k + 1] += spline[k] / 2;
    smooth[k + 2] += spline[k] / 4;
    slope[k] += rise[k] / 4;
    slope[k + 1] += rise[k] / 2;
    slope[k + 2] += rise[k] / 4;
  }
}

PLB_CLONES
plb_corner_sums plb_sum_corner(
    const uint8_t *pixels, ptrdiff_t stride, ptrdiff_t radius, float fraction_x,
    float fraction_y) {
  float smooth_x[TAPS], slope_x[TAPS], smooth_y[TAPS], slope_y[TAPS];
  taps(fraction_x, smooth_x, slope_x);
  taps(fraction_y, smooth_y, slope_y);
  pixels -= (radius + 2) * stride + radius + 2;
  const ptrdiff_t side = 2 * radius + 1;
  const ptrdiff_t width = (side + LANES - 1) / LANES * LANES;
  float smooth[SIDE + TAPS - 1][WIDTH], slope[SIDE + TAPS - 1][WIDTH];
  float value[SIDE][WIDTH], along_x[SIDE][WIDTH], along_y[SIDE][WIDTH];

  for (ptrdiff_t y = 0; y < side + TAPS - 1; y++) {
    float row[WIDTH + TAPS - 1];
    const uint8_t *source = pixels + y * stride;
    for (ptrdiff_t x = 0; x < side + TAPS - 1; x++) row[x] = source[x];
    // Padding lanes only ever meet a weight of zero, but must not hold what is no number.
    for (ptrdiff_t x = side + TAPS - 1; x < width + TAPS - 1; x++) row[x] = 0;
    for (ptrdiff_t x = 0; x < width; x++) {
      float s = 0, d = 0;
      for (int k = 0; k < TAPS; k++) s += smooth_x[k] * row[x + k];
      for (int k = 0; k < TAPS; k++) d += slope_x[k] * row[x + k];
      smooth[y][x] = s;
      slope[y][x] = d;
    }
  }
  for (ptrdiff_t y = 0; y < side; y++)
    for (ptrdiff_t x = 0; x < width; x++) {
      float p = 0, gx = 0, gy = 0;
      for (int k = 0; k < TAPS; k++) {
        p += smooth_y[k] * smooth[y + k][x];
        gx += smooth_y[k] * slope[y + k][x];
        gy += slope_y[k] * smooth[y + k][x];
      }
      value[y][x] = p;
      along_x[y][x] = gx;
      along_y[y][x] = gy;
    }

  lanes sums[27];
  memset(sums, 0, sizeof sums);
  const float reach = 1.0f / (float)((radius + 1) * (radius + 1));
  for (ptrdiff_t y = 0; y <= radius; y++) {
    const ptrdiff_t opposite = side - 1 - y;
    float weight[WIDTH], other[WIDTH], other_x[WIDTH], other_y[WIDTH], offset[WIDTH];
    const float dy = (float)(y - radius), share = y == radius ? 0.5f : 1.0f;
    for (ptrdiff_t x = 0; x < width; x++) {
      const float dx = (float)(x - radius), near = 1 - (dx * dx + dy * dy) * reach;
      offset[x] = dx;
      weight[x] = x < side && near > 0 ? share * near * near : 0;
      other[x] = other_x[x] = other_y[x] = 0;
    }
    for (ptrdiff_t x = 0; x < side; x++) {
      other[x] = value[opposite][side - 1 - x];
      other_x[x] = along_x[opposite][side - 1 - x];
      other_y[x] = along_y[opposite][side - 1 - x];
    }
    for (ptrdiff_t x = 0; x < width; x += LANES)
      for (int i = 0; i < LANES; i++) {
        const float w = weight[x + i], dx = offset[x + i];
        const float ax = along_x[y][x + i], ay = along_y[y][x + i];
        const float bx = other_x[x + i], by = other_y[x + i];
        const float both = value[y][x + i] + other[x + i], sum = both - 256;
        const float difference = value[y][x + i] - other[x + i];
        const float jx = ax - bx, jy = ay - by;
        const float wjx = w * jx, wjy = w * jy, wdifference = w * difference;
        const float lx = both * dx, ly = both * dy, wlx = w * lx, wly = w * ly;
        const float along_a = w * (ax * dx + ay * dy), along_b = w * (bx * dx + by * dy);
        sums[0].lane[i] += w;
        sums[1].lane[i] += w * sum;
        sums[2].lane[i] += w * sum * sum;
        sums[3].lane[i] += wdifference * difference;
        sums[4].lane[i] += wjx * jx;
        sums[5].lane[i] += wjx * jy;
        sums[6].lane[i] += wjy * jy;
        sums[7].lane[i] += wdifference * jx;
        sums[8].lane[i] += wdifference * jy;
        sums[9].lane[i] += wlx * lx;
        sums[10].lane[i] += wlx * ly;
        sums[11].lane[i] += wly * ly;
        sums[12].lane[i] += wlx * jx;
        sums[13].lane[i] += wly * jx;
        sums[14].lane[i] += wlx * jy;
        sums[15].lane[i] += wly * jy;
        sums[16].lane[i] += wlx * difference;
        sums[17].lane[i] += wly * difference;
        sums[18].lane[i] += wjx * dx;
        sums[19].lane[i] += wjx * dy;
        sums[20].lane[i] += wjy * dx;
        sums[21].lane[i] += wjy * dy;
        sums[22].lane[i] += w * (ax * ax + bx * bx);
        sums[23].lane[i] += w * (ax * ay + bx * by);
        sums[24].lane[i] += w * (ay * ay + by * by);
        sums[25].lane[i] += ax * along_a - bx * along_b;
        sums[26].lane[i] += ay * along_a - by * along_b;
      }
  }
  return (plb_corner_sums){
      .weight = total(&sums[0]),
      .sum = total(&sums[1]),
      .sum_sum = total(&sums[2]),
      .difference_difference = total(&sums[3]),
      .j_xx = total(&sums[4]),
      .j_xy = total(&sums[5]),
      .j_yy = total(&sums[6]),
      .j_difference_x = total(&sums[7]),
      .j_difference_y = total(&sums[8]),
      .light_xx = total(&sums[9]),
      .light_xy = total(&sums[10]),
      .light_yy = total(&sums[11]),
      .j_light_xx = total(&sums[12]),
      .j_light_xy = total(&sums[13]),
      .j_light_yx = total(&sums[14]),
      .j_light_yy = total(&sums[15]),
      .light_difference_x = total(&sums[16]),
      .light_difference_y = total(&sums[17]),
      .bend_xx = total(&sums[18]),
      .bend_xy = (total(&sums[19]) + total(&sums[20])) / 2,
      .bend_yy = total(&sums[21]),
      .gradient_xx = total(&sums[22]),
      .gradient_xy = total(&sums[23]),
      .gradient_yy = total(&sums[24]),
      .line_x = total(&sums[25]),
      .line_y = total(&sums[26]),
  };
}
