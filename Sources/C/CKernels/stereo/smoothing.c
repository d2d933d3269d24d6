#include "stereo_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { STRIP = 32 };
typedef int16_t lanes_i16 __attribute__((ext_vector_type(STRIP), aligned(2)));
typedef float lanes_f32 __attribute__((ext_vector_type(STRIP), aligned(4)));
typedef int32_t lanes_i32 __attribute__((ext_vector_type(STRIP), aligned(4)));

#define load(from) (*(const lanes_i16 *)(from))
#define store(to, value) (*(lanes_i16 *)(to) = (value))
#define as_float(value) __builtin_convertvector(value, lanes_f32)
// A whole strip at once, or what is left of it at the end of a row.
#define write(to, value)                                                        \
  if (start + STRIP <= count) {                                                 \
    *(lanes_f32 *)((to) + start) = (value);                                     \
  } else {                                                                      \
    for (int i = 0; i < count - start; i++) (to)[start + i] = (value)[i];       \
  }

PLB_CLONES
void plb_stereo_smooth(
    const int16_t *row, ptrdiff_t stride, ptrdiff_t count, int32_t radius, int16_t tolerance,
    float scale, float *shift, float *variance, float *neighbors) {
  int16_t steps = (int16_t)(radius / PLB_PLANE_STEP);
  float most = (float)((2 * steps + 1) * (2 * steps + 1));
  for (ptrdiff_t start = 0; start < count; start += STRIP) {
    lanes_i16 n = 0, u1 = 0, v1 = 0, uu = 0, uv = 0, vv = 0, d1 = 0, ud = 0, vd = 0;
    // The caller's rows are padded, so a last strip may read beyond the end; it writes no farther.
    const int16_t *place = row + start;
    lanes_i16 center = load(place);
    for (int16_t v = (int16_t)-steps; v <= steps; v++) {
      // Sums of a row first: what only v scales is scaled once.
      lanes_i16 one = 0, u = 0, square = 0, d = 0, product = 0;
      for (int16_t i = (int16_t)-steps; i <= steps; i++) {
        lanes_i16 difference = __builtin_elementwise_sub_sat(
            load(place + (v * stride + i) * PLB_PLANE_STEP), center);
        lanes_i16 near = (difference <= tolerance) & (difference >= (int16_t)-tolerance);
        difference &= near;
        one -= near;
        u += near & i;
        square += near & (int16_t)(i * i);
        d += difference;
        product += difference * i;
      }
      n += one;
      u1 += u;
      uu += square;
      d1 += d;
      ud += product;
      v1 += v * one;
      vv += (int16_t)(v * v) * one;
      uv += v * u;
      vd += v * d;
    }
    // The center is its own neighbor: n is 1 at least, but where it is missing.
    lanes_f32 fn = as_float(n), fu = as_float(u1), fv = as_float(v1), fd = as_float(d1);
    lanes_f32 mean_u = fu / fn, mean_v = fv / fn, mean = fd / fn;
    // Half a pixel of variance keeps few or collinear neighbors from making any slope.
    lanes_f32 damping = fn * (0.5f / (PLB_PLANE_STEP * PLB_PLANE_STEP));
    lanes_f32 a = as_float(uu) - fu * mean_u + damping, b = as_float(uv) - fu * mean_v,
              c = as_float(vv) - fv * mean_v + damping;
    lanes_f32 e = as_float(ud) - fu * mean, f = as_float(vd) - fv * mean;
    lanes_f32 determinant = a * c - b * b;
    lanes_f32 slope_u = (e * c - f * b) / determinant, slope_v = (a * f - b * e) / determinant;
    lanes_f32 height = (mean - slope_u * mean_u - slope_v * mean_v) * scale;
    // What has no value of its own gets the bits of a NaN.
    lanes_i32 missing = __builtin_convertvector(center == PLB_PLANE_MISSING, lanes_i32);
    height = (lanes_f32)(((lanes_i32)height & ~missing) | (0x7fc00000 & missing));
    write(shift, height);
    if (!variance) continue;
    lanes_f32 lean = c * mean_u * mean_u - 2 * b * mean_u * mean_v + a * mean_v * mean_v;
    lanes_f32 rest = 1 / fn + lean / determinant, share = fn / most;
    write(variance, rest);
    write(neighbors, share);
  }
}

PLB_CLONES
void plb_stereo_quantize(
    const float *row, ptrdiff_t count, float scale, float offset, int16_t *result) {
  for (ptrdiff_t x = 0; x < count; x++) {
    float value = (row[x] - offset) / scale;
    // NaN fails both comparisons.
    int32_t fits = value >= -32766 && value <= 32766;
    result[x] = (int16_t)(fits ? (int32_t)floorf(value + 0.5f) : PLB_PLANE_MISSING);
  }
}
