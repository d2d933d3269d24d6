// Whole-row kernels where plain Swift falls short of memory bandwidth (see Benchmarks/README.md);
// tests hold each to the same bits as plain Swift. No kernel allocates, checks sizes or keeps state:
// the Swift caller has done so.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One release binary serves every CPU: the loader picks the clone. The thread sanitizer
// instruments the resolver and crashes at start, so there are no clones under it.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define PLB_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLB_CLONES
#endif

// result = source > 0 and finite ? 1 / source : NaN
void plb_reciprocal(const float *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// result = half(source) > 0 and finite ? half(source) : NaN
void plb_depth_from_half(const uint16_t *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// result = half(source) > 0 and finite ? 1 / half(source) : NaN
void plb_depth_from_half_disparity(
    const uint16_t *_Nonnull source, ptrdiff_t count, float *_Nonnull result);

// One row of depth to packed XYZ: result[3i…] = (columns[i]·z, row·z, z). `streams` writes past the
// caches: better where the whole result is larger than they are, worse where it is used at once.
void plb_unproject_row(
    const float *_Nonnull depth, const float *_Nonnull columns, float row, ptrdiff_t count,
    float *_Nonnull result, bool streams);

// One row of depth to packed XYZ with a ray for each pixel: (rays_x[i]·z, rays_y[i]·z, z)
void plb_unproject_row_rays(
    const float *_Nonnull depth, const float *_Nonnull rays_x, const float *_Nonnull rays_y,
    ptrdiff_t count, float *_Nonnull result, bool streams);

// Packed red, green, blue to luma: (19595·R + 38470·G + 7471·B + 32768) / 65536
void plb_luma(const uint8_t *_Nonnull source, ptrdiff_t count, uint8_t *_Nonnull result);
