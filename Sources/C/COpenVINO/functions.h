// What is looked up in the library: names, prototypes and layouts, as the wheel's headers state them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTensors.h"

typedef struct opaque_core core_t;
typedef struct opaque_model model_t;
typedef struct opaque_compiled compiled_t;
typedef struct opaque_request request_t;
typedef struct opaque_tensor tensor_t;
typedef struct opaque_port port_t;

/// A type of numbers by its code; ov_common.h, ov_element_type_e.
static inline plb_number number_of(int code) {
  switch (code) {
    case 1: return plb_number_boolean;
    case 3: return plb_number_f16;
    case 4: return plb_number_f32;
    case 5: return plb_number_f64;
    case 7: return plb_number_i8;
    case 8: return plb_number_i16;
    case 9: return plb_number_i32;
    case 10: return plb_number_i64;
    case 16: return plb_number_u8;
    case 17: return plb_number_u16;
    case 18: return plb_number_u32;
    case 19: return plb_number_u64;
    default: return plb_number_unknown;
  }
}

typedef struct {
  const char *build;
  const char *description;
} version_t;
typedef struct {
  int64_t least, maximum;
} dimension_t;
typedef struct {
  dimension_t rank;
  dimension_t *dimensions;
} partial_shape_t;
typedef struct {
  int64_t rank;
  int64_t *lengths;
} shape_t;
typedef struct {
  const char *key;
  const void *value;
} property_t;

// One line for each: result, name, parameters. Status 0 is success.
#define OPENVINO_FUNCTIONS(X) \
  X(int, ov_get_openvino_version, (version_t *)) \
  X(void, ov_version_free, (version_t *)) \
  X(const char *, ov_get_error_info, (int)) \
  X(const char *, ov_get_last_err_msg, (void)) \
  X(void, ov_free, (const char *)) \
  X(int, ov_core_create, (core_t **)) \
  X(int, ov_core_read_model, (const core_t *, const char *, const char *, model_t **)) \
  X(int, ov_core_read_model_from_memory_buffer, \
    (const core_t *, const char *, size_t, const tensor_t *, model_t **)) \
  X(int, ov_core_compile_model_props, \
    (const core_t *, const model_t *, const char *, size_t, const property_t *, compiled_t **)) \
  X(void, ov_model_free, (model_t *)) \
  X(int, ov_model_inputs_size, (const model_t *, size_t *)) \
  X(int, ov_model_outputs_size, (const model_t *, size_t *)) \
  X(int, ov_model_const_input_by_index, (const model_t *, size_t, port_t **)) \
  X(int, ov_model_const_output_by_index, (const model_t *, size_t, port_t **)) \
  X(int, ov_model_reshape_by_port_indexes, \
    (const model_t *, const size_t *, const partial_shape_t *, size_t)) \
  X(void, ov_compiled_model_free, (compiled_t *)) \
  X(int, ov_compiled_model_create_infer_request, (const compiled_t *, request_t **)) \
  X(void, ov_infer_request_free, (request_t *)) \
  X(int, ov_infer_request_set_input_tensor_by_index, (request_t *, size_t, const tensor_t *)) \
  X(int, ov_infer_request_get_output_tensor_by_index, (const request_t *, size_t, tensor_t **)) \
  X(int, ov_infer_request_infer, (request_t *)) \
  X(int, ov_port_get_any_name, (const port_t *, char **)) \
  X(int, ov_port_get_partial_shape, (const port_t *, partial_shape_t *)) \
  X(int, ov_port_get_element_type, (const port_t *, int *)) \
  X(void, ov_output_const_port_free, (port_t *)) \
  X(int, ov_partial_shape_create_static, (int64_t, const int64_t *, partial_shape_t *)) \
  X(void, ov_partial_shape_free, (partial_shape_t *)) \
  X(int, ov_tensor_create, (int, shape_t, tensor_t **)) \
  X(int, ov_tensor_get_shape, (const tensor_t *, shape_t *)) \
  X(int, ov_tensor_get_element_type, (const tensor_t *, int *)) \
  X(int, ov_tensor_get_size, (const tensor_t *, size_t *)) \
  X(int, ov_tensor_get_byte_size, (const tensor_t *, size_t *)) \
  X(int, ov_tensor_data, (const tensor_t *, void **)) \
  X(void, ov_tensor_free, (tensor_t *)) \
  X(int, ov_shape_free, (shape_t *))

struct plumbline_openvino {
  core_t *core;
  /// The path that it was loaded from, and the library that was loaded before it.
  const char *path;
  struct plumbline_openvino *next;
#define FIELD(result, name, parameters) result(*name) parameters;
  OPENVINO_FUNCTIONS(FIELD)
#undef FIELD
};
