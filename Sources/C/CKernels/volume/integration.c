#include <string.h>

#include "volume_kernels.h"
#include "volume_rows.h"

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Where the voxels of a row are, and the pixels that they project into.
typedef struct {
  floats z;  // depth in meters
  floats u, v;  // pixels from the center of the pixel
  ints index;  // of the pixel; the one behind the last, which has no surface, outside of the view
  int32_t row;
} row_places;

// The pixels of a row, one vector for each part.
typedef struct {
  floats inverse_depth, slope_x, slope_y, plane, weight_per_truncation, variance, truncation;
  ints color;
} row_pixels;

// What one frame says of a row.
typedef struct {
  floats distance;  // at most the truncation
  floats weight;  // 0 where it says nothing
  floats variance;
  ints color, is_free;
  int32_t row;
} row_view;

PLB_INLINE void find_places(
    const plb_volume_frame *frame, const floats *column, const floats *row, const floats *depth,
    row_places *places) {
  const floats zero = {0};
  const float right = (float)frame->width - 0.5f, bottom = (float)frame->height - 0.5f;
  const ints none = (ints){0} + frame->width * frame->height;
  floats inverse = 1 / *depth, x = *column * inverse, y = *row * inverse;
  // Comparisons with NaN are false.
  ints inside = (*depth > 0) & (x > -0.5f) & (y > -0.5f) & (x < right) & (y < bottom);
  x = PICK(inside, x, zero);
  y = PICK(inside, y, zero);
  ints px = __builtin_convertvector(x + 0.5f, ints), py = __builtin_convertvector(y + 0.5f, ints);
  places->z = *depth;
  places->u = x - __builtin_convertvector(px, floats);
  places->v = y - __builtin_convertvector(py, floats);
  places->index = (inside & (py * frame->width + px)) | (~inside & none);
}

// Loads eight pixels, and makes vectors of their parts.
PLB_INLINE void gather(const plb_volume_pixel *pixels, const ints *index, row_pixels *result) {
  floats p[lanes];
  for (int i = 0; i < lanes; i++) memcpy(&p[i], pixels + (*index)[i], sizeof(floats));
  transpose(p);
  *result = (row_pixels){p[0], p[1], p[2], p[3], p[4], p[5], p[6], (ints)p[7]};
}

// Distance to the plane of the pixel and the weight there: full in front, falling to 0 from a third
// of the truncation behind the surface to all of it, so that the back of thin things is kept; and 0 from two
// truncations behind it along the ray, where a slanted ray may have left the thing again.
PLB_INLINE void observe(
    const row_places *places, const row_pixels *pixels, int32_t is_solid, row_view *view) {
  floats inverse = pixels->inverse_depth + pixels->slope_x * places->u + pixels->slope_y * places->v;
  floats ratio = places->z * inverse, tau = pixels->truncation;
  floats distance = (1 - ratio) * pixels->plane;
  floats behind = (distance + tau) * 1.5f;
  // A pixel without a surface has a weight and a truncation of 0.
  floats weight = pixels->weight_per_truncation * PICK(behind < tau, behind, tau);
  ints is_free = distance > tau, carves = (pixels->color & PLB_VOLUME_CARVES) != 0;
  ints used = (weight > 0) & (ratio < 1 + 2 * tau * inverse) & (~is_free | (carves & -is_solid));
  view->weight = (floats)(used & (ints)weight);
  view->is_free = is_free;
  view->distance = PICK(is_free, tau, distance);
  view->variance = pixels->variance;
  view->color = pixels->color;
}

// Weighted means. What lies beyond the truncation in front is free space: it changes only voxels behind a
// surface, and its weight is bounded.
PLB_INLINE void add(
    const plb_volume_frame *frame, const row_view *view, const ints *used, floats *mean, floats *sum) {
  floats w = view->weight, old = *sum, before = *mean, grown = old + w;
  floats moved = before + w * (view->distance - before) / grown;
  floats most = frame->free_views * w, bounded = PICK(grown < most, grown, most);
  bounded = PICK(bounded > old, bounded, old);
  *mean = PICK(*used, moved, before);
  *sum = PICK(*used, PICK(view->is_free, bounded, grown), old);
}

// Reads a row: distances in meters, weights in 1/m^2.
PLB_INLINE void load_row(const int16_t *values, float step, floats *mean, floats *sum) {
  signed_shorts distances;
  shorts weights;
  memcpy(&distances, values, sizeof(distances));
  memcpy(&weights, values + lanes, sizeof(weights));
  ints stored = __builtin_convertvector(weights, ints);
  *mean = (__builtin_convertvector(distances, floats) + 0.5f) * step;
  *sum = (floats)((stored != 0) & ((stored + PLB_VOXEL_WEIGHT_BASE) << PLB_VOXEL_WEIGHT_SHIFT));
}

// Stores the voxels of a row that are used; others keep their bits. A number between two that can be stored becomes
// the upper one as often as it is near it, so that small changes are not lost in the mean. Returns whether a
// voxel of the row is behind a surface.
PLB_INLINE int store_row(
    const ints *used, const floats *mean, const floats *sum, float steps_per_meter, uint32_t seed,
    int16_t *values) {
  const floats most = (floats){0} + (float)INT16_MAX, zero = {0};
  const ints lane = {0, 1, 2, 3, 4, 5, 6, 7}, heaviest = (ints){0} + PLB_VOXEL_WEIGHT_MOST;
  // A multiplicative hash (Knuth 1973): its upper 13 bits, and those below them.
  unsigneds hash = ((unsigneds)lane + seed) * 2654435769u;
  hash = (hash ^ hash >> 15) * 2246822519u;
  floats part = __builtin_convertvector((ints)(hash >> 6 & 8191), floats) * (1 / 8192.0f);
  floats steps = *mean * steps_per_meter;
  steps = PICK(steps < most, steps, most);
  steps = PICK(steps > -most, steps, -most);
  ints distance = __builtin_convertvector(steps + ((float)-INT16_MIN - 0.5f + part), ints) + INT16_MIN;
  ints bits = (ints)PICK(*used, *sum, zero) + (ints)(hash >> 19);
  ints weight = (bits >> PLB_VOXEL_WEIGHT_SHIFT) - PLB_VOXEL_WEIGHT_BASE;
  ints least = weight > 0, bounded = weight < heaviest;
  weight = (least & bounded & weight) | (~least & 1) | (~bounded & heaviest);
  signed_shorts before, now = __builtin_convertvector(distance, signed_shorts);
  signed_shorts kept = ~__builtin_convertvector(*used, signed_shorts);
  memcpy(&before, values, sizeof(before));
  now = (now & ~kept) | (before & kept);
  memcpy(values, &now, sizeof(now));
  const int is_solid = ANY(now < 0);
  memcpy(&before, values + lanes, sizeof(before));
  now = (__builtin_convertvector(weight, signed_shorts) & ~kept) | (before & kept);
  memcpy(values + lanes, &now, sizeof(now));
  return is_solid;
}

// Colors of some voxels; the share of the new one is that of its weight.
PLB_INLINE void paint(const ints *painted, const ints *color, const floats *share, uint16_t *colors) {
  shorts before;
  memcpy(&before, colors, sizeof(before));
  // Red in 256ths plus one, so that 0 is no color.
  ints first = __builtin_convertvector(before, ints) == 0;
  for (int channel = 0; channel < 3; channel++) {
    memcpy(&before, colors + channel * lanes, sizeof(before));
    ints byte = (*color >> (8 * channel)) & 255;
    floats now = __builtin_convertvector(byte, floats) * 256;
    floats old = __builtin_convertvector(before, floats) - 1;
    floats mixed = PICK(*painted, PICK(first, now, old + (now - old) * *share) + 1.5f, old);
    ints result = (*painted & __builtin_convertvector(mixed, ints))
                  | (~*painted & __builtin_convertvector(before, ints));
    before = __builtin_convertvector(result, shorts);
    memcpy(colors + channel * lanes, &before, sizeof(before));
  }
}

// Where these rows are. The voxels of a row are requested from memory, which takes longer than this. Returns
// how many.
PLB_INLINE int place_rows(
    const plb_volume_frame *frame, const row_steps *steps, uint64_t rows, const int16_t *values,
    row_places *places) {
  int count = 0;
  for (; rows; rows &= rows - 1, count++) {
    const int row = __builtin_ctzll(rows);
    __builtin_prefetch(values + row * 2 * lanes, 1);
    const float y = (float)(row & 7), z = (float)(row >> 3);
    floats column = steps->first_column + (z * steps->column[2] + y * steps->column[1])
                    + steps->column[0];
    floats line = steps->first_row + (z * steps->row[2] + y * steps->row[1]) + steps->row[0];
    floats depth = steps->first_depth + (z * steps->depth[2] + y * steps->depth[1])
                   + steps->depth[0];
    find_places(frame, &column, &line, &depth, places + count);
    places[count].row = row;
  }
  return count;
}

// What the frame says of these rows; only those that it changes are kept. Returns how many.
PLB_INLINE int view_rows(
    const plb_volume_pixel *pixels, const row_places *places, int placed, uint64_t solid,
    row_view *views) {
  int count = 0;
  for (const row_places *here = places; here < places + placed; here++) {
    row_pixels found;
    gather(pixels, &here->index, &found);
    row_view *view = views + count;
    observe(here, &found, (int32_t)(solid >> here->row & 1), view);
    view->row = here->row;
    // No branch, which half of the time would be foreseen wrongly.
    count += ANY(view->weight > 0);
  }
  return count;
}

PLB_CLONES
plb_volume_change plb_volume_integrate(
    const plb_volume_frame *frame, const plb_volume_pixels *pixels, const float *steps,
    const plb_volume_block *block, int16_t *values, uint16_t *colors) {
  plb_volume_change change = {.solid_rows = block->solid_rows};
  row_steps step;
  row_places places[rows];
  row_view views[rows];
  steps_of(frame, block->origin, steps, &step);
  const uint64_t seen = rows_to_see(frame, pixels, block, &step);
  // Three loops: in each one the processor works on several rows at once, since they do not wait for each other.
  const int placed = place_rows(frame, &step, seen, values, places);
  const int count = view_rows(pixels->pixels, places, placed, block->solid_rows, views);
  const float voxel = frame->voxel, per_meter = PLB_VOXEL_STEPS / voxel;
  const floats zero = {0};
  floats weights = zero, variances = zero;
  ints near = {0};
  for (const row_view *view = views; view < views + count; view++) {
    const int row = view->row;
    floats mean, sum;
    int16_t *here = values + row * 2 * lanes;
    load_row(here, voxel * (1.0f / PLB_VOXEL_STEPS), &mean, &sum);
    ints used = (view->weight > 0) & (~view->is_free | (mean < 0));
    add(frame, view, &used, &mean, &sum);
    const uint64_t is_solid = (uint64_t)store_row(
        &used, &mean, &sum, per_meter, frame->seed + (uint32_t)(row * lanes), here);
    change.solid_rows = (change.solid_rows & ~((uint64_t)1 << row)) | is_solid << row;
    ints close = used & (view->distance < voxel) & (view->distance > -voxel);
    near -= close;
    weights += PICK(close, view->weight, zero);
    variances += PICK(close, view->weight * view->variance, zero);
    if (!colors || !ANY(close)) continue;
    ints painted = used & ((view->color & PLB_VOLUME_COLOR) != 0)
                   & (view->distance < 2 * voxel) & (view->distance > -2 * voxel);
    floats share = view->weight / sum;
    paint(&painted, &view->color, &share, colors + row * 3 * lanes);
  }
  for (int i = 0; i < lanes; i++) {
    change.near += near[i];
    change.weight += weights[i];
    change.variance += variances[i];
  }
  return change;
}
