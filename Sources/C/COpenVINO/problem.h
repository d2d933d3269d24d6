// Reporting of failures.
#pragma once

#include "COpenVINO.h"
#include "functions.h"

#pragma GCC visibility push(hidden)
/// Writes a text of our own.
void tell(plumbline_openvino_problem *problem, const char *text);
/// Writes what the library says of its last failure, and frees that.
void tell_last(
    const plumbline_openvino *library, int status, plumbline_openvino_problem *problem);
/// Held while anything is loaded, compiled or given back.
void plumbline_openvino_lock(void);
void plumbline_openvino_unlock(void);
/// A status that OpenVINO does not have: what went wrong was not its fault; is reported.
enum { told_already = 1000 };
/// Reads a model from bytes, or where those are NULL from a file; TFLite always from a file, since its
/// reader knows no other way (OpenVINO 2026.4.1).
int read_model(
    plumbline_openvino *library, const char *bytes, size_t byte_count, const char *path,
    model_t **model, plumbline_openvino_problem *problem);
#pragma GCC visibility pop
