// Lossless compression of maps of whole numbers, or of the bits of floats: the encoding `rice` of
// Documentation/formats/stream.md, which defines every bit.
//
// One thread, no allocation. `row` is memory for 2 · width numbers. Numbers that equal `hole` are
// kept apart as "not measured".
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Disparities that meters predict: 1/meters where they are finite or NaN, else NaN, rounded to the 10 bits
// of a half-precision number's mantissa where `half` says so.
void plb_predicted_disparity(
    const float *_Nonnull meters, ptrdiff_t count, bool half, float *_Nonnull result);

// By how much the pattern of each value differs from that of its prediction, as one byte in two's
// complement: 0 where both are NaN, `mark` where one is or where a byte does not hold the difference.
// Returns all residuals combined by or.
uint8_t plb_residuals(
    const float *_Nonnull values, const float *_Nonnull predicted, ptrdiff_t count, uint8_t mark,
    uint8_t *_Nonnull result);

// The most bytes that a map of `byteCount` bytes a number can take; 0 where that overflows.
size_t plb_rice_capacity(ptrdiff_t width, ptrdiff_t height, ptrdiff_t byteCount);

// Writes a map and returns the number of bytes; `bytes` has room for the capacity.
size_t plb_rice_encode8(
    const uint8_t *_Nonnull samples, ptrdiff_t width, ptrdiff_t height, uint8_t hole,
    uint8_t *_Nonnull row, uint8_t *_Nonnull bytes);
size_t plb_rice_encode16(
    const uint16_t *_Nonnull samples, ptrdiff_t width, ptrdiff_t height, uint16_t hole,
    uint16_t *_Nonnull row, uint8_t *_Nonnull bytes);
size_t plb_rice_encode32(
    const uint32_t *_Nonnull samples, ptrdiff_t width, ptrdiff_t height, uint32_t hole,
    uint32_t *_Nonnull row, uint8_t *_Nonnull bytes);

// Reads a map; false for bytes that are none, that end early or go on. Never reads outside of
// `bytes`, whatever they are.
bool plb_rice_decode8(
    const uint8_t *_Nonnull bytes, size_t count, ptrdiff_t width, ptrdiff_t height,
    uint8_t *_Nonnull row, uint8_t *_Nonnull samples);
bool plb_rice_decode16(
    const uint8_t *_Nonnull bytes, size_t count, ptrdiff_t width, ptrdiff_t height,
    uint16_t *_Nonnull row, uint16_t *_Nonnull samples);
bool plb_rice_decode32(
    const uint8_t *_Nonnull bytes, size_t count, ptrdiff_t width, ptrdiff_t height,
    uint32_t *_Nonnull row, uint32_t *_Nonnull samples);
