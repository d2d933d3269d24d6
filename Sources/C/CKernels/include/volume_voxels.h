// How the voxels of a volume are stored: 16 bits for a distance and 16 for a weight.
#pragma once
#include <stdint.h>
#include <string.h>

enum {
  // A distance is the whole number below it in 4,096ths of a voxel: 8 voxels, the longest truncation, are the reach,
  // and with half a step added when read it is never 0.
  PLB_VOXEL_STEPS = 4096,
  // A weight is the upper bits of a single precision number: an exponent of six bits, from 2^-16 on, and a
  // fraction of ten. 0 is none.
  PLB_VOXEL_WEIGHT_SHIFT = 13,
  PLB_VOXEL_WEIGHT_BASE = (127 - 16) << 10,
  PLB_VOXEL_WEIGHT_MOST = 65535
};

// The distance in steps.
static inline float plb_voxel_distance(int16_t code) { return (float)code + 0.5f; }

// The weight in 1/m^2.
static inline float plb_voxel_weight(int16_t code) {
  const uint32_t stored = (uint16_t)code;
  const uint32_t bits = stored ? (stored + PLB_VOXEL_WEIGHT_BASE) << PLB_VOXEL_WEIGHT_SHIFT : 0;
  float weight;
  memcpy(&weight, &bits, sizeof(weight));
  return weight;
}
