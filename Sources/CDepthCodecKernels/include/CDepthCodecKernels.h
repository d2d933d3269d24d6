// Lossless compression of depth maps, row by row: a prediction and what differs from it.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Takes the last row from the next one, modulo 2¹⁶; `difference[i] = row[i] − above[i]`.
void plb_depth_codec_row_difference16(
    const uint16_t *_Nonnull row, const uint16_t *_Nonnull above, ptrdiff_t count,
    uint16_t *_Nonnull difference);
