#include <math.h>
#include <stdint.h>
#include <string.h>

#include "CTensors.h"

#pragma STDC FP_CONTRACT OFF

size_t plb_number_bytes(plb_number type) {
  switch (type) {
    case plb_number_boolean: case plb_number_i8: case plb_number_u8: return 1;
    case plb_number_f16: case plb_number_i16: case plb_number_u16: return 2;
    case plb_number_f32: case plb_number_i32: case plb_number_u32: return 4;
    case plb_number_f64: case plb_number_i64: case plb_number_u64: return 8;
    default: return 0;
  }
}

#define TO_WHOLE(type_name, least, maximum) \
  { \
    type_name *out = numbers; \
    for (size_t i = 0; i < count; i++) { \
      double value = nearbyint((double)values[i]); \
      out[i] = isnan(value) ? 0 \
               : value <= (double)(least) ? (type_name)(least) \
               : value >= (double)(maximum) ? (type_name)(maximum) \
                                             : (type_name)value; \
    } \
    break; \
  }

void plb_numbers_from_floats(plb_number type, const float *values, size_t count, void *numbers) {
  switch (type) {
    case plb_number_f32: memcpy(numbers, values, count * sizeof(float)); break;
    case plb_number_f64: for (size_t i = 0; i < count; i++) ((double *)numbers)[i] = values[i]; break;
    case plb_number_f16:
      for (size_t i = 0; i < count; i++) ((_Float16 *)numbers)[i] = (_Float16)values[i];
      break;
    case plb_number_boolean:
      for (size_t i = 0; i < count; i++) ((uint8_t *)numbers)[i] = values[i] != 0;
      break;
    case plb_number_i8: TO_WHOLE(int8_t, INT8_MIN, INT8_MAX)
    case plb_number_u8: TO_WHOLE(uint8_t, 0, UINT8_MAX)
    case plb_number_i16: TO_WHOLE(int16_t, INT16_MIN, INT16_MAX)
    case plb_number_u16: TO_WHOLE(uint16_t, 0, UINT16_MAX)
    case plb_number_i32: TO_WHOLE(int32_t, INT32_MIN, INT32_MAX)
    case plb_number_u32: TO_WHOLE(uint32_t, 0, UINT32_MAX)
    case plb_number_i64: TO_WHOLE(int64_t, INT64_MIN, INT64_MAX)
    case plb_number_u64: TO_WHOLE(uint64_t, 0, UINT64_MAX)
    default: break;
  }
}

#define FROM(type_name) \
  for (size_t i = 0; i < count; i++) values[i] = (float)((const type_name *)numbers)[i]; \
  break;

void plb_floats_from_numbers(plb_number type, const void *numbers, size_t count, float *values) {
  switch (type) {
    case plb_number_f32: memcpy(values, numbers, count * sizeof(float)); break;
    case plb_number_f64: FROM(double)
    case plb_number_f16: FROM(_Float16)
    case plb_number_boolean: case plb_number_u8: FROM(uint8_t)
    case plb_number_i8: FROM(int8_t)
    case plb_number_i16: FROM(int16_t)
    case plb_number_u16: FROM(uint16_t)
    case plb_number_i32: FROM(int32_t)
    case plb_number_u32: FROM(uint32_t)
    case plb_number_i64: FROM(int64_t)
    case plb_number_u64: FROM(uint64_t)
    default: break;
  }
}
