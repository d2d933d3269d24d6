#include "depth_codec_kernels.h"

#include <math.h>
#include <string.h>

#include "clones.h"

static inline uint32_t pattern(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

PLB_CLONES
void plb_predicted_disparity(const float *meters, ptrdiff_t count, bool half, float *result) {
  for (ptrdiff_t i = 0; i < count; i++) {
    // Like a reader of the image, this treats infinite values as missing.
    uint32_t bits = pattern(meters[i] < INFINITY ? 1 / meters[i] : NAN);
    uint32_t rounded = (bits + 0xFFF + (bits >> 13 & 1)) & ~0x1FFFu;
    bits = half ? rounded : bits;
    memcpy(&result[i], &bits, sizeof bits);
  }
}

PLB_CLONES
uint8_t plb_residuals(
    const float *values, const float *predicted, ptrdiff_t count, uint8_t mark, uint8_t *result) {
  uint8_t all = 0;
  for (ptrdiff_t i = 0; i < count; i++) {
    float value = values[i], prediction = predicted[i];
    int isMissing = value != value, isUnpredicted = prediction != prediction;
    // Patterns of numbers are too few for a difference that wraps around to be small.
    uint32_t difference = pattern(value) - pattern(prediction);
    int fits = !isMissing & !isUnpredicted & (difference + 127 <= 254);
    uint8_t residual = fits ? (uint8_t)difference : mark;
    residual = isMissing & isUnpredicted ? 0 : residual;
    result[i] = residual;
    all |= residual;
  }
  return all;
}
