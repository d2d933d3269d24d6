// ONNX Runtime's C interface, looked up in a library that is loaded at the first request, so that
// everything else builds and runs without ONNX Runtime.
//
// Every function that can fail gives false (or NULL) and writes one bounded, terminated text. A network
// may be used by one thread at a time; several networks of one library by several threads.
// Source of what is called: the table `OrtApi` of microsoft/onnxruntime (MIT), whose order is fixed for
// each version of the interface; version 12 of it is requested, which every library since 1.12 has.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTensors.h"

/// The most inputs, and the most outputs, of a network here.
#define PLUMBLINE_ONNXRUNTIME_PORTS 64

typedef struct plumbline_onnxruntime plumbline_onnxruntime;
typedef struct plumbline_onnxruntime_network plumbline_onnxruntime_network;

typedef plb_tensor_shape plumbline_onnxruntime_shape;
/// A network with a name that is longer than it may be is refused.
typedef plb_tensor_port plumbline_onnxruntime_port;
typedef plb_runtime_problem plumbline_onnxruntime_problem;

/// Which provider computes.
typedef enum {
  plumbline_onnxruntime_cpu = 0,
  plumbline_onnxruntime_cuda = 1,
  plumbline_onnxruntime_coreml = 2,
} plumbline_onnxruntime_provider;

/// Loads the library at a path, or gives the one that was loaded from there. It stays until the process
/// ends.
plumbline_onnxruntime *plumbline_onnxruntime_load(
    const char *path, plumbline_onnxruntime_problem *problem);
/// The version as the library reports it, such as 1.32.0.
const char *plumbline_onnxruntime_version(const plumbline_onnxruntime *library);

/// Reads an ONNX model from bytes and makes it ready to run with so many threads.
plumbline_onnxruntime_network *plumbline_onnxruntime_read(
    plumbline_onnxruntime *library, const void *bytes, size_t byte_count, int threads,
    plumbline_onnxruntime_provider provider, plumbline_onnxruntime_problem *problem);
void plumbline_onnxruntime_release(plumbline_onnxruntime_network *network);

size_t plumbline_onnxruntime_port_count(
    const plumbline_onnxruntime_network *network, bool is_output);
/// One port; `index` is below the count.
const plumbline_onnxruntime_port *plumbline_onnxruntime_port_at(
    const plumbline_onnxruntime_network *network, bool is_output, size_t index);

/// Copies the numbers of one input, of a shape without open dimensions whose product is `count`.
bool plumbline_onnxruntime_set_input(
    plumbline_onnxruntime_network *network, size_t index, const plumbline_onnxruntime_shape *shape,
    const float *values, size_t count, plumbline_onnxruntime_problem *problem);
/// Runs it once, after all inputs were set.
bool plumbline_onnxruntime_run(
    plumbline_onnxruntime_network *network, plumbline_onnxruntime_problem *problem);
/// The shape of an output after a run, and how many numbers it has.
bool plumbline_onnxruntime_output_shape(
    plumbline_onnxruntime_network *network, size_t index, plumbline_onnxruntime_shape *shape,
    size_t *count, plumbline_onnxruntime_problem *problem);
/// Copies the numbers of an output after a run; `count` must be what its shape says.
bool plumbline_onnxruntime_copy_output(
    plumbline_onnxruntime_network *network, size_t index, float *values, size_t count,
    plumbline_onnxruntime_problem *problem);
