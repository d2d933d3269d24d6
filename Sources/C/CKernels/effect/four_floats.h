// Four floats at once: a cell of the blur's layers.
#pragma once
#include <string.h>

// Four floats at any address.
typedef float four __attribute__((vector_size(16)));

static inline four load(const float *place) {
  four value;
  memcpy(&value, place, sizeof value);
  return value;
}

static inline void store(float *place, four value) { memcpy(place, &value, sizeof value); }

static inline four splat(float value) { return (four){value, value, value, value}; }
