// What is taken from the library's table of functions: positions, prototypes and numbers.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CONNXRuntime.h"

typedef struct opaque_ort_status status_t;
typedef struct opaque_ort_env env_t;
typedef struct opaque_ort_options options_t;
typedef struct opaque_ort_session session_t;
typedef struct opaque_ort_value value_t;
typedef struct opaque_ort_memory memory_t;
typedef struct opaque_ort_type type_info_t;
typedef struct opaque_ort_tensor_info tensor_info_t;
typedef struct opaque_ort_allocator allocator_t;
typedef struct opaque_ort_cuda cuda_options_t;

/// What the one exported function gives; it never changes.
typedef struct {
  const void *(*get_api)(uint32_t version);
  const char *(*get_version)(void);
} api_base_t;

enum {
  requested_api_version = 12,
  log_error = 3,
  optimize_all = 99,
  arena_allocator = 1,
  default_memory = 0,
};

/// A type of numbers by its code; ONNXTensorElementDataType.
static inline plb_number number_of(int code) {
  switch (code) {
    case 1: return plb_number_f32;
    case 2: return plb_number_u8;
    case 3: return plb_number_i8;
    case 4: return plb_number_u16;
    case 5: return plb_number_i16;
    case 6: return plb_number_i32;
    case 7: return plb_number_i64;
    case 9: return plb_number_boolean;
    case 10: return plb_number_f16;
    case 11: return plb_number_f64;
    case 12: return plb_number_u32;
    case 13: return plb_number_u64;
    default: return plb_number_unknown;
  }
}

// One line for each: position in the table, result, name, parameters. A status of NULL is success.
#define ONNXRUNTIME_FUNCTIONS(X) \
  X(2, const char *, GetErrorMessage, (const status_t *)) \
  X(3, status_t *, CreateEnv, (int, const char *, env_t **)) \
  X(8, status_t *, CreateSessionFromArray, \
    (const env_t *, const void *, size_t, const options_t *, session_t **)) \
  X(9, status_t *, Run, \
    (session_t *, const void *, const char *const *, const value_t *const *, size_t, \
     const char *const *, size_t, value_t **)) \
  X(10, status_t *, CreateSessionOptions, (options_t **)) \
  X(23, status_t *, SetSessionGraphOptimizationLevel, (options_t *, int)) \
  X(24, status_t *, SetIntraOpNumThreads, (options_t *, int)) \
  X(25, status_t *, SetInterOpNumThreads, (options_t *, int)) \
  X(30, status_t *, SessionGetInputCount, (const session_t *, size_t *)) \
  X(31, status_t *, SessionGetOutputCount, (const session_t *, size_t *)) \
  X(33, status_t *, SessionGetInputTypeInfo, (const session_t *, size_t, type_info_t **)) \
  X(34, status_t *, SessionGetOutputTypeInfo, (const session_t *, size_t, type_info_t **)) \
  X(36, status_t *, SessionGetInputName, (const session_t *, size_t, allocator_t *, char **)) \
  X(37, status_t *, SessionGetOutputName, (const session_t *, size_t, allocator_t *, char **)) \
  X(49, status_t *, CreateTensorWithDataAsOrtValue, \
    (const memory_t *, void *, size_t, const int64_t *, size_t, int, value_t **)) \
  X(51, status_t *, GetTensorMutableData, (value_t *, void **)) \
  X(55, status_t *, CastTypeInfoToTensorInfo, (const type_info_t *, const tensor_info_t **)) \
  X(60, status_t *, GetTensorElementType, (const tensor_info_t *, int *)) \
  X(61, status_t *, GetDimensionsCount, (const tensor_info_t *, size_t *)) \
  X(62, status_t *, GetDimensions, (const tensor_info_t *, int64_t *, size_t)) \
  X(64, status_t *, GetTensorShapeElementCount, (const tensor_info_t *, size_t *)) \
  X(65, status_t *, GetTensorTypeAndShape, (const value_t *, tensor_info_t **)) \
  X(69, status_t *, CreateCpuMemoryInfo, (int, int, memory_t **)) \
  X(76, status_t *, AllocatorFree, (allocator_t *, void *)) \
  X(78, status_t *, GetAllocatorWithDefaultOptions, (allocator_t **)) \
  X(93, void, ReleaseStatus, (status_t *)) \
  X(95, void, ReleaseSession, (session_t *)) \
  X(96, void, ReleaseValue, (value_t *)) \
  X(98, void, ReleaseTypeInfo, (type_info_t *)) \
  X(99, void, ReleaseTensorTypeAndShapeInfo, (tensor_info_t *)) \
  X(100, void, ReleaseSessionOptions, (options_t *)) \
  X(130, status_t *, AddSessionConfigEntry, (options_t *, const char *, const char *)) \
  X(204, status_t *, AppendExecutionProviderCUDA, (options_t *, const cuda_options_t *)) \
  X(205, status_t *, CreateCUDAProviderOptions, (cuda_options_t **)) \
  X(208, void, ReleaseCUDAProviderOptions, (cuda_options_t *)) \
  X(216, status_t *, AppendExecutionProvider, \
    (options_t *, const char *, const char *const *, const char *const *, size_t))

struct plumbline_onnxruntime {
  env_t *env;
  memory_t *memory;
  allocator_t *allocator;
  const char *version;
  /// The path that it was loaded from, and the library that was loaded before it.
  const char *path;
  struct plumbline_onnxruntime *next;
#define FIELD(position, result, name, parameters) result(*name) parameters;
  ONNXRUNTIME_FUNCTIONS(FIELD)
#undef FIELD
};

#pragma GCC visibility push(hidden)
/// Writes a text of our own.
void plb_ort_tell(plumbline_onnxruntime_problem *problem, const char *text);
/// Whether a status is success; writes and frees the text of another.
bool plb_ort_succeeds(
    const plumbline_onnxruntime *library, status_t *status,
    plumbline_onnxruntime_problem *problem);
/// Held while anything is loaded, compiled or given back.
void plb_ort_lock(void);
void plb_ort_unlock(void);
#pragma GCC visibility pop
