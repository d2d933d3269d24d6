#include "raster_kernels.h"

#include <math.h>

// Without contraction a clone with fused multiply-add gives the same bits as the baseline.
#pragma STDC FP_CONTRACT OFF

PLB_CLONES
void plb_lens_rays(
    const plb_ray_row *law, const float *table, const float *columns, const float *slopes,
    ptrdiff_t count, float *x, float *y) {
  const float row = law->row, row_slope = law->row_slope, step = law->step;
  const float inverse_x = law->inverse_focal_x, inverse_y = law->inverse_focal_y;
  const float limit = (float)law->last;
  const int32_t last_piece = law->last - 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    float column = columns[i];
    float place = sqrtf(column * column + row * row) * step;
    // This order of comparison makes NaN the last piece.
    place = place < limit ? place : limit;
    int32_t piece = (int32_t)place;
    piece = piece < last_piece ? piece : last_piece;
    float moved = table[piece] + (table[piece + 1] - table[piece]) * (place - (float)piece);
    x[i] = slopes[i] + column * moved * inverse_x;
    y[i] = row_slope + row * moved * inverse_y;
  }
}
