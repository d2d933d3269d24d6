#include "depth_codec_kernels.h"
#include "clones.h"
#include "rice_bits.h"

size_t plb_rice_capacity(ptrdiff_t width, ptrdiff_t height, ptrdiff_t byteCount) {
  if (width <= 0 || height <= 0 || byteCount <= 0) return 0;
  // Of a block: two bits and a mask, a mode, and 16 numbers that are escaped at worst; then what the
  // writer may hold back.
  size_t blocks, total;
  size_t perBlock = (size_t)(2 + BLOCK + 6 + BLOCK * (ESCAPE + 8 * byteCount)) / 8 + 1;
  if (__builtin_mul_overflow(((size_t)width + BLOCK - 1) / BLOCK, (size_t)height, &blocks) ||
      __builtin_mul_overflow(blocks, perBlock, &total) || total > PTRDIFF_MAX - 16) {
    return 0;
  }
  return total + 16;
}

#define CODE uint8_t
#define SIGNED_CODE int8_t
#define WIDTH 8
#define ENCODE plb_rice_encode8
#define DECODE plb_rice_decode8
#define NAMED(name) name##8
#include "rice_map.h"

#define CODE uint16_t
#define SIGNED_CODE int16_t
#define WIDTH 16
#define ENCODE plb_rice_encode16
#define DECODE plb_rice_decode16
#define NAMED(name) name##16
#include "rice_map.h"

#define CODE uint32_t
#define SIGNED_CODE int32_t
#define WIDTH 32
#define ENCODE plb_rice_encode32
#define DECODE plb_rice_decode32
#define NAMED(name) name##32
#include "rice_map.h"
