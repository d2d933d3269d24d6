#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "estimation_kernels.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

PLB_CLONES_256
void plb_estimation_rows(
    const uint8_t *image, ptrdiff_t row_bytes, const plb_estimation_axis *rows, int32_t pixel,
    ptrdiff_t width, float *sums) {
  const uint8_t *row = image + rows->first[pixel] * row_bytes;
  int32_t k = rows->start[pixel], end = rows->start[pixel + 1];
  float weight = rows->weights[k];
  for (ptrdiff_t j = 0; j < width; j++) sums[j] = weight * (float)row[j];
  // Four rows at a time: a quarter of the traffic of the sums, which for a wide image leave the
  // first-level cache. The order of the additions is that of single rows.
  for (k++, row += row_bytes; k + 3 < end; k += 4, row += 4 * row_bytes) {
    const float *w = rows->weights + k;
    const uint8_t *b = row + row_bytes, *c = b + row_bytes, *d = c + row_bytes;
    for (ptrdiff_t j = 0; j < width; j++)
      sums[j] = (((sums[j] + w[0] * (float)row[j]) + w[1] * (float)b[j]) + w[2] * (float)c[j])
          + w[3] * (float)d[j];
  }
  for (; k < end; k++, row += row_bytes) {
    weight = rows->weights[k];
    for (ptrdiff_t j = 0; j < width; j++) sums[j] += weight * (float)row[j];
  }
}

// A color and the number after it, in one register; floats may lie anywhere.
typedef float color_and_next __attribute__((vector_size(16), aligned(4)));

void plb_estimation_columns(
    const float *sums, const plb_estimation_axis *columns, float *colors) {
  for (int32_t i = 0; i < columns->count; i++) {
    const float *color = sums + 3 * (ptrdiff_t)columns->first[i];
    color_and_next total = {0, 0, 0, 0};
    for (int32_t k = columns->start[i]; k < columns->start[i + 1]; k++, color += 3)
      total += columns->weights[k] * *(const color_and_next *)color;
    for (int c = 0; c < 3; c++) *colors++ = total[c];
  }
}

void plb_estimation_pack(
    const float *colors, const plb_estimation_packing *packing, ptrdiff_t count, float *result) {
  for (int32_t c = 0; c < 3; c++) {
    const float *color = colors + 3 * packing->first + packing->channel[c];
    float *place = result + c * packing->channel_step;
    float gain = packing->gain[c], offset = packing->offset[c];
    for (ptrdiff_t i = 0; i < count; i++)
      place[i * packing->pixel_step] = gain * color[3 * packing->step * i] + offset;
  }
}

void plb_estimation_expect(void *memory, size_t bytes) {
#if defined(__linux__)
  // Whole pages of 2 MiB inside of it: one fault instead of 512, each of which costs more than
  // computing what is put there. A kernel that has none says so, and nothing is lost.
  const uintptr_t page = 2u << 20;
  const uintptr_t start = ((uintptr_t)memory + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
  if (start < end) madvise((void *)start, end - start, MADV_HUGEPAGE);
#endif
}

PLB_CLONES_256
void plb_estimation_stretch(
    const float *row, const int32_t *first, const float *share, ptrdiff_t count, float *line) {
  for (ptrdiff_t i = 0; i < count; i++) {
    float left = row[first[i]], right = row[first[i] + 1];
    line[i] = left + share[i] * (right - left);
  }
}

PLB_CLONES_256
void plb_estimation_blend(
    const float *upper, const float *lower, float share, int32_t rule, float a, float b,
    ptrdiff_t count, float *result) {
  // An infinite depth is missing as well: it comes of a reciprocal too near to 0.
  const float most = 3.4e38f;
  switch (rule) {
  case PLB_ESTIMATION_PLAIN:
    for (ptrdiff_t i = 0; i < count; i++)
      result[i] = upper[i] + share * (lower[i] - upper[i]);
    break;
  case PLB_ESTIMATION_LINE:
    for (ptrdiff_t i = 0; i < count; i++) {
      float depth = a * (upper[i] + share * (lower[i] - upper[i])) + b;
      result[i] = depth > 0 && depth < most ? depth : NAN;
    }
    break;
  case PLB_ESTIMATION_RECIPROCAL:
    for (ptrdiff_t i = 0; i < count; i++) {
      float value = upper[i] + share * (lower[i] - upper[i]);
      float depth = a / value + b;
      result[i] = value > 0 && depth > 0 && depth < most ? depth : NAN;
    }
    break;
  default:
    for (ptrdiff_t i = 0; i < count; i++) {
      float depth = 1 / (a * (upper[i] + share * (lower[i] - upper[i])) + b);
      result[i] = depth > 0 && depth < most ? depth : NAN;
    }
  }
}
