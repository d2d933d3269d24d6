#include <math.h>
#include <stdbool.h>

#include "volume_keys.h"
#include "volume_kernels.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

enum { lanes = 8, tile = PLB_VOLUME_VIEW_TILE };

typedef struct {
  double x, y, z;
} vector;


// A ray in voxels; lengths along it are depths in meters.
typedef struct {
  vector origin, direction;
  double inverse[3];  // 1 over the direction's parts, infinite for 0
  double unit;  // the depth of one voxel along it
} ray;

static inline ray ray_of(vector origin, vector direction) {
  double x = direction.x, y = direction.y, z = direction.z;
  return (ray){origin, direction, {1 / x, 1 / y, 1 / z}, 1 / sqrt(x * x + y * y + z * z)};
}

static inline vector along(const ray *ray, double depth) {
  return (vector){
    ray->origin.x + ray->direction.x * depth, ray->origin.y + ray->direction.y * depth,
    ray->origin.z + ray->direction.z * depth};
}

// A block; values are NULL where there is none.
typedef struct {
  uint64_t key;
  const int16_t *values;
  int32_t place;
} block;

// 4 x 4 x 4 blocks: a bit for each that has a voxel behind a surface.
typedef struct {
  uint64_t key, solid;
} brick;

// Reads voxels, and remembers the last block and brick at each of 4 x 4 x 4 places: neighbors have places of
// their own, and rays beside each other meet the same blocks.
typedef struct {
  const plb_volume_blocks *blocks;
  block recent[64];
  brick recent_bricks[64];
} reader;

static void begin(reader *reader, const plb_volume_blocks *blocks) {
  reader->blocks = blocks;
  for (int i = 0; i < 64; i++) {
    reader->recent[i] = (block){UINT64_MAX, NULL, -1};
    reader->recent_bricks[i] = (brick){UINT64_MAX, 0};
  }
}

static __attribute__((noinline)) void find(const plb_volume_blocks *blocks, uint64_t key, block *result) {
  *result = (block){key, NULL, -1};
  for (uint64_t slot = volume_hash(key) & blocks->mask; blocks->keys[slot] != UINT64_MAX;
       slot = (slot + 1) & blocks->mask) {
    if (blocks->keys[slot] != key) continue;
    int32_t place = blocks->places[slot];
    result->place = place;
    result->values = blocks->slabs[place >> PLB_VOLUME_SLAB_SHIFT]
        + (ptrdiff_t)(place & ((1 << PLB_VOLUME_SLAB_SHIFT) - 1)) * PLB_VOLUME_BLOCK_VALUES;
    return;
  }
}

static inline const block *block_at(reader *reader, int32_t x, int32_t y, int32_t z) {
  uint64_t key = volume_key(x, y, z);
  block *here = &reader->recent[(x & 3) | (y & 3) << 2 | (z & 3) << 4];
  if (here->key != key) find(reader->blocks, key, here);
  return here;
}

static __attribute__((noinline)) void find_brick(
    const plb_volume_blocks *blocks, uint64_t key, brick *result) {
  *result = (brick){key, 0};
  for (uint64_t slot = volume_hash(key) & blocks->brick_mask; blocks->brick_keys[slot] != UINT64_MAX;
       slot = (slot + 1) & blocks->brick_mask) {
    if (blocks->brick_keys[slot] != key) continue;
    result->solid = blocks->bricks[slot];
    return;
  }
}

// The solid blocks of the brick that a voxel is in.
static inline uint64_t brick_at(reader *reader, int32_t x, int32_t y, int32_t z) {
  uint64_t key = volume_key(x >> 5, y >> 5, z >> 5);
  brick *here = &reader->recent_bricks[(x >> 5 & 3) | (y >> 5 & 3) << 2 | (z >> 5 & 3) << 4];
  if (here->key != key) find_brick(reader->blocks, key, here);
  return here->solid;
}

// The distance of a voxel as it is stored, its weight 8 numbers behind; NULL where there is no block.
static inline const int16_t *voxel_at(reader *reader, int32_t x, int32_t y, int32_t z) {
  const int16_t *values = block_at(reader, x >> 3, y >> 3, z >> 3)->values;
  return values ? values + ((z & 7) * 8 + (y & 7)) * 2 * lanes + (x & 7) : NULL;
}

// Trilinear between eight corners, x fastest.
static inline float between(const float corners[8], const float part[3]) {
  float x[4], y[2];
  for (int i = 0; i < 4; i++) x[i] = corners[2 * i] + part[0] * (corners[2 * i + 1] - corners[2 * i]);
  for (int i = 0; i < 2; i++) y[i] = x[2 * i] + part[1] * (x[2 * i + 1] - x[2 * i]);
  return y[0] + part[2] * (y[1] - y[0]);
}

// The distances of the eight voxels around a place in voxels, in the steps of stored ones, and their weights as
// stored; false if one was not seen.
static inline bool corners_of(
    reader *reader, vector place, float part[3], float distances[8], int16_t weights[8]) {
  int32_t x = volume_floor(place.x), y = volume_floor(place.y), z = volume_floor(place.z);
  part[0] = (float)(place.x - x);
  part[1] = (float)(place.y - y);
  part[2] = (float)(place.z - z);
  const int16_t *first = voxel_at(reader, x, y, z);
  if (!first) return false;
  const bool is_within = (x & 7) < 7 && (y & 7) < 7 && (z & 7) < 7;
  bool is_seen = true;
  for (int corner = 0; corner < 8; corner++) {
    const int right = corner & 1, down = corner >> 1 & 1, behind = corner >> 2;
    const int16_t *voxel = is_within ? first + (behind * 8 + down) * 2 * lanes + right
                                     : voxel_at(reader, x + right, y + down, z + behind);
    if (!voxel) return false;
    distances[corner] = plb_voxel_distance(voxel[0]);
    weights[corner] = voxel[lanes];
    is_seen &= voxel[lanes] != 0;
  }
  return is_seen;
}

// The distance between the eight voxels around a place, in steps; false if one was not seen.
static inline bool sample(reader *reader, vector place, float *distance) {
  float part[3], distances[8];
  int16_t weights[8];
  if (!corners_of(reader, place, part, distances, weights)) return false;
  *distance = between(distances, part);
  return true;
}

// The weight there.
static inline bool weigh(reader *reader, vector place, float *weight) {
  float part[3], values[8];
  int16_t stored[8];
  if (!corners_of(reader, place, part, values, stored)) return false;
  for (int corner = 0; corner < 8; corner++) values[corner] = plb_voxel_weight(stored[corner]);
  *weight = between(values, part);
  return true;
}

// The depth of the zero between a free and a solid depth, by regula falsi on trilinear distances; NaN for none.
static inline double zero(reader *reader, const ray *ray, double near, double far) {
  float front, back;
  if (!sample(reader, along(ray, near), &front)
      || !sample(reader, along(ray, far), &back))
    return NAN;
  // Nearest voxels changed sign; the trilinear distance may change up to a voxel beside.
  if (back >= 0) {
    far += ray->unit;
    if (!sample(reader, along(ray, far), &back)) return NAN;
  }
  if (front < 0) {
    near -= ray->unit;
    if (!sample(reader, along(ray, near), &front)) return NAN;
  }
  if (!(front >= 0 && back < 0)) return NAN;
  for (int i = 0; i < 3; i++) {
    double depth = near + (far - near) * (double)(front / (front - back));
    float value;
    if (!sample(reader, along(ray, depth), &value)) return NAN;
    if (value >= 0) {
      near = depth;
      front = value;
    } else {
      far = depth;
      back = value;
    }
  }
  return near + (far - near) * (double)(front / (front - back));
}

// Depth from the nearest voxel's place to just behind the end of the cube of 2^shift voxels a side around it.
static inline double exit_of(
    vector place, int32_t x, int32_t y, int32_t z, int shift, const ray *ray) {
  // The cube of the nearest voxel reaches from half a voxel before its first one.
  const double p[3] = {place.x + 0.5, place.y + 0.5, place.z + 0.5};
  const int32_t cube[3] = {x >> shift, y >> shift, z >> shift};
  double least = INFINITY;
  for (int axis = 0; axis < 3; axis++) {
    double inverse = ray->inverse[axis];
    if (!(fabs(inverse) < INFINITY)) continue;
    double end = (double)((cube[axis] + (inverse > 0)) * (1 << shift));
    double length = (end - p[axis]) * inverse;
    least = length < least ? length : least;
  }
  // A thousandth of a voxel more, so that rounding cannot keep the ray in the cube.
  return (least > 0 ? least : 0) + 1e-3 * ray->unit;
}

// The depth of the first change from free to solid, between two depths; NaN for none.
static inline double cast(reader *reader, const ray *ray, double near, double far) {
  const double limit = 8.0 * (VOLUME_REACH - 2);
  // Up to `sampled` all voxels are read, beyond it those of solid blocks.
  double free = NAN, sampled = 0;
  bool passed = true;
  for (double depth = near; depth <= far;) {
    vector place = along(ray, depth);
    if (!(fabs(place.x) < limit && fabs(place.y) < limit && fabs(place.z) < limit)) return NAN;
    int32_t x = volume_floor(place.x + 0.5), y = volume_floor(place.y + 0.5);
    int32_t z = volume_floor(place.z + 0.5);
    if (depth >= sampled) {
      uint64_t solid = brick_at(reader, x, y, z);
      int bit = (x >> 3 & 3) | (y >> 3 & 3) << 2 | (z >> 3 & 3) << 4;
      if (!(solid >> bit & 1)) {
        depth += exit_of(place, x, y, z, solid ? 3 : 5, ray);
        passed = true;
        continue;
      }
      if (passed) {
        // Two voxels back, to see whether the ray comes from free space.
        passed = false;
        free = NAN;
        sampled = depth;
        depth = depth > 2 * ray->unit ? depth - 2 * ray->unit : 0;
        continue;
      }
    }
    const int16_t *values = voxel_at(reader, x, y, z);
    if (!values) {
      free = NAN;
      depth += exit_of(place, x, y, z, 3, ray);
      continue;
    }
    float distance = plb_voxel_distance(values[0]);
    if (values[lanes] == 0) {
      // Surfaces have at least two voxels that were seen in front of them.
      free = NAN;
      depth += ray->unit;
      continue;
    }
    if (distance < 0) return free == free ? zero(reader, ray, free, depth) : NAN;
    free = depth;
    double step = (double)distance * (0.8 / PLB_VOXEL_STEPS);
    depth += (step > 0.5 ? step : 0.5) * ray->unit;
  }
  return NAN;
}

PLB_CLONES_256
void plb_volume_cast_row(
    const plb_volume_blocks *blocks, const plb_volume_camera *camera, int32_t row,
    const double *ranges, float *depth, float *weights, int32_t *places) {
  reader reader;
  begin(&reader, blocks);
  const double *r = camera->rotation, k = camera->voxel;
  const vector origin = {camera->origin[0], camera->origin[1], camera->origin[2]};
  const double v = ((double)row - camera->center_y) / camera->focal_y;
  for (int32_t x = 0; x < camera->width; x++) {
    const double *range = ranges + 2 * (x / tile);
    depth[x] = NAN;
    weights[x] = 0;
    places[x] = -1;
    if (!(range[0] < range[1])) continue;
    double u = ((double)x - camera->center_x) / camera->focal_x;
    // In voxels, for a depth of one meter.
    vector direction = {(r[0] * u + r[1] * v + r[2]) / k, (r[3] * u + r[4] * v + r[5]) / k,
                        (r[6] * u + r[7] * v + r[8]) / k};
    ray ray = ray_of(origin, direction);
    double found = cast(&reader, &ray, range[0], range[1]);
    if (!(found == found)) continue;
    vector place = along(&ray, found);
    float weight;
    if (!weigh(&reader, place, &weight)) continue;
    const block *block = block_at(
        &reader, volume_floor(place.x + 0.5) >> 3, volume_floor(place.y + 0.5) >> 3,
        volume_floor(place.z + 0.5) >> 3);
    depth[x] = (float)found;
    weights[x] = weight;
    places[x] = block->place;
  }
}
