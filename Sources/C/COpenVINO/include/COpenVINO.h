// OpenVINO's C interface, looked up in a library that is loaded at the first request, so that
// everything else builds and runs without OpenVINO.
//
// Every function that can fail gives 0 (or NULL) and writes one bounded, terminated text. A network
// may be used by one thread at a time; several networks of one library by several threads.
// Source of what is called: the headers openvino/c/*.h inside the wheel openvino 2026.4.1 on PyPI.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CTensors.h"

typedef struct plumbline_openvino plumbline_openvino;
typedef struct plumbline_openvino_network plumbline_openvino_network;

typedef plb_tensor_shape plumbline_openvino_shape;
/// A name that is longer than it may be is cut.
typedef plb_tensor_port plumbline_openvino_port;
typedef plb_runtime_problem plumbline_openvino_problem;

/// Loads the library at a path, or gives the one that was loaded from there; what it needs lies beside
/// it. It stays, with its core, until the process ends.
plumbline_openvino *plumbline_openvino_load(
    const char *path, plumbline_openvino_problem *problem);
/// The version as the library reports it.
bool plumbline_openvino_version(plumbline_openvino *library, char *text, size_t text_bytes);

/// Reads a model: from bytes, or where those are NULL from a file.
plumbline_openvino_network *plumbline_openvino_read(
    plumbline_openvino *library, const char *bytes, size_t byte_count, const char *path,
    plumbline_openvino_problem *problem);
void plumbline_openvino_release_network(plumbline_openvino_network *network);

size_t plumbline_openvino_port_count(
    const plumbline_openvino_network *network, bool is_output);
bool plumbline_openvino_describe(
    const plumbline_openvino_network *network, bool is_output, size_t index,
    plumbline_openvino_port *port, plumbline_openvino_problem *problem);
/// Fixes the shapes of all inputs, before it is compiled.
bool plumbline_openvino_reshape(
    plumbline_openvino_network *network, const plumbline_openvino_shape *shapes, size_t count,
    plumbline_openvino_problem *problem);
/// Makes it ready to run on the processor, with so many threads, in f32 or bf16.
bool plumbline_openvino_compile(
    plumbline_openvino_network *network, uint32_t threads, bool reduced_precision,
    plumbline_openvino_problem *problem);

/// Copies the numbers of one input.
bool plumbline_openvino_set_input(
    plumbline_openvino_network *network, size_t index, const plumbline_openvino_shape *shape,
    const float *values, size_t count, plumbline_openvino_problem *problem);
bool plumbline_openvino_infer(
    plumbline_openvino_network *network, plumbline_openvino_problem *problem);
/// The shape of an output after a run, and how many numbers it has.
bool plumbline_openvino_output_shape(
    plumbline_openvino_network *network, size_t index, plumbline_openvino_shape *shape,
    size_t *count, plumbline_openvino_problem *problem);
/// Copies the numbers of an output after a run; `count` must be what its shape says.
bool plumbline_openvino_copy_output(
    plumbline_openvino_network *network, size_t index, float *values, size_t count,
    plumbline_openvino_problem *problem);
