#include "filter_kernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

// From a missing pixel go 16 rays; each takes the first measured pixels that it meets.
enum { RAYS = 16, SAMPLES = 4 };

static const int8_t ray_x[RAYS] = {2, 2, 2, 1, 0, -1, -2, -2, -2, -2, -2, -1, 0, 1, 2, 2};
static const int8_t ray_y[RAYS] = {0, 1, 2, 2, 2, 2, 2, 1, 0, -1, -2, -2, -2, -2, -2, -1};

// That of a difference of 52 codes where σ is 30.
#define LEAST_LIKENESS 0.1f

// A measured pixel as seen from the missing one.
typedef struct {
  float x, y, distance;  // pixels
  float value, sigma;    // of the inverse depth
  float likeness;        // of its color, 0…1
} sample;

typedef struct {
  sample samples[SAMPLES * RAYS];
  int32_t first[RAYS + 1];  // the samples of each ray begin here
  int32_t count, met;       // samples, rays that met something
  float nearest;            // pixels
} surroundings;

typedef struct {
  const float *inverse, *sigma;
  const uint8_t *guide;
  int32_t width, height;
} view;

static inline float likeness(const uint8_t *a, const uint8_t *b, float sigma) {
  int32_t red = a[0] - b[0], green = a[1] - b[1], blue = a[2] - b[2];
  float off = (float)(red * red + green * green + blue * blue) / (sigma * sigma);
  return 1 / (1 + off * off);
}

static void look(
    const view *image, int32_t x, int32_t y, const plb_filter_filling *rule, surroundings *seen) {
  ptrdiff_t pixel = (ptrdiff_t)y * image->width + x;
  seen->count = seen->met = 0;
  seen->nearest = INFINITY;
  for (int ray = 0; ray < RAYS; ray++) {
    seen->first[ray] = seen->count;
    float dx = 0.5f * ray_x[ray], dy = 0.5f * ray_y[ray];
    float length = sqrtf(dx * dx + dy * dy);
    int32_t last = (int32_t)((float)rule->reach / length), taken = 0;
    for (int32_t step = 1; taken < rule->samples && (taken || step <= last); step++) {
      int32_t right = (int32_t)floorf((float)step * dx + 0.5f);
      int32_t down = (int32_t)floorf((float)step * dy + 0.5f);
      if (x + right < 0 || y + down < 0 || x + right >= image->width || y + down >= image->height)
        break;
      ptrdiff_t at = pixel + (ptrdiff_t)down * image->width + right;
      float value = image->inverse[at];
      if (!(value == value)) {
        if (taken) break;
        continue;
      }
      float noise = image->sigma[at] * value * value, least = rule->share * value;
      sample found = {
          (float)right, (float)down, (float)step * length, value, noise > least ? noise : least, 1};
      if (image->guide && rule->color > 0) {
        found.likeness =
            likeness(image->guide + 3 * pixel, image->guide + 3 * at, rule->color);
      }
      if (!taken && found.distance < seen->nearest) seen->nearest = found.distance;
      seen->samples[seen->count++] = found;
      taken++;
    }
    seen->met += taken > 0;
  }
  seen->first[RAYS] = seen->count;
}

// The most neighboring rays that met nothing, all around.
static int32_t widest_gap(const surroundings *seen) {
  int32_t widest = 0, open = 0;
  for (int ray = 0; ray < 2 * RAYS; ray++) {
    int empty = seen->first[ray % RAYS] == seen->first[ray % RAYS + 1];
    open = empty ? open + 1 : 0;
    widest = widest > open ? widest : open;
  }
  return widest;
}

// Weighted least squares of value = a + b·x + c·y, a at the missing pixel. Weights fall with the
// fourth power of the distance: near samples say the most, since surfaces and much of a phone's noise
// are smooth.
static int plane(
    const surroundings *seen, const plb_filter_filling *rule, double *value, double *spread,
    double *typical) {
  double weights[SAMPLES * RAYS];
  double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, sv = 0, sxv = 0, syv = 0, noise = 0;
  float likest = 0;
  for (int i = 0; i < seen->count; i++) {
    const sample *one = &seen->samples[i];
    double x = one->x, y = one->y, v = one->value, near = seen->nearest / one->distance;
    double w = near * near * near * near * one->likeness;
    weights[i] = w;
    s += w;
    sx += w * x;
    sy += w * y;
    sxx += w * x * x;
    sxy += w * x * y;
    syy += w * y * y;
    sv += w * v;
    sxv += w * x * v;
    syv += w * y * v;
    noise += one->sigma;
    likest = likest > one->likeness ? likest : one->likeness;
  }
  // A color that nothing around has, as of what is seen through a gap.
  if (likest < LEAST_LIKENESS) return 0;
  noise /= seen->count;
  // The inverse of the symmetric matrix of sums, row by row.
  double a = sxx * syy - sxy * sxy, b = sxy * sy - sx * syy, c = sx * sxy - sxx * sy;
  double determinant = s * a + sx * b + sy * c;
  if (!(determinant > 1e-9 * s * sxx * syy)) return 0;
  a /= determinant;
  b /= determinant;
  c /= determinant;
  double e = (s * syy - sy * sy) / determinant, f = (sx * sy - s * sxy) / determinant;
  double g = (s * sxx - sx * sx) / determinant;
  double at = a * sv + b * sxv + c * syv;
  double right = b * sv + e * sxv + f * syv, down = c * sv + f * sxv + g * syv;
  double variance = 0, squares = 0;
  for (int i = 0; i < seen->count; i++) {
    const sample *one = &seen->samples[i];
    double share = weights[i] * (a + b * one->x + c * one->y) * one->sigma;
    double residual = one->value - (at + right * one->x + down * one->y);
    variance += share * share;
    squares += weights[i] * residual * residual;
    if (!(fabs(residual) <= (double)rule->outlier * one->sigma)) return 0;
  }
  squares /= s;
  if (!(squares <= (double)rule->agreement * rule->agreement * noise * noise)) return 0;
  *value = at;
  *spread = sqrt(variance + squares);
  *typical = noise;
  return 1;
}

// A hole is filled where it is known what surface it lies in: rays met something all around it, all
// samples fit one plane in inverse depth, where planes of the world are planes whatever the camera
// is, and that plane is known well enough at the pixel. Everything else stays empty.
static int on_surface(
    const surroundings *seen, const plb_filter_filling *rule, float *depth, float *sigma) {
  double value, spread, typical;
  if (seen->met < rule->directions || widest_gap(seen) > rule->gap) return 0;
  if (!plane(seen, rule, &value, &spread, &typical) || !(value > 0)) return 0;
  if (!(spread <= (double)rule->sigmas * typical)) return 0;
  double z = 1 / value, growth = 1 + (double)seen->nearest / rule->reach;
  *depth = (float)z;
  *sigma = (float)(sqrt(typical * typical + spread * spread) * z * z * growth);
  return *depth > 0 && *depth < INFINITY && *sigma < INFINITY;
}

// The value of one neighbor, however far it is from the truth; σ grows by itself a pixel, and is
// half the range of all neighbors at least.
static int of_neighbor(
    const surroundings *seen, const plb_filter_filling *rule, float *depth, float *sigma) {
  const sample *chosen = 0;
  float least = INFINITY, most = 0;
  for (int ray = 0; ray < RAYS; ray++) {
    if (seen->first[ray] == seen->first[ray + 1]) continue;
    const sample *one = &seen->samples[seen->first[ray]];
    least = least < one->value ? least : one->value;
    most = most > one->value ? most : one->value;
    int better = !chosen || (rule->choice == PLB_FARTHEST && one->value < chosen->value)
        || (rule->choice == PLB_NEAREST && one->value > chosen->value);
    if (rule->choice == PLB_LEFT ? ray == RAYS / 2 : better) chosen = one;
  }
  if (!chosen) return 0;
  float z = 1 / chosen->value, range = 0.5f * (1 / least - 1 / most);
  float own = chosen->sigma * z * z * (1 + chosen->distance);
  *depth = z;
  *sigma = own > range ? own : range;
  return z > 0 && z < INFINITY && *sigma < INFINITY;
}

int64_t plb_filter_fill(
    const float *inverse, const float *sigma, const uint8_t *guide, int32_t width, int32_t height,
    const plb_filter_filling *rule, float *depth, float *sigmas) {
  const view image = {inverse, sigma, guide, width, height};
  int64_t filled = 0;
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      ptrdiff_t pixel = (ptrdiff_t)y * width + x;
      if (inverse[pixel] == inverse[pixel]) continue;
      surroundings seen;
      float z, own;
      look(&image, x, y, rule, &seen);
      if (!(rule->choice == PLB_SURFACE ? on_surface(&seen, rule, &z, &own)
                                        : of_neighbor(&seen, rule, &z, &own)))
        continue;
      depth[pixel] = z;
      sigmas[pixel] = own;
      filled++;
    }
  }
  return filled;
}
