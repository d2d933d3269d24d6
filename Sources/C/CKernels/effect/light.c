#include "light_kernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// e^−x for x of 0 or more, to 3 units of the last place: 2^−n times a polynomial of the rest.
static inline __attribute__((always_inline)) float decay(float x) {
  x = x < 86 ? x : 86;
  float turns = floorf(x * 1.44269504f + 0.5f);
  float rest = x - turns * 0.693359375f + turns * 2.12194440e-4f;
  float r = -rest;
  float sum = 1 + r * (1 + r * (0.5f + r * (1.6666667e-1f + r * (4.1666668e-2f +
      r * (8.3333310e-3f + r * 1.3888889e-3f)))));
  union { uint32_t bits; float value; } power = {(uint32_t)(127 - (int32_t)turns) << 23};
  return sum * power.value;
}

PLB_CLONES
void plb_light_fog(
    const plb_fog *fog, const uint8_t *image, const float *disparity, int32_t row, int32_t width,
    uint8_t *result) {
  float y = ((float)row - fog->center_y) * fog->ray_y;
  for (int32_t i = 0; i < width; i++) {
    float x = ((float)i - fog->center_x) * fog->ray_x;
    float value = disparity[i];
    float depth = fog->scale > 0 ? (fog->near - value) * fog->scale : 1 / value;
    depth = depth > 0 ? (depth < 1e6f ? depth : 1e6f) : (fog->scale > 0 ? 0 : 1e6f);
    float thickness = fog->density * depth * sqrtf(1 + x * x + y * y);
    // Fog that thins with height: its mean along the ray is that at the camera times
    // (1 − e^−q) / q, q the ray's rise in units of the fog's height.
    float rise = (x * fog->up_x + y * fog->up_y) * depth * fog->thinning;
    float steep = fabsf(rise) < 60 ? fabsf(rise) : 60;
    float mean = steep > 1e-3f ? (1 - decay(steep)) / (steep > 1e-3f ? steep : 1) : 1 - steep * 0.5f;
    // Downwards it thickens: (e^q − 1) / q is e^q times the same.
    mean = rise < 0 ? mean / decay(steep) : mean;
    float through = decay(thickness * mean);
    for (int k = 0; k < 3; k++) {
      uint8_t code = image[3 * i + k];
      float level = (float)fog->linear[code] * through + fog->air[k] * (1 - through);
      // Where nothing is in between, the code itself.
      result[3 * i + k] = through == 1 ? code : fog->codes[(int32_t)(level + 0.5f)];
    }
  }
}

static inline int32_t within(int32_t value, int32_t end) {
  return value < 0 ? 0 : value >= end ? end - 1 : value;
}

PLB_CLONES
void plb_light_shade(const plb_relight *light, int32_t row, float *result) {
  int32_t above = within(row - 1, light->height), below = within(row + 1, light->height);
  const float *up = light->depth + (ptrdiff_t)above * light->width;
  const float *at = light->depth + (ptrdiff_t)row * light->width;
  const float *down = light->depth + (ptrdiff_t)below * light->width;
  float y = ((float)row - light->center_y) * light->ray_y;
  float y_up = ((float)above - light->center_y) * light->ray_y;
  float y_down = ((float)below - light->center_y) * light->ray_y;
  for (int32_t i = 0; i < light->width; i++) {
    int32_t left = within(i - 1, light->width), right = within(i + 1, light->width);
    float x = ((float)i - light->center_x) * light->ray_x, z = at[i];
    float x_left = ((float)left - light->center_x) * light->ray_x;
    float x_right = ((float)right - light->center_x) * light->ray_x;
    // Slopes within the noise of depth are flat: Wiener's share of the slope's square.
    float across = (at[right] - at[left]) / (x_right - x_left + 1e-20f);
    float along = (down[i] - up[i]) / (y_down - y_up + 1e-20f);
    float grade = (across * across + along * along) / (z * z);
    float doubt = light->noise * z / (2 * light->ray_x);
    float relief = light->relief * grade / (grade + doubt * doubt + 1e-20f);
    float zl = z + (at[left] - z) * relief, zr = z + (at[right] - z) * relief;
    float zu = z + (up[i] - z) * relief, zd = z + (down[i] - z) * relief;
    // Two tangents; their cross product points to the camera where the surface faces it.
    float ax = x_right * zr - x_left * zl, ay = y * (zr - zl), az = zr - zl;
    float bx = x * (zd - zu), by = y_down * zd - y_up * zu, bz = zd - zu;
    float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    // Toward the camera, that is, against the ray.
    if (nx * x + ny * y + nz > 0) {
      nx = -nx;
      ny = -ny;
      nz = -nz;
    }
    float length = sqrtf(nx * nx + ny * ny + nz * nz);
    float lx = light->light_x, ly = light->light_y, lz = light->light_z, strength = light->strength;
    if (light->is_point) {
      lx -= x * z;
      ly -= y * z;
      lz -= z;
      float squared = lx * lx + ly * ly + lz * lz;
      // Within a tenth of the reference the light grows no more.
      float floor = light->reference * light->reference * 0.01f;
      strength *= light->reference * light->reference / (squared > floor ? squared : floor);
      float inverse = squared > 0 ? 1 / sqrtf(squared) : 0;
      lx *= inverse;
      ly *= inverse;
      lz *= inverse;
    }
    float cosine = length > 0 ? (nx * lx + ny * ly + nz * lz) / length : 0;
    float lit = (cosine + light->wrap) / (1 + light->wrap);
    float share = strength * (lit > 0 ? lit : 0);
    result[i] = share < 1e4f ? share : 1e4f;
  }
}

PLB_CLONES
void plb_light_multiply(
    const uint16_t *linear, const uint8_t *codes, const uint8_t *image, const float *shares,
    const float *reliable, const float *ambient, const float *color, ptrdiff_t count,
    uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      float factor = ambient[k] * reliable[i] + color[k] * shares[i] + (1 - reliable[i]);
      float level = (float)linear[image[3 * i + k]] * factor;
      level = level > 0 ? (level < 65535 ? level : 65535) : 0;
      result[3 * i + k] = codes[(int32_t)(level + 0.5f)];
    }
}

static const float spline[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

// One pixel whose taps may lie beyond the border.
static float smooth_at_border(
    const float *const *rows, int32_t width, int32_t x, int32_t spacing, float scale) {
  float own = rows[2][x], sum = 0, total = 0;
  for (int32_t r = 0; r < 5; r++)
    for (int32_t c = 0; c < 5; c++) {
      float off = rows[r][within(x + (c - 2) * spacing, width)] - own, share = off * scale;
      float near = 1 - share * share;
      float weight = spline[r] * spline[c] * (near > 0 ? near * near : 0);
      sum += off * weight;
      total += weight;
    }
  return own + sum / total;
}

PLB_CLONES
void plb_light_smooth(
    const float *source, int32_t width, int32_t height, int32_t spacing, float step, int32_t first,
    int32_t end, float *result) {
  float scale = 1 / step;
  int32_t left = within(2 * spacing, width), right = width - 2 * spacing;
  right = right > left ? right : left;
  for (int32_t y = first; y < end; y++) {
    const float *rows[5];
    for (int32_t k = 0; k < 5; k++)
      rows[k] = source + (ptrdiff_t)within(y + (k - 2) * spacing, height) * width;
    float *restrict target = result + (ptrdiff_t)y * width;
    for (int32_t x = 0; x < left; x++)
      target[x] = smooth_at_border(rows, width, x, spacing, scale);
#pragma clang loop vectorize(enable)
    for (int32_t x = left; x < right; x++) {
      float own = rows[2][x], sum = 0, total = 0;
#pragma clang loop unroll(full)
      for (int32_t r = 0; r < 5; r++)
#pragma clang loop unroll(full)
        for (int32_t c = 0; c < 5; c++) {
          float off = rows[r][x + (c - 2) * spacing] - own, share = off * scale;
          float near = 1 - share * share;
          float weight = spline[r] * spline[c] * (near > 0 ? near * near : 0);
          sum += off * weight;
          total += weight;
        }
      target[x] = own + sum / total;
    }
    for (int32_t x = right; x < width; x++)
      target[x] = smooth_at_border(rows, width, x, spacing, scale);
  }
}
