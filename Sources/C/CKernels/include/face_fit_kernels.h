// Kernels of the face fit. No kernel allocates, checks sizes or keeps state: the Swift caller has done
// so. Tests hold each to plain Swift; every clone gives the same bits, since sums run in one order.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "face_kernels.h"
#include "ict_face_kit.h"

// result[i] = mean[i] + Σ_k basis[i·stride + k]·coefficients[k] for i below count; `stride` is a
// multiple of 8, and the sum runs in eight partial sums.
void plb_face_shape(
    const float *_Nonnull mean, const float *_Nonnull basis, const float *_Nonnull coefficients,
    int32_t stride, int32_t count, float *_Nonnull result);

// result[i] += coefficient·mode[i] for i below count.
void plb_face_add_mode(
    const float *_Nonnull mode, float coefficient, int32_t count, float *_Nonnull result);

// row[k − first] += Σ_axis direction[axis]·basis[(3·vertex + axis)·stride + k] for first ≤ k < stride.
void plb_face_row(
    const float *_Nonnull basis, int32_t stride, int32_t first, int32_t vertex,
    const float *_Nonnull direction, float *_Nonnull row);

// matrix[i·columns + j] += Σ_r rows[r·columns + i]·rows[r·columns + j] for j ≥ 8·⌊i/8⌋: the upper
// triangle in blocks of eight. `columns` is a multiple of 8; sums of at most 64 rows are in single
// precision, so `count` is at most 64.
void plb_face_accumulate(
    const float *_Nonnull rows, int32_t count, int32_t columns, double *_Nonnull matrix);

// result[8·i + l] = diagonal[i]·x[8·i + l] + Σ weights[p]·x[8·indices[p] + l] for p in
// starts[i] ..< starts[i + 1], of `count` rows and eight vectors at once.
void plb_face_multiply(
    const float *_Nonnull diagonal, const int32_t *_Nonnull starts, const uint32_t *_Nonnull indices,
    const float *_Nonnull weights, int32_t count, const float *_Nonnull x, float *_Nonnull result);

// Σ_i (Σ_{k ≤ i} lower[i·stride + k]·row[k])² for i below `count`: what the inverse of a Cholesky factor
// makes of a row. `stride` is a multiple of 8, and `row` has as many numbers; beyond the diagonal are 0.
double plb_face_variance(
    const float *_Nonnull lower, int32_t count, int32_t stride, const float *_Nonnull row);

// sums[l] = Σ a[8·i + l]·b[8·i + l] for i below `count`, in double precision.
void plb_face_dots(
    const float *_Nonnull a, const float *_Nonnull b, int32_t count, double *_Nonnull sums);

// y[8·i + l] += factors[l]·x[8·i + l] for i below `count`.
void plb_face_add(
    const float *_Nonnull x, const float *_Nonnull factors, int32_t count, float *_Nonnull y);

// y[8·i + l] = factors[l]·y[8·i + l] + x[8·i + l] for i below `count`.
void plb_face_turn(
    const float *_Nonnull x, const float *_Nonnull factors, int32_t count, float *_Nonnull y);

// result[8·i + l] = scales[i]·x[8·i + l] for i below `count`.
void plb_face_scale(
    const float *_Nonnull x, const float *_Nonnull scales, int32_t count, float *_Nonnull result);

// y[8·i + l] += scales[i]·x[8·i + l] for i below `count`.
void plb_face_add_scaled(
    const float *_Nonnull x, const float *_Nonnull scales, int32_t count, float *_Nonnull y);
