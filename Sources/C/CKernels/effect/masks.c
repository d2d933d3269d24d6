#include <math.h>
#include <string.h>

#include "mask_kernels.h"

#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

// False for NaN and infinities.
static inline int is_finite(float value) { return fabsf(value) < INFINITY; }

PLB_CLONES
void plb_mask_clean(
    const float *source, ptrdiff_t count, float floor, float replacement, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i] > floor ? source[i] : floor;
    result[i] = is_finite(source[i]) ? value : replacement;
  }
}

PLB_CLONES
void plb_mask_range(const float *source, ptrdiff_t count, float *least, float *maximum) {
  float low = INFINITY, high = -INFINITY;
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i];
    low = is_finite(value) && value < low ? value : low;
    high = is_finite(value) && value > high ? value : high;
  }
  *least = low;
  *maximum = high;
}

void plb_mask_histogram(
    const float *source, ptrdiff_t count, float least, float maximum, int32_t bins,
    int64_t *result) {
  memset(result, 0, sizeof(int64_t) * (size_t)bins);
  float scale = maximum > least ? (float)bins / (maximum - least) : 0;
  if (!is_finite(scale)) scale = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    if (!is_finite(source[i])) continue;
    float place = (source[i] - least) * scale;
    int32_t bin = place >= (float)bins ? bins - 1 : place > 0 ? (int32_t)place : 0;
    result[bin]++;
  }
}

static inline float unit(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

PLB_CLONES
void plb_mask_ramp(
    const float *disparity, ptrdiff_t count, float middle, float slope, uint16_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float share = unit((disparity[i] - middle) * slope + 0.5f);
    float level = is_finite(disparity[i]) ? share * (255 * PLB_GUIDED_SCALE) + 0.5f : 0;
    result[i] = (uint16_t)(int32_t)level;
  }
}

PLB_CLONES
void plb_mask_band(
    const float *disparity, ptrdiff_t count, float farthest, float nearest, float slope,
    uint16_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float above = unit((disparity[i] - farthest) * slope + 0.5f);
    float below = unit((nearest - disparity[i]) * slope + 0.5f);
    float share = above < below ? above : below;
    float level = is_finite(disparity[i]) ? share * (255 * PLB_GUIDED_SCALE) + 0.5f : 0;
    result[i] = (uint16_t)(int32_t)level;
  }
}

PLB_CLONES
void plb_mask_codes(
    const float *levels, ptrdiff_t count, float low, float high, uint8_t *result) {
  float scale = 255 / (high - low);
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = (levels[i] * (1.0f / PLB_GUIDED_SCALE) - low) * scale;
    value = value > 0 ? (value < 255 ? value : 255) : 0;
    result[i] = (uint8_t)(int32_t)(value + 0.5f);
  }
}

static inline int64_t place(int32_t index, int32_t from, int32_t to) {
  // In 1/65536 of a pixel, centers matched, within the image.
  int64_t at = ((2 * (int64_t)index + 1) * from * 32768) / to - 32768;
  int64_t limit = (int64_t)(from - 1) * 65536;
  return at < 0 ? 0 : at > limit ? limit : at;
}

void plb_mask_resize(
    const uint8_t *source, ptrdiff_t stride, int32_t width, int32_t height, int32_t channels,
    int32_t new_width, int32_t new_height, int32_t first, int32_t end, uint8_t *result) {
  for (int32_t y = first; y < end; y++) {
    int64_t down = place(y, height, new_height);
    int32_t top = (int32_t)(down >> 16), bottom = least(top + 1, height - 1);
    uint32_t lower = (uint32_t)(down & 65535) >> 8, upper = 256 - lower;
    const uint8_t *above = source + (ptrdiff_t)top * stride * channels;
    const uint8_t *below = source + (ptrdiff_t)bottom * stride * channels;
    uint8_t *target = result + (ptrdiff_t)y * new_width * channels;
    for (int32_t x = 0; x < new_width; x++) {
      int64_t across = place(x, width, new_width);
      int32_t left = (int32_t)(across >> 16), right = least(left + 1, width - 1);
      uint32_t far = (uint32_t)(across & 65535) >> 8, near = 256 - far;
      for (int32_t k = 0; k < channels; k++) {
        uint32_t high = above[left * channels + k] * near + above[right * channels + k] * far;
        uint32_t low = below[left * channels + k] * near + below[right * channels + k] * far;
        target[x * channels + k] = (uint8_t)((high * upper + low * lower + 32768) >> 16);
      }
    }
  }
}

void plb_mask_box_rows(
    const uint8_t *source, int32_t width, int32_t channels, int32_t radius, int32_t first,
    int32_t end, uint8_t *result) {
  uint32_t count = 2 * (uint32_t)radius + 1;
  // Rounded division by a constant: exact for sums below 2²⁴.
  uint64_t inverse = ((uint64_t)1 << 40) / count + 1;
  for (int32_t y = first; y < end; y++) {
    for (int32_t k = 0; k < channels; k++) {
      const uint8_t *row = source + (ptrdiff_t)y * width * channels + k;
      uint8_t *target = result + (ptrdiff_t)y * width * channels + k;
      uint32_t sum = row[0] * (uint32_t)radius;
      for (int32_t x = 0; x <= radius; x++) sum += row[channels * least(x, width - 1)];
      for (int32_t x = 0; x < width; x++) {
        target[channels * x] = (uint8_t)(((uint64_t)(sum + count / 2) * inverse) >> 40);
        sum += row[channels * least(x + radius + 1, width - 1)];
        sum -= row[channels * most(x - radius, 0)];
      }
    }
  }
}

PLB_CLONES
void plb_mask_box_columns(
    const uint8_t *source, int32_t row, int32_t height, int32_t radius, int32_t first, int32_t end,
    uint32_t *sums, uint8_t *result) {
  uint32_t count = 2 * (uint32_t)radius + 1;
  uint64_t inverse = ((uint64_t)1 << 40) / count + 1;
  memset(sums, 0, sizeof(uint32_t) * (size_t)row);
  for (int32_t y = first - radius; y <= first + radius; y++) {
    const uint8_t *line = source + (ptrdiff_t)most(least(y, height - 1), 0) * row;
    for (int32_t x = 0; x < row; x++) sums[x] += line[x];
  }
  for (int32_t y = first; y < end; y++) {
    uint8_t *target = result + (ptrdiff_t)y * row;
    const uint8_t *next = source + (ptrdiff_t)least(y + radius + 1, height - 1) * row;
    const uint8_t *last = source + (ptrdiff_t)most(y - radius, 0) * row;
    for (int32_t x = 0; x < row; x++) {
      target[x] = (uint8_t)(((uint64_t)(sums[x] + count / 2) * inverse) >> 40);
      sums[x] += (uint32_t)next[x] - last[x];
    }
  }
}

// (value + 127) / 255 for values up to 255².
static inline uint8_t shared(uint32_t value) {
  uint32_t sum = value + 128;
  return (uint8_t)((sum + (sum >> 8)) >> 8);
}

PLB_CLONES
void plb_mask_blend(
    const uint8_t *restrict front, const uint8_t *restrict back,
    const uint8_t *restrict coverage, ptrdiff_t count, uint8_t *restrict result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t level = coverage[i], rest = 255 - level;
    result[3 * i] = shared(front[3 * i] * level + back[3 * i] * rest);
    result[3 * i + 1] = shared(front[3 * i + 1] * level + back[3 * i + 1] * rest);
    result[3 * i + 2] = shared(front[3 * i + 2] * level + back[3 * i + 2] * rest);
  }
}

PLB_CLONES
void plb_mask_blend_color(
    const uint8_t *restrict front, const uint8_t *restrict color,
    const uint8_t *restrict coverage, ptrdiff_t count, uint8_t *restrict result) {
  uint32_t red = color[0], green = color[1], blue = color[2];
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t level = coverage[i], rest = 255 - level;
    result[3 * i] = shared(front[3 * i] * level + red * rest);
    result[3 * i + 1] = shared(front[3 * i + 1] * level + green * rest);
    result[3 * i + 2] = shared(front[3 * i + 2] * level + blue * rest);
  }
}

PLB_CLONES
void plb_mask_desaturate(
    const uint8_t *restrict image, const uint8_t *restrict coverage, ptrdiff_t count,
    uint8_t *restrict result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t red = image[3 * i], green = image[3 * i + 1], blue = image[3 * i + 2];
    // 0.2126, 0.7152 and 0.0722 in 1/65536; they sum to 65536.
    uint32_t gray = (red * 13933 + green * 46871 + blue * 4732 + 32768) >> 16;
    uint32_t level = coverage[i], rest = 255 - level;
    result[3 * i] = shared(red * level + gray * rest);
    result[3 * i + 1] = shared(green * level + gray * rest);
    result[3 * i + 2] = shared(blue * level + gray * rest);
  }
}

PLB_CLONES
void plb_mask_rose(
    const uint8_t *restrict image, const uint8_t *restrict coverage, ptrdiff_t count,
    uint8_t *restrict result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    result[3 * i] = image[3 * i];
    result[3 * i + 1] = shared(image[3 * i + 1] * (255u - coverage[i]));
    result[3 * i + 2] = image[3 * i + 2];
  }
}

PLB_CLONES
void plb_mask_steady(
    const float *restrict disparity, ptrdiff_t count, float share, float step,
    float *restrict state) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = disparity[i], last = state[i];
    float mixed = last + (value - last) * share;
    float next = fabsf(value - last) < step ? mixed : value;
    state[i] = is_finite(value) ? next : last;
  }
}

PLB_CLONES
void plb_mask_hide(const uint8_t *restrict coverage, ptrdiff_t count, uint8_t *restrict image) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint8_t kept = coverage[i] ? 255 : 0;
    image[3 * i] &= kept;
    image[3 * i + 1] &= kept;
    image[3 * i + 2] &= kept;
  }
}
