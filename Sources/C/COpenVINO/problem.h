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
/// Whether numbers of a type can be converted.
bool is_numeric_type(int type);
/// The bytes of one number; 0 for types that cannot be converted.
size_t bytes_of_type(int type);
void numbers_from_floats(int type, const float *values, size_t count, void *numbers);
void floats_from_numbers(int type, const void *numbers, size_t count, float *values);
#pragma GCC visibility pop
