#include "CStereoKernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { STRIP = 16 };

PLB_STEREO_CLONES
void plb_stereo_smooth(
    const float *row, ptrdiff_t stride, ptrdiff_t count, int32_t radius, float tolerance,
    float *result) {
  for (ptrdiff_t start = 0; start < count; start += STRIP) {
    float n[STRIP] = {0}, u1[STRIP] = {0}, v1[STRIP] = {0}, uu[STRIP] = {0}, uv[STRIP] = {0},
          vv[STRIP] = {0}, d1[STRIP] = {0}, ud[STRIP] = {0}, vd[STRIP] = {0};
    // The caller's rows are padded, so a last strip may read beyond the end; it writes no farther.
    const float *center = row + start;
    for (int32_t v = -radius; v <= radius; v += PLB_PLANE_STEP) {
      // Sums of a row first: what only v scales is scaled once.
      float one[STRIP] = {0}, u[STRIP] = {0}, square[STRIP] = {0}, d[STRIP] = {0},
            product[STRIP] = {0};
      for (int32_t offset = -radius; offset <= radius; offset += PLB_PLANE_STEP) {
        const float *other = center + v * stride + offset;
        float du = (float)offset;
        for (int i = 0; i < STRIP; i++) {
          float difference = other[i] - center[i];
          int near = fabsf(difference) <= tolerance;
          one[i] += near ? 1.0f : 0.0f;
          u[i] += near ? du : 0.0f;
          square[i] += near ? du * du : 0.0f;
          d[i] += near ? difference : 0.0f;
          product[i] += near ? difference * du : 0.0f;
        }
      }
      float dv = (float)v;
      for (int i = 0; i < STRIP; i++) {
        n[i] += one[i];
        u1[i] += u[i];
        uu[i] += square[i];
        d1[i] += d[i];
        ud[i] += product[i];
        v1[i] += dv * one[i];
        vv[i] += dv * dv * one[i];
        uv[i] += dv * u[i];
        vd[i] += dv * d[i];
      }
    }
    for (int i = 0; i < STRIP && start + i < count; i++) {
      float mean_u = u1[i] / n[i], mean_v = v1[i] / n[i], mean = d1[i] / n[i];
      // Half a pixel of variance keeps few or collinear neighbors from making any slope.
      float a = uu[i] - u1[i] * mean_u + 0.5f * n[i], b = uv[i] - u1[i] * mean_v,
            c = vv[i] - v1[i] * mean_v + 0.5f * n[i];
      float e = ud[i] - u1[i] * mean, f = vd[i] - v1[i] * mean;
      float determinant = a * c - b * b;
      float slope_u = (e * c - f * b) / determinant, slope_v = (a * f - b * e) / determinant;
      result[start + i] = center[i] + (mean - slope_u * mean_u - slope_v * mean_v);
    }
  }
}
