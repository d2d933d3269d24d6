#include "parallax_kernels.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

static inline int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static inline float lower(float a, float b) { return a < b ? a : b; }

// Van Herk's two running minima per block of the window's length, of `lanes` columns at once.
static inline __attribute__((always_inline)) void running_least(
    const float *source, ptrdiff_t pitch, int32_t count, int32_t lanes, int32_t radius,
    float *scratch, float *result) {
  int32_t window = 2 * radius + 1;
  float *ahead = scratch, *back = scratch + (ptrdiff_t)count * lanes;
  for (int32_t i = 0; i < count; i++)
    for (int32_t k = 0; k < lanes; k++) {
      float value = source[i * pitch + k];
      ahead[i * lanes + k] = i % window ? lower(ahead[(i - 1) * lanes + k], value) : value;
    }
  for (int32_t i = count - 1; i >= 0; i--)
    for (int32_t k = 0; k < lanes; k++) {
      float value = source[i * pitch + k];
      int last = i == count - 1 || (i + 1) % window == 0;
      back[i * lanes + k] = last ? value : lower(back[(i + 1) * lanes + k], value);
    }
  for (int32_t i = 0; i < count; i++) {
    int32_t start = most(i - radius, 0), end = least(i + radius, count - 1);
    for (int32_t k = 0; k < lanes; k++) {
      float value = ahead[end * lanes + k];
      // In one block the window starts with it, or ends with the last pixel.
      int same = start / window == end / window, leads = start % window == 0;
      float before = back[start * lanes + k];
      result[i * pitch + k] = !same ? lower(value, before) : leads ? value : before;
    }
  }
}

PLB_MASK_CLONES
void plb_parallax_least_rows(
    const float *source, int32_t width, int32_t radius, int32_t first, int32_t end, float *scratch,
    float *result) {
  for (int32_t y = first; y < end; y++)
    running_least(
        source + (ptrdiff_t)y * width, 1, width, 1, radius, scratch,
        result + (ptrdiff_t)y * width);
}

PLB_MASK_CLONES
void plb_parallax_least_columns(
    const float *source, int32_t width, int32_t height, int32_t radius, int32_t first, int32_t end,
    float *scratch, float *result) {
  for (int32_t x = first; x < end; x += 16)
    running_least(source + x, width, height, least(16, end - x), radius, scratch, result + x);
}

void plb_parallax_greatest(
    const float *disparity, int32_t width, int32_t height, int32_t side, int32_t first,
    int32_t end, float *result) {
  int32_t columns = (width + side - 1) / side;
  for (int32_t row = first; row < end; row++)
    for (int32_t column = 0; column < columns; column++) {
      float greatest = -INFINITY;
      for (int32_t y = row * side; y < least((row + 1) * side, height); y++)
        for (int32_t x = column * side; x < least((column + 1) * side, width); x++) {
          float value = disparity[(ptrdiff_t)y * width + x];
          greatest = value > greatest ? value : greatest;
        }
      result[(ptrdiff_t)row * columns + column] = greatest;
    }
}

PLB_MASK_CLONES
void plb_parallax_far(
    const float *disparity, const float *least, ptrdiff_t count, float step, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) result[i] = disparity[i] - least[i] <= step;
}

void plb_parallax_pull_first(
    const uint8_t *color, const float *disparity, const uint8_t *known, int32_t width,
    int32_t height, int32_t first, int32_t end, float *result, float *weights) {
  int32_t columns = (width + 1) / 2;
  for (int32_t row = first; row < end; row++) {
    for (int32_t column = 0; column < columns; column++) {
      float sum[4] = {0, 0, 0, 0}, weight = 0;
      for (int32_t y = 2 * row; y < least(2 * row + 2, height); y++)
        for (int32_t x = 2 * column; x < least(2 * column + 2, width); x++) {
          ptrdiff_t at = (ptrdiff_t)y * width + x;
          if (!known[at]) continue;
          for (int k = 0; k < 3; k++) sum[k] += color[3 * at + k];
          sum[3] += disparity[at];
          weight += 1;
        }
      ptrdiff_t target = (ptrdiff_t)row * columns + column;
      float share = weight > 0 ? 1 / weight : 0;
      for (int k = 0; k < 4; k++) result[4 * target + k] = sum[k] * share;
      weights[target] = weight * 0.25f;
    }
  }
}

void plb_parallax_pull(
    const float *source, const float *source_weights, int32_t width, int32_t height, int32_t first,
    int32_t end, float *result, float *weights) {
  int32_t columns = (width + 1) / 2;
  for (int32_t row = first; row < end; row++) {
    for (int32_t column = 0; column < columns; column++) {
      float sum[4] = {0, 0, 0, 0}, weight = 0;
      for (int32_t y = 2 * row; y < least(2 * row + 2, height); y++)
        for (int32_t x = 2 * column; x < least(2 * column + 2, width); x++) {
          ptrdiff_t at = (ptrdiff_t)y * width + x;
          for (int k = 0; k < 4; k++) sum[k] += source[4 * at + k] * source_weights[at];
          weight += source_weights[at];
        }
      ptrdiff_t target = (ptrdiff_t)row * columns + column;
      float share = weight > 0 ? 1 / weight : 0;
      for (int k = 0; k < 4; k++) result[4 * target + k] = sum[k] * share;
      // One known pixel of four counts in full on the next level: holes take what is closest.
      weights[target] = weight < 1 ? weight : 1;
    }
  }
}

// The coarse level at a pixel of the level below, a quarter of a pixel off its centers.
static inline __attribute__((always_inline)) void coarse_at(
    const float *coarse, int32_t width, int32_t height, int32_t x, int32_t y, float *result) {
  int32_t left = x / 2, top = y / 2;
  int32_t beside = most(least(left + (x % 2 ? 1 : -1), width - 1), 0);
  int32_t below = most(least(top + (y % 2 ? 1 : -1), height - 1), 0);
  const float *a = coarse + 4 * ((ptrdiff_t)top * width + left);
  const float *b = coarse + 4 * ((ptrdiff_t)top * width + beside);
  const float *c = coarse + 4 * ((ptrdiff_t)below * width + left);
  const float *d = coarse + 4 * ((ptrdiff_t)below * width + beside);
  for (int k = 0; k < 4; k++)
    result[k] = 0.75f * (0.75f * a[k] + 0.25f * b[k]) + 0.25f * (0.75f * c[k] + 0.25f * d[k]);
}

void plb_parallax_push(
    const float *coarse, int32_t coarse_width, int32_t coarse_height, int32_t width, int32_t first,
    int32_t end, float *level, const float *weights) {
  for (int32_t y = first; y < end; y++)
    for (int32_t x = 0; x < width; x++) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      float weight = weights[at], value[4];
      if (weight >= 1) continue;
      coarse_at(coarse, coarse_width, coarse_height, x, y, value);
      for (int k = 0; k < 4; k++)
        level[4 * at + k] = level[4 * at + k] * weight + value[k] * (1 - weight);
    }
}

void plb_parallax_push_last(
    const float *coarse, int32_t coarse_width, int32_t coarse_height, const uint8_t *known,
    int32_t width, int32_t first, int32_t end, uint8_t *color, float *disparity) {
  for (int32_t y = first; y < end; y++)
    for (int32_t x = 0; x < width; x++) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      float value[4];
      if (known[at]) continue;
      coarse_at(coarse, coarse_width, coarse_height, x, y, value);
      for (int k = 0; k < 3; k++) color[3 * at + k] = (uint8_t)(int32_t)(value[k] + 0.5f);
      disparity[at] = value[3];
    }
}

static inline ptrdiff_t nearest_pixel(const plb_parallax *view, float x, float y) {
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  x = x > 0 ? (x < right ? x : right) : 0;
  y = y > 0 ? (y < bottom ? y : bottom) : 0;
  return (ptrdiff_t)(int32_t)(y + 0.5f) * view->width + (int32_t)(x + 0.5f);
}

// Four pixels around a place and their shares.
typedef struct {
  ptrdiff_t at[4];
  float share[4];
} corners;

static inline corners corners_at(const plb_parallax *view, float x, float y) {
  float right = (float)(view->width - 1), bottom = (float)(view->height - 1);
  x = x > 0 ? (x < right ? x : right) : 0;
  y = y > 0 ? (y < bottom ? y : bottom) : 0;
  int32_t left = (int32_t)x, top = (int32_t)y;
  int32_t beside = least(left + 1, view->width - 1), below = least(top + 1, view->height - 1);
  float across = x - (float)left, down = y - (float)top;
  ptrdiff_t row = (ptrdiff_t)top * view->width, next = (ptrdiff_t)below * view->width;
  return (corners){
      {row + left, row + beside, next + left, next + beside},
      {(1 - across) * (1 - down), across * (1 - down), (1 - across) * down, across * down}};
}

// The color of one surface of a layer at about a disparity, found by its pixel.
static inline void take(
    const plb_parallax *view, const uint8_t *color, const float *disparity, float x, float y,
    float found, uint8_t *result) {
  // First the disparity between pixels, so that slopes move without steps; then the color.
  for (int round = 0; round < 2; round++) {
    float off = found - view->focus;
    corners place = corners_at(view, x - view->shift_x * off, y - view->shift_y * off);
    float sum = 0, total = 0, shares[4];
    for (int k = 0; k < 4; k++) {
      float ahead = disparity[place.at[k]] - found;
      shares[k] = fabsf(ahead) <= view->step ? place.share[k] : 0;
      sum += ahead * shares[k];
      total += shares[k];
    }
    if (!(total > 1e-6f)) {
      ptrdiff_t at = nearest_pixel(view, x - view->shift_x * off, y - view->shift_y * off);
      memcpy(result, color + 3 * at, 3);
      return;
    }
    float more = sum / total;
    if (round == 0 && more != 0) {
      found += more;
      continue;
    }
    for (int c = 0; c < 3; c++) {
      float mean = 0;
      for (int k = 0; k < 4; k++) mean += color[3 * place.at[k] + c] * shares[k];
      result[c] = (uint8_t)(int32_t)(mean / total + 0.5f);
    }
    return;
  }
}

void plb_parallax_view(
    const plb_parallax *view, int32_t first, int32_t end, uint8_t *result) {
  float across = fabsf(view->shift_x), down = fabsf(view->shift_y);
  float reach = across > down ? across : down;
  float range = view->nearest - view->farthest;
  int32_t count = (int32_t)ceilf(reach * range) + 1;
  float drop = range / (float)count;
  // A surface that is met at its side, not its face, hides what is looked for.
  float side = drop + view->step;
  int32_t squares = (view->width + view->side - 1) / view->side;
  for (int32_t row = first; row < end; row++) {
    const float *bounds = view->bounds + (ptrdiff_t)(row / view->side) * squares;
    for (int32_t column = 0; column < view->width; column++) {
      uint8_t *target = result + 3 * ((ptrdiff_t)row * view->width + column);
      float x = (float)column, y = (float)row;
      const uint8_t *color = view->color;
      const float *layer = view->disparity;
      float found = view->farthest;
      // The last level before the bound, less one for rounding.
      float before = drop > 0 ? (view->nearest - bounds[column / view->side]) / drop - 1 : 0;
      int32_t start = before > 0 ? (before < (float)count ? (int32_t)before : count) : 0;
      for (int32_t k = start; k <= count; k++) {
        float level = view->nearest - (float)k * drop, off = level - view->focus;
        ptrdiff_t at = nearest_pixel(view, x - view->shift_x * off, y - view->shift_y * off);
        float value = layer[at];
        if (value < level && k < count) continue;
        if (value - level > side && layer == view->disparity) {
          color = view->far_color;
          layer = view->far_disparity;
          value = layer[at];
          if (value < level && k < count) continue;
        }
        found = value - level > side ? level : value;
        break;
      }
      take(view, color, layer, x, y, found, target);
    }
  }
}

PLB_MASK_CLONES
void plb_parallax_anaglyph(
    const uint8_t *left, const uint8_t *right, ptrdiff_t count, const int32_t *matrix,
    const uint16_t *linear, const uint8_t *codes, uint8_t *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t light[6];
    for (int k = 0; k < 3; k++) {
      light[k] = linear[left[3 * i + k]];
      light[3 + k] = linear[right[3 * i + k]];
    }
    for (int k = 0; k < 3; k++) {
      int32_t sum = 500;
      for (int c = 0; c < 6; c++) sum += matrix[6 * k + c] * light[c];
      sum /= 1000;
      result[3 * i + k] = codes[sum > 0 ? (sum < 65535 ? sum : 65535) : 0];
    }
  }
}
