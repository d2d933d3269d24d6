#include "raster_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

// Widening by integers: the baseline clone has no instruction for halves, and the vectorizer turns
// this into the hardware conversion's equal in a few operations. Exact for every pattern.
static inline float half_value(uint16_t bits) {
  union { uint32_t u; float f; } magnitude = {(uint32_t)(bits & 0x7FFF) << 13}, scale = {0x77800000};
  return magnitude.f * scale.f;
}

PLB_CLONES
void plb_reciprocal(const float *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i], reciprocal = 1 / value;
    // The reciprocal of the smallest subnormals is infinite, hence not a measurement.
    result[i] = value > 0 && value < INFINITY && reciprocal < INFINITY ? reciprocal : NAN;
  }
}

PLB_CLONES
void plb_depth_checked(const float *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = source[i];
    result[i] = value > 0 && value < INFINITY ? value : NAN;
  }
}

// Patterns 1…0x7BFF are the halves that are finite and above 0; the unsigned difference tests both.
PLB_CLONES
void plb_depth_from_half(const uint16_t *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t bits = source[i];
    result[i] = (uint16_t)(bits - 1) < 0x7BFF ? half_value(bits) : NAN;
  }
}

PLB_CLONES
void plb_depth_from_half_disparity(const uint16_t *source, ptrdiff_t count, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t bits = source[i];
    result[i] = (uint16_t)(bits - 1) < 0x7BFF ? 1 / half_value(bits) : NAN;
  }
}

// A store that crosses a cache line costs two. Arrays start at any multiple of 16 bytes, so a row is
// computed as one block from its start, blocks from the first pixel whose point starts a line, and
// one block up to its end; where they overlap, the same bits are written twice.
enum { BLOCK = 16, LINE = 64 };

static inline ptrdiff_t pixels_to_line(const float *result) {
  // Twelve bytes a point: 3·i ≡ −q (mod 16), and 5 is −1/3 there.
  return (ptrdiff_t)(((uintptr_t)result % LINE / sizeof(float) * 5) % (LINE / sizeof(float)));
}

static inline __attribute__((always_inline)) void unproject(
    const float *depth, const float *rays_x, const float *rays_y, float row, ptrdiff_t count,
    float *result) {
#pragma clang loop vectorize_width(16) interleave_count(1) unroll(disable)
  for (ptrdiff_t i = 0; i < count; i++) {
    float z = depth[i];
    result[3 * i] = rays_x[i] * z;
    result[3 * i + 1] = (rays_y ? rays_y[i] : row) * z;
    result[3 * i + 2] = z;
  }
}

// Whole lines past the caches, which spares reading them first; `result` starts a line.
typedef float lanes __attribute__((vector_size(LINE)));
typedef float unaligned_lanes __attribute__((vector_size(LINE), aligned(sizeof(float))));

static inline __attribute__((always_inline)) void unproject_streaming(
    const float *depth, const float *rays_x, const float *rays_y, float row, ptrdiff_t count,
    float *result) {
  for (ptrdiff_t i = 0; i < count; i += BLOCK) {
    lanes z = *(const unaligned_lanes *)(depth + i);
    lanes x = *(const unaligned_lanes *)(rays_x + i) * z;
    lanes y = rays_y ? *(const unaligned_lanes *)(rays_y + i) * z : row * z;
    lanes *lines = (lanes *)(result + 3 * i);
    // x y z x y z …: two of the three are merged first, with lane 0 where the third will be.
    lanes first = __builtin_shufflevector(
        x, y, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    first = __builtin_shufflevector(
        first, z, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
    lanes second = __builtin_shufflevector(
        y, z, 5, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10);
    second = __builtin_shufflevector(
        second, x, 0, 1, 22, 3, 4, 23, 6, 7, 24, 9, 10, 25, 12, 13, 26, 15);
    lanes third = __builtin_shufflevector(
        z, x, 10, 27, 0, 11, 28, 0, 12, 29, 0, 13, 30, 0, 14, 31, 0, 15);
    third = __builtin_shufflevector(
        third, y, 0, 1, 27, 3, 4, 28, 6, 7, 29, 9, 10, 30, 12, 13, 31, 15);
    __builtin_nontemporal_store(first, lines);
    __builtin_nontemporal_store(second, lines + 1);
    __builtin_nontemporal_store(third, lines + 2);
  }
#if defined(__x86_64__)
  // Such stores are not ordered with later ones, which may hand the result to another thread.
  __builtin_ia32_sfence();
#endif
}

static inline __attribute__((always_inline)) void unproject_row(
    const float *depth, const float *rays_x, const float *rays_y, float row, ptrdiff_t count,
    float *result, bool streams) {
  if (count < 2 * BLOCK) {
    unproject(depth, rays_x, rays_y, row, count, result);
    return;
  }
  unproject(depth, rays_x, rays_y, row, BLOCK, result);
  ptrdiff_t first = pixels_to_line(result), middle = (count - first) / BLOCK * BLOCK;
  const float *middle_y = rays_y ? rays_y + first : 0;
  if (streams) {
    unproject_streaming(depth + first, rays_x + first, middle_y, row, middle, result + 3 * first);
  } else {
    unproject(depth + first, rays_x + first, middle_y, row, middle, result + 3 * first);
  }
  ptrdiff_t last = count - BLOCK;
  unproject(depth + last, rays_x + last, rays_y ? rays_y + last : 0, row, BLOCK, result + 3 * last);
}

PLB_CLONES
void plb_unproject_row(
    const float *depth, const float *columns, float row, ptrdiff_t count, float *result,
    bool streams) {
  unproject_row(depth, columns, 0, row, count, result, streams);
}

PLB_CLONES
void plb_unproject_row_rays(
    const float *depth, const float *rays_x, const float *rays_y, ptrdiff_t count, float *result,
    bool streams) {
  unproject_row(depth, rays_x, rays_y, 0, count, result, streams);
}
