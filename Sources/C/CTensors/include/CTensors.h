// What the runtimes of networks have in common: shapes, inputs and outputs, texts of failures, and numbers
// from and to 32-bit floats.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The most dimensions that a tensor has here.
#define PLB_TENSOR_RANK 8
/// The bytes of a name, its end included.
#define PLB_TENSOR_NAME_BYTES 256

/// A shape; -1 where a dimension is open. The rank is -1 where that is open too.
typedef struct {
  int32_t rank;
  int64_t lengths[PLB_TENSOR_RANK];
} plb_tensor_shape;

/// One input or output of a network.
typedef struct {
  char name[PLB_TENSOR_NAME_BYTES];
  plb_tensor_shape shape;
  /// Whether its numbers can be converted from and to 32-bit floats here.
  bool is_numeric;
} plb_tensor_port;

/// Receives the text of a failure.
typedef struct {
  char text[1024];
} plb_runtime_problem;

/// A type of numbers; each runtime has its own codes for them.
typedef enum {
  plb_number_unknown = 0,
  plb_number_boolean,
  plb_number_i8,
  plb_number_u8,
  plb_number_i16,
  plb_number_u16,
  plb_number_i32,
  plb_number_u32,
  plb_number_i64,
  plb_number_u64,
  plb_number_f16,
  plb_number_f32,
  plb_number_f64,
} plb_number;

#pragma GCC visibility push(hidden)
/// The bytes of one number; 0 for an unknown type.
size_t plb_number_bytes(plb_number type);
/// Converts floats. For whole numbers they are rounded to the nearest, ties to even; NaN becomes 0, and what
/// is too large the nearest end of the type. Of an unknown type nothing is written.
void plb_numbers_from_floats(plb_number type, const float *values, size_t count, void *numbers);
/// Converts to floats; of an unknown type nothing is written.
void plb_floats_from_numbers(plb_number type, const void *numbers, size_t count, float *values);
#pragma GCC visibility pop
