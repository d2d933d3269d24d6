// Keys of blocks, as BlockKey and BlockIndex of the Swift side have them.
#pragma once
#include <stdint.h>

#define VOLUME_REACH (1 << 20)

// 21 bits for each coordinate, z above y above x, each counted from the corner.
static inline uint64_t volume_key(int32_t x, int32_t y, int32_t z) {
  return (uint64_t)(uint32_t)(z + VOLUME_REACH) << 42 | (uint64_t)(uint32_t)(y + VOLUME_REACH) << 21
      | (uint64_t)(uint32_t)(x + VOLUME_REACH);
}

// The mixing of SplitMix64 (Steele, Lea and Flood 2014).
static inline uint64_t volume_hash(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

// The whole number at or below a value above -2^24; values up to 2^-29 below a whole number count as it.
static inline int32_t volume_floor(double value) { return (int32_t)(value + 0x1p24) - (1 << 24); }
