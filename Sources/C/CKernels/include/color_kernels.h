// The kernel that turns decoded video planes into RGB. It allocates nothing, checks nothing and keeps
// no state: the Swift caller has done so, and has a twin that gives the same bytes.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "clones.h"

// A row of 8-bit full-range 4:2:0 to packed RGB; factors are 256ths: red from red, green from blue,
// green from red, blue from blue chroma. Chroma rows hold (count + 1) / 2 samples.
void plb_rgb_from_pairs(
    const uint8_t *_Nonnull luma, const uint8_t *_Nonnull blue, const uint8_t *_Nonnull red,
    ptrdiff_t count, const int32_t *_Nonnull factors, uint8_t *_Nonnull result);
