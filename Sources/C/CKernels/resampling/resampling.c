#include "resampling_kernels.h"

#include <math.h>
#include <string.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_lens_row(
    const plb_lens *lens, const float *table, float first_x, float y, ptrdiff_t count,
    float *positions) {
  const float step = lens->step, scale = lens->scale_x, limit = (float)lens->last;
  const float center_x = lens->center_x, center_y = lens->center_y;
  const int32_t last_piece = lens->last - 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    float x = first_x + (float)(int32_t)i * scale;
    float place = (x * x + y * y) * step;
    // This order of comparison makes NaN the last piece.
    place = place < limit ? place : limit;
    int32_t piece = (int32_t)place;
    piece = piece < last_piece ? piece : last_piece;
    float magnification = table[piece] + (table[piece + 1] - table[piece]) * (place - (float)piece);
    positions[2 * i] = center_x + (x + x * magnification);
    positions[2 * i + 1] = center_y + (y + y * magnification);
  }
}

static inline float clamped(float value, float last) {
  float low = value > 0 ? value : 0;
  return low < last ? low : last;
}

PLB_CLONES
void plb_bilinear_weights(
    const float *positions, ptrdiff_t count, int32_t width, int32_t height, int32_t *indices,
    uint32_t *weights) {
  const float last_x = (float)(width - 1), last_y = (float)(height - 1);
  for (ptrdiff_t i = 0; i < count; i++) {
    float x = positions[2 * i], y = positions[2 * i + 1];
    // False for NaN.
    int inside = (x >= -0.5f) & (x <= last_x + 0.5f) & (y >= -0.5f) & (y <= last_y + 0.5f);
    x = clamped(x, last_x);
    y = clamped(y, last_y);
    int32_t column = (int32_t)x, row = (int32_t)y;
    column = column < width - 2 ? column : width - 2;
    row = row < height - 2 ? row : height - 2;
    float right = x - (float)column, below = y - (float)row;
    // Rounded so that the four are 255 in all: the two rows first, then each row's two columns.
    int32_t lower = (int32_t)(below * 255.0f + 0.5f), upper = 255 - lower;
    int32_t lower_right = (int32_t)(right * (float)lower + 0.5f);
    int32_t upper_right = (int32_t)(right * (float)upper + 0.5f);
    indices[i] = inside ? row * width + column : -1;
    weights[i] = (uint32_t)(upper - upper_right) | (uint32_t)upper_right << 8
        | (uint32_t)(lower - lower_right) << 16 | (uint32_t)lower_right << 24;
  }
}

PLB_CLONES
void plb_nearest(
    const float *positions, ptrdiff_t count, int32_t width, int32_t height, int32_t *indices) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float x = positions[2 * i] + 0.5f, y = positions[2 * i + 1] + 0.5f;
    int inside = (x >= 0) & (x < (float)width) & (y >= 0) & (y < (float)height);
    int32_t column = (int32_t)(inside ? x : 0), row = (int32_t)(inside ? y : 0);
    indices[i] = inside ? row * width + column : -1;
  }
}

// Weighted sums are at most 255·255, so two of them fit into the halves of 32 bits. Adding a 256th
// of itself before dropping eight bits is the division by 255, rounded, exact in this range.
enum { BLOCK = 128 };

static inline uint16_t pair(const uint8_t *pixel) {
  uint16_t bytes;
  memcpy(&bytes, pixel, sizeof bytes);
  return bytes;
}

static inline uint32_t quad(const uint8_t *pixel) {
  uint32_t bytes;
  memcpy(&bytes, pixel, sizeof bytes);
  return bytes;
}

PLB_CLONES
void plb_bilinear_gray(
    const uint8_t *source, ptrdiff_t stride, const int32_t *indices, const uint32_t *weights,
    ptrdiff_t count, uint8_t *result) {
  uint16_t pixels[2 * BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    ptrdiff_t n = count - start < BLOCK ? count - start : BLOCK;
#pragma clang loop vectorize(disable) unroll_count(4)
    for (ptrdiff_t i = 0; i < n; i++) {
      const uint8_t *pixel = source + indices[start + i];
      pixels[2 * i] = pair(pixel);
      pixels[2 * i + 1] = pair(pixel + stride);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      uint32_t weight = weights[start + i];
      uint32_t above = pixels[2 * i], below = pixels[2 * i + 1];
      uint32_t sum = (above & 255) * (weight & 255) + (above >> 8) * (weight >> 8 & 255)
          + (below & 255) * (weight >> 16 & 255) + (below >> 8) * (weight >> 24) + 128;
      result[start + i] = (uint8_t)((sum + (sum >> 8)) >> 8);
    }
  }
}

PLB_CLONES
void plb_bilinear_rgb(
    const uint8_t *source, ptrdiff_t stride, const int32_t *indices, const uint32_t *weights,
    ptrdiff_t count, uint8_t *result) {
  enum { EVEN = 0x00FF00FF };
  uint32_t pixels[4][BLOCK], colors[BLOCK];
  for (ptrdiff_t start = 0; start < count; start += BLOCK) {
    ptrdiff_t n = count - start < BLOCK ? count - start : BLOCK;
#pragma clang loop vectorize(disable) unroll_count(4)
    for (ptrdiff_t i = 0; i < n; i++) {
      const uint8_t *pixel = source + 3 * (ptrdiff_t)indices[start + i];
      // The right neighbor is read with the byte before it, so that nothing past it is touched.
      pixels[0][i] = quad(pixel);
      pixels[1][i] = quad(pixel + 2) >> 8;
      pixels[2][i] = quad(pixel + 3 * stride);
      pixels[3][i] = quad(pixel + 3 * stride + 2) >> 8;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      uint32_t weight = weights[start + i];
      uint32_t w0 = weight & 255, w1 = weight >> 8 & 255, w2 = weight >> 16 & 255, w3 = weight >> 24;
      uint32_t red_blue = (pixels[0][i] & EVEN) * w0 + (pixels[1][i] & EVEN) * w1
          + (pixels[2][i] & EVEN) * w2 + (pixels[3][i] & EVEN) * w3 + 0x00800080;
      uint32_t green = (pixels[0][i] >> 8 & 255) * w0 + (pixels[1][i] >> 8 & 255) * w1
          + (pixels[2][i] >> 8 & 255) * w2 + (pixels[3][i] >> 8 & 255) * w3 + 128;
      red_blue = (red_blue + (red_blue >> 8 & EVEN)) >> 8 & EVEN;
      green = (green + (green >> 8)) & 0xFF00;
      colors[i] = red_blue | green;
    }
    uint8_t *rgb = result + 3 * start;
    // Each store also writes the first byte of the next pixel, which follows.
#pragma clang loop vectorize(disable) unroll_count(4)
    for (ptrdiff_t i = 0; i + 1 < n; i++) memcpy(rgb + 3 * i, &colors[i], 4);
    memcpy(rgb + 3 * (n - 1), &colors[n - 1], 3);
  }
}
