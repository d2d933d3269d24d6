#include "blur_kernels.h"
#include "four_floats.h"

#pragma STDC FP_CONTRACT OFF

void plb_blur_running(const float *cells, ptrdiff_t count, float *result) {
  four sum = splat(0);
  store(result, sum);
  for (ptrdiff_t i = 0; i < count; i++) {
    sum += load(cells + 4 * i);
    store(result + 4 * i + 4, sum);
  }
}

PLB_CLONES
void plb_blur_spans(
    const float *sums, ptrdiff_t stride, const plb_blur_span *spans, int32_t count, float scale,
    ptrdiff_t cells, float *result) {
  for (ptrdiff_t i = 0; i < 4 * cells; i++) result[i] = 0;
  for (int32_t k = 0; k < count; k++) {
    const float *right = sums + 4 * (spans[k].row * stride + spans[k].right);
    const float *left = sums + 4 * (spans[k].row * stride + spans[k].left);
    float a = spans[k].right_share, b = spans[k].left_share;
    for (ptrdiff_t i = 0; i < 4 * cells; i++) {
      float end = right[i] + (right[i + 4] - right[i]) * a;
      float begin = left[i] + (left[i + 4] - left[i]) * b;
      result[i] += end - begin;
    }
  }
  for (ptrdiff_t i = 0; i < 4 * cells; i++) result[i] *= scale;
}

static inline void over(four value, float *place) {
  four below = load(place);
  float room = 1 - below[3];
  // Where blur changes along a surface its layers leave a little room, which is not to be seen through.
  if (room < 0.0625f) room *= room > 0 ? room * 16 : 0;
  // Surfaces beside each other share a pixel; what has no room left is hidden.
  if (value[3] > room) value *= splat(room > 0 ? room / value[3] : 0);
  store(place, below + value);
}

PLB_CLONES
void plb_blur_compose(
    const plb_blur_layer *layer, int32_t x, int32_t y, ptrdiff_t count, float *upsampled,
    float *light) {
  if (layer->level == 0) {
    const float *cells =
        layer->cells + 4 * ((ptrdiff_t)(y - layer->top) * layer->width + x - layer->left);
    for (ptrdiff_t i = 0; i < count; i++) over(load(cells + 4 * i), light + 4 * i);
    return;
  }
  int32_t side = 1 << layer->level, half = side / 2;
  // Centers matched: pixel x lies (x + ½)/side − ½ cells from the first.
  int32_t first = ((x - half) >> layer->level), up = ((y - half) >> layer->level);
  int32_t last = (int32_t)((x + count - 1 - half) >> layer->level) + 1;
  float down = ((float)(y - half - up * side) + 0.5f) / (float)side;
  const float *upper =
      layer->cells + 4 * ((ptrdiff_t)(up - layer->top) * layer->width + first - layer->left);
  const float *lower = upper + 4 * layer->width;
  ptrdiff_t cells = last - first + 1;
  float most = 0;
  for (ptrdiff_t i = 0; i < 4 * cells; i++)
    upsampled[i] = upper[i] + (lower[i] - upper[i]) * down;
  for (ptrdiff_t i = 0; i < cells; i++)
    most = most > upsampled[4 * i + 3] ? most : upsampled[4 * i + 3];
  if (!(most > 0)) return;
  float step = 1 / (float)side;
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t from = (int32_t)(x + i) - half;
    int32_t cell = (from >> layer->level) - first;
    float share = ((float)(from & (side - 1)) + 0.5f) * step;
    four a = load(upsampled + 4 * cell), b = load(upsampled + 4 * cell + 4);
    over(a + (b - a) * splat(share), light + 4 * i);
  }
}

void plb_blur_encode(
    const float *light, const uint8_t *codes, const uint8_t *original, ptrdiff_t count,
    uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    four value = load(light + 4 * i);
    if (!(value[3] > 0.001f)) {
      memcpy(result + 3 * i, original + 3 * i, 3);
      continue;
    }
    four at = value * splat(65535 / value[3]) + splat(0.5f);
    for (int k = 0; k < 3; k++) {
      float index = at[k] < 65535 ? at[k] : 65535;
      result[3 * i + k] = codes[(int32_t)(index > 0 ? index : 0)];
    }
  }
}

void plb_blur_extremes(
    const float *disparity, ptrdiff_t stride, int32_t width, int32_t rows, int32_t side,
    float missing, float *least, float *most) {
  int32_t cells = (width + side - 1) / side;
  for (int32_t y = 0; y < rows; y++) {
    const float *row = disparity + y * stride;
    for (int32_t cell = 0; cell < cells; cell++) {
      int32_t start = cell * side, end = start + side < width ? start + side : width;
      float low = y ? least[cell] : row[start], high = y ? most[cell] : row[start];
      low = low == low ? low : missing;
      high = high == high ? high : missing;
      for (int32_t x = start; x < end; x++) {
        float value = row[x] == row[x] ? row[x] : missing;
        low = value < low ? value : low;
        high = value > high ? value : high;
      }
      least[cell] = low;
      most[cell] = high;
    }
  }
}

void plb_blur_far_light(
    const uint8_t *color, const float *disparity, ptrdiff_t stride, int32_t width, int32_t rows,
    const float *linear, float limit, float *light) {
  four sum = splat(0);
  for (int32_t y = 0; y < rows; y++) {
    for (int32_t x = 0; x < width; x++) {
      if (disparity[y * stride + x] > limit) continue;
      const uint8_t *codes = color + 3 * (y * stride + x);
      sum += (four){linear[codes[0]], linear[codes[1]], linear[codes[2]], 1};
    }
  }
  store(light, sum[3] > 0 ? sum / splat(sum[3]) : sum);
}

void plb_blur_side_lights(
    const uint8_t *color, const uint8_t *coverage, ptrdiff_t stride, int32_t width, int32_t rows,
    const float *linear, int32_t least, float *far, float *near) {
  four sums[2] = {splat(0), splat(0)};
  for (int32_t y = 0; y < rows; y++) {
    for (int32_t x = 0; x < width; x++) {
      int32_t cover = coverage[y * stride + x];
      if (cover < least || cover > 255 - least || (cover > 25 && cover < 230)) continue;
      const uint8_t *codes = color + 3 * (y * stride + x);
      sums[cover > 25] += (four){linear[codes[0]], linear[codes[1]], linear[codes[2]], 1};
    }
  }
  float enough = (float)(width * rows) / 8;
  store(far, sums[0][3] >= enough ? sums[0] / splat(sums[0][3]) : splat(0));
  store(near, sums[1][3] >= enough ? sums[1] / splat(sums[1][3]) : splat(0));
}
