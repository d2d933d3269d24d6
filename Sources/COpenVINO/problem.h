// How failures are told.
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
/// A file of our own in a folder of our own; none while `folder` is empty.
typedef struct {
  char folder[1024], path[1088];
} temporary_file;
/// Writes bytes to a fresh file of that name, which nobody else can open.
bool make_temporary(
    temporary_file *file, const char *name, const char *bytes, size_t count,
    plumbline_openvino_problem *problem);
void remove_temporary(temporary_file *file);
/// Whether numbers of a type can be converted.
bool is_numeric_type(int type);
/// The bytes of one number; 0 for types that cannot be converted.
size_t bytes_of_type(int type);
void numbers_from_floats(int type, const float *values, size_t count, void *numbers);
void floats_from_numbers(int type, const void *numbers, size_t count, float *values);
#pragma GCC visibility pop
