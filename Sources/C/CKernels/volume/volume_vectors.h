// Vectors of eight numbers, for the voxels of a row and for pixels.
#pragma once
#include "volume_kernels.h"

enum { lanes = 8 };

typedef float floats __attribute__((vector_size(32)));
typedef int32_t ints __attribute__((vector_size(32)));
typedef uint32_t unsigneds __attribute__((vector_size(32)));
typedef uint16_t shorts __attribute__((vector_size(16)));
typedef int16_t signed_shorts __attribute__((vector_size(16)));
_Static_assert(sizeof(plb_volume_pixel) == sizeof(floats), "a pixel fills a vector");

#define PLB_INLINE static inline __attribute__((always_inline))

// a where the mask is all ones, b where it is 0.
#define PICK(mask, a, b) ((floats)(((mask) & (ints)(a)) | (~(mask) & (ints)(b))))
#define ANY(mask) (__builtin_reduce_or(mask) != 0)

PLB_INLINE float least_of(const floats *values) {
  float least = (*values)[0];
  for (int i = 1; i < lanes; i++) least = (*values)[i] < least ? (*values)[i] : least;
  return least;
}

PLB_INLINE float most_of(const floats *values) {
  float most = (*values)[0];
  for (int i = 1; i < lanes; i++) most = (*values)[i] > most ? (*values)[i] : most;
  return most;
}

// Eight vectors of eight become those of their first numbers, of their second ones and so on: pairs, then fours, then
// halves.
PLB_INLINE void transpose(floats *p) {
  floats a[lanes], b[lanes];
  for (int i = 0; i < lanes; i += 2) {
    a[i] = __builtin_shufflevector(p[i], p[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[i + 1] = __builtin_shufflevector(p[i], p[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < lanes; i += 4) {
    for (int k = 0; k < 2; k++) {
      b[i + 2 * k] = __builtin_shufflevector(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      b[i + 2 * k + 1] =
          __builtin_shufflevector(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int i = 0; i < 4; i++) {
    p[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    p[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
