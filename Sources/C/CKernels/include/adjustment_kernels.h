// Loops of the adjustment of camera and board; their Swift twins in the tests give the same bits.
#pragma once
#include <stddef.h>

// matrix[columns[i]][columns[j]] −= Σ rows[r][i]·rows[r][j] over six rows, for j ≤ i: the lower triangle
// of a matrix of `count` columns. `rows` holds six rows of `width`, `columns` ascends.
void plb_subtract_products(
    double *_Nonnull matrix, ptrdiff_t count, const double *_Nonnull rows,
    const ptrdiff_t *_Nonnull columns, ptrdiff_t width);

// Replaces the lower triangle of a symmetric matrix by Cholesky's factor. Returns 0 when a pivot is
// lost, that is when less than 1e-12 of its entry is left or it is not finite, else 1.
int plb_factor_cholesky(double *_Nonnull lower, ptrdiff_t count);
