#include "blur_kernels.h"
#include "four_floats.h"

#pragma STDC FP_CONTRACT OFF

static inline void add(const plb_blur_layer *layer, int32_t x, int32_t y, four light) {
  int32_t column = (x >> layer->level) - layer->left, row = (y >> layer->level) - layer->top;
  if ((uint32_t)column >= (uint32_t)layer->width || (uint32_t)row >= (uint32_t)layer->height)
    return;
  if (!layer->cells) return;
  float *cell = layer->cells + 4 * ((ptrdiff_t)row * layer->width + column);
  store(cell, load(cell) + light);
}

static inline int32_t place_of(const plb_blur_law *law, float radius) {
  float at = radius * law->steps;
  float limit = (float)law->center;
  at = at > limit ? limit : at;
  // Written so that NaN is farthest.
  at = at >= -limit ? at : -limit;
  return law->center + (int32_t)(at >= 0 ? at + 0.5f : at - 0.5f);
}

static inline __attribute__((always_inline)) void spread(
    const plb_blur_law *law, float radius, int32_t x, int32_t y, four light) {
  const plb_blur_place *place = law->places + place_of(law, radius);
  const plb_blur_layer *layer = law->layers + place->layer;
  if (place->next > 0) {
    add(layer, x, y, light * splat(1 - place->next));
    add(layer + 1, x, y, light * splat(place->next));
  } else {
    add(layer, x, y, light);
  }
}

// Adds what is hidden behind a surface, but only to layers behind all of the surface's own, `margin` layers
// left out: in one of them it would not be behind, and shine through.
static inline void spread_behind(
    const plb_blur_law *law, float front, float radius, int32_t x, int32_t y, four light,
    int32_t margin) {
  const plb_blur_place *own = law->places + place_of(law, front);
  const plb_blur_place *place = law->places + place_of(law, radius);
  int32_t last = own->layer + (own->next > 0) + margin;
  if (place->layer > last) add(law->layers + place->layer, x, y, light * splat(1 - place->next));
  if (place->next > 0 && place->layer + 1 > last)
    add(law->layers + place->layer + 1, x, y, light * splat(place->next));
}

static inline int32_t least_of(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t most_of(int32_t a, int32_t b) { return a > b ? a : b; }

// The code from which on a color is clipped, wholly at 255; the radii from which on and up to which a circle shows
// more of a light, pixels.
enum { CLIPPED = 248, NO_DISC = 1, WHOLE_DISC = 3 };

// The light of a pixel whose true light the photo cut off: as bright as its gain map says, else as `highlights`.
//
// A single clipped color is sunlit skin or a colored wall more often than a lamp, whose middle is clipped in two at
// least. What is in focus stays as the photo has it.
static inline four clipped(
    const plb_blur_law *law, const uint8_t *color, const uint8_t *gain, four light, float radius) {
  int32_t middle = most_of(
      least_of(color[0], color[1]), least_of(most_of(color[0], color[1]), color[2]));
  float disc = ((radius < 0 ? -radius : radius) - NO_DISC) / (WHOLE_DISC - NO_DISC);
  if (middle < CLIPPED || !(law->highlights > 0) || !(disc > 0)) return light;
  float share = (float)(middle - CLIPPED + 1) / (256 - CLIPPED);
  float boost = (gain ? law->boosts[*gain] - 1 : law->highlights) * (disc < 1 ? disc : 1);
  // Brighter, but it covers no more: else the blur divides by what was added.
  four brighter = light * splat(1 + boost * share * share);
  brighter[3] = light[3];
  return brighter;
}

static inline four light_of(const plb_blur_law *law, const uint8_t *codes) {
  return (four){law->linear[codes[0]], law->linear[codes[1]], law->linear[codes[2]], 1};
}

static inline float product(four a, four b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline float radius_of(const plb_blur_law *law, float disparity) {
  return law->gain * (disparity - law->focus);
}

// How far from an edge a pixel is in the midst of its surface.
#define CLEARANCE 4

// Whether a pixel lies in the midst of one surface.
static inline int is_within(
    const plb_blur_law *law, const float *disparity, float radius, int32_t x, int32_t y) {
  const ptrdiff_t steps[2] = {1, law->width};
  const int32_t places[2] = {x, y}, sides[2] = {law->width, law->height};
  for (int axis = 0; axis < 2; axis++) {
    for (int32_t far = -CLEARANCE; far <= CLEARANCE; far++) {
      if (places[axis] + far < 0 || places[axis] + far >= sides[axis]) continue;
      float other = radius_of(law, disparity[far * steps[axis]]);
      if (!(other - radius <= law->gap && radius - other <= law->gap)) return 0;
    }
  }
  return 1;
}

// The light between four cells of the grid, those left out that have none; all 0 where all have none.
static inline four grid_light(
    const plb_blur_hidden *hidden, const float *cells, int32_t x, int32_t y) {
  float side = (float)(1 << hidden->level);
  float u = ((float)x + 0.5f) / side - 0.5f, v = ((float)y + 0.5f) / side - 0.5f;
  u = u > 0 ? u : 0;
  v = v > 0 ? v : 0;
  int32_t left = (int32_t)u, top = (int32_t)v;
  int32_t right = left + 1 < hidden->width ? left + 1 : left;
  int32_t bottom = top + 1 < hidden->height ? top + 1 : top;
  float a = u - (float)left, b = v - (float)top;
  const float *upper = cells + 4 * (ptrdiff_t)top * hidden->width;
  const float *lower = cells + 4 * (ptrdiff_t)bottom * hidden->width;
  four above = load(upper + 4 * left) * splat(1 - a) + load(upper + 4 * right) * splat(a);
  four below = load(lower + 4 * left) * splat(1 - a) + load(lower + 4 * right) * splat(a);
  four sum = above * splat(1 - b) + below * splat(b);
  return sum[3] > 0 ? sum / splat(sum[3]) : splat(0);
}

// The least share from `alpha` on that a surface in front of `back` covers, if its own light is neither
// below 0 nor above 1: mattes are soft on dark cloth and eyes too, through which nothing shines.
static inline float least_coverage(four light, four back, float alpha) {
  for (int k = 0; k < 3; k++) {
    if (light[k] < back[k] * (1 - alpha)) alpha = 1 - light[k] / back[k];
    if (light[k] - back[k] * (1 - alpha) > alpha) alpha = (light[k] - back[k]) / (1 - back[k]);
  }
  return alpha;
}

static inline four within(four light) {
  for (int k = 0; k < 3; k++) light[k] = light[k] > 0 ? (light[k] < 1 ? light[k] : 1) : 0;
  light[3] = 1;
  return light;
}

// How much what is known of the surface behind a coverage may be off, beside the one in front, in squares: it is
// smooth as a rule, and is blurred, while strands and frames differ from the surface that they are before.
#define BACK_SHARE 0.1f

// The lights of the two surfaces of a pixel of which the nearer covers `alpha`: as near as possible to those
// that are known of them around, and together the pixel's own. `trust` is by how much the one behind may be off
// beside the one in front, in squares. What one of both cannot have, being below 0 or above 1, the other gets.
// Source: least squares with a constraint; Germer et al., Fast multi-level foreground estimation, ICPR 2020,
// equation 2, with the surroundings as the only neighbor.
static inline void part_light(
    four light, float alpha, float trust, four *front, four *back) {
  float rest = 1 - alpha;
  for (int round = 0; round < 2; round++) {
    four off = light - *front * splat(alpha) - *back * splat(rest);
    off /= splat(alpha * alpha + trust * rest * rest);
    *front = within(*front + off * splat(alpha));
    *back = within(*back + off * splat(trust * rest));
  }
}

// The share of a pixel that a surface of one light covers before one of another, and in `off` how far the
// pixel's light is from what such a share explains, as a share of the lights' distance, squared.
static inline float explained_share(four light, four front, four back, float *off) {
  four way = front - back, own = light - back;
  float length = product(way, way), share = length > 1e-6f ? product(way, own) / length : 0;
  share = share > 0 ? (share < 1 ? share : 1) : 0;
  four rest = own - way * splat(share);
  *off = length > 1e-6f ? product(rest, rest) / length : 1;
  return share;
}

// How much of a pixel beside an edge the nearer surface covers, by where its light lies between that of
// the pixel before it and of the one two behind it; below 0 where that is unknown.
//
// `color` and `disparity` are at the pixel, `step` leads over the edge, `along` along it. Two neighbors
// on each side count too, as far as the edge goes on straight on both: texture is averaged, a slope
// cancels.
static inline float coverage(
    const plb_blur_law *law, const uint8_t *color, const float *disparity, ptrdiff_t step,
    ptrdiff_t along, int is_far) {
  float length = 0, part = 0;
  for (int off = 0; off <= 2; off++) {
    float lengths = 0, parts = 0;
    int is_straight = 1;
    for (int side = off ? -1 : 1; side <= 1; side += 2) {
      ptrdiff_t at = side * off * along;
      float jump = law->gain * (disparity[at + step] - disparity[at]);
      is_straight &= (is_far ? jump : -jump) > law->gap;
      four own = light_of(law, color + 3 * (at - step));
      four beyond = light_of(law, color + 3 * (at + 2 * step));
      four rest = is_far ? own : beyond;
      four way = (is_far ? beyond : own) - rest;
      lengths += product(way, way);
      parts += product(way, light_of(law, color + 3 * at) - rest);
    }
    if (!is_straight) break;
    length += lengths;
    part += parts;
  }
  // Surfaces of one color cannot be distinguished, and need not be.
  return length > 1e-4f ? part / length : -1;
}

// A pixel beside an edge is mixed already: it is parted into the two surfaces. Returns whether it was.
static __attribute__((noinline)) int part_edge(
    const plb_blur_law *law, const uint8_t *color, const float *disparity, float radius,
    float behind, int32_t x, int32_t y) {
  if (x < 2 || y < 2 || x >= law->width - 2 || y >= law->height - 2) return 0;
  const ptrdiff_t steps[4] = {-1, 1, -(ptrdiff_t)law->width, law->width};
  float most = radius, least = radius;
  ptrdiff_t nearer = 0, farther = 0;
  for (int k = 0; k < 4; k++) {
    float other = radius_of(law, disparity[x + steps[k]]);
    if (other > most) {
      most = other;
      nearer = steps[k];
    }
    if (other < least) {
      least = other;
      farther = steps[k];
    }
  }
  ptrdiff_t step = most - radius > radius - least ? nearer : farther;
  if (!((most - radius > radius - least ? most - radius : radius - least) > law->gap)) return 0;
  // Beyond the edge two pixels away, and one on this side: not mixed themselves.
  four light = light_of(law, color + 3 * x);
  four beyond = light_of(law, color + 3 * (x + 2 * step));
  four own = light_of(law, color + 3 * (x - step));
  int is_far = step == nearer;
  four front = is_far ? beyond : own, rest = is_far ? own : beyond;
  ptrdiff_t along = step == 1 || step == -1 ? law->width : 1;
  float alpha = coverage(law, color + 3 * x, disparity + x, step, along, is_far);
  if (is_far) {
    if (!(alpha > 0.02f)) return 0;
    alpha = alpha < 0.5f ? alpha : 0.5f;
  } else {
    if (!(alpha >= 0 && alpha < 0.98f)) return 0;
    alpha = alpha > 0.5f ? alpha : 0.5f;
  }
  part_light(light, alpha, 1, &front, &rest);
  if (is_far) {
    spread(law, most, x, y, front * splat(alpha));
    spread(law, radius, x, y, rest);
  } else {
    spread(law, radius, x, y, front * splat(alpha));
    spread_behind(law, radius, behind, x, y, rest, 0);
  }
  return 1;
}

PLB_CLONES
void plb_blur_scatter(
    const plb_blur_law *law, const plb_blur_hidden *hidden, const uint8_t *color,
    const float *disparity, const uint8_t *matte, const uint8_t *gain, int32_t row, int32_t start,
    int32_t end) {
  for (int32_t x = start; x < end; x++) {
    const uint8_t *codes = color + 3 * x;
    four light = light_of(law, codes);
    float radius = radius_of(law, disparity[x]);
    ptrdiff_t cell = (ptrdiff_t)(row >> hidden->level) * hidden->width + (x >> hidden->level);
    if (hidden->behind[cell] == hidden->behind[cell]) {
      float behind = radius_of(law, hidden->behind[cell]);
      float near = radius_of(law, hidden->near[cell]);
      four back = grid_light(hidden, hidden->light, x, row);
      four ahead = grid_light(hidden, hidden->front, x, row);
      float alpha = matte ? (float)matte[x] / 255 : 0;
      float least = alpha > 0.02f && alpha < 0.98f ? least_coverage(light, back, alpha) : alpha;
      if (alpha > 0.5f) alpha = least;
      // A pixel of the farther surface, or of the nearer one.
      int is_far = near - radius > law->gap;
      // What is behind has to be the surface that this one is mixed with: not one behind that.
      int is_mixed = is_far ? radius - behind <= law->gap : alpha < 0.98f;
      if (is_far && least - alpha >= 0.3f) {
        // Behind so little of the nearer surface the farther one has a light of its own, unless more of the
        // nearer one explains it.
        float off = 1, share = ahead[3] > 0 ? explained_share(light, ahead, back, &off) : 0;
        is_mixed &= off < 0.05f && share > alpha;
        alpha = share > alpha ? share : alpha;
      }
      if (alpha > 0.02f && is_mixed && near - behind > law->gap) {
        // The coverage says what part is the nearer surface; all of what is behind is there too.
        float front = is_far ? near : radius;
        float rest = is_far ? radius : behind;
        if (!(ahead[3] > 0)) ahead = within((light - back * splat(1 - alpha)) / splat(alpha));
        part_light(light, alpha, BACK_SHARE, &ahead, &back);
        spread(law, front, x, row, ahead * splat(alpha));
        spread_behind(law, front, rest, x, row, back, 0);
        continue;
      }
      // What a matte or the upsampling parts already is not parted by its neighbors once more.
      int is_parted = matte && matte[x] > 0 && matte[x] < 255;
      if (!is_parted && part_edge(law, color, disparity, radius, behind, x, row)) continue;
      if (radius - behind > law->gap) {
        // Away from edges a slope may take its neighbors to the next layer; what lies farther back is behind
        // that too.
        const plb_blur_place *own = law->places + place_of(law, radius);
        int is_close = law->places[place_of(law, behind)].layer < own->layer + 2 + (own->next > 0);
        int margin = is_close && is_within(law, disparity + x, radius, x, row);
        spread_behind(law, radius, behind, x, row, back, margin);
      }
    }
    spread(law, radius, x, row, clipped(law, codes, gain && law->boosts ? gain + x : 0, light, radius));
  }
}
