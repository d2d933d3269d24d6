// What the programs of this folder share: a check that ends the program, and calls that must succeed.
#ifndef PLUMBLINE_CHECKS_H
#define PLUMBLINE_CHECKS_H

#include <plumbline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/// Every part of an error must be readable, and a message must be there.
static inline plumbline_category take_error(plumbline_error *error) {
  CHECK(error != NULL);
  CHECK(strlen(plumbline_error_message(error)) > 0);
  CHECK(strstr(plumbline_error_json(error), "plumbline.error/1") != NULL);
  const char *parts[] = {plumbline_error_file(error), plumbline_error_place(error),
                         plumbline_error_expected(error), plumbline_error_found(error)};
  size_t length = 0;
  for (size_t i = 0; i < 4; i++) length += parts[i] ? strlen(parts[i]) : 0;
  CHECK(length < 1 << 20);
  plumbline_category category = plumbline_error_category(error);
  plumbline_error_free(error);
  return category;
}

/// Reads every element of an array, so that a sanitizer sees memory that is not there.
static inline double sum(const plumbline_array *array) {
  CHECK(array->values != NULL && array->dimensions >= 1 && array->dimensions <= 3);
  double total = 0;
  int64_t shape[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
  for (int32_t i = 0; i < array->dimensions; i++) {
    shape[i] = array->shape[i];
    stride[i] = array->stride[i];
  }
  for (int64_t y = 0; y < shape[0]; y++)
    for (int64_t x = 0; x < shape[1]; x++)
      for (int64_t c = 0; c < shape[2]; c++) {
        const char *at = (const char *)array->values + y * stride[0] + x * stride[1] + c * stride[2];
        double value = array->element == PLUMBLINE_UINT8 ? *(const uint8_t *)at : *(const float *)at;
        if (value == value) total += value;
      }
  return total;
}

/// Takes a document and frees it; it must be there.
static inline void take_text(char *text) {
  CHECK(text != NULL && strlen(text) > 1);
  plumbline_text_free(text);
}

/// Asks a capture for all that there is; what fails must say why. Returns the sum of all arrays.
static inline double read_all(plumbline_capture *capture) {
  static const char *const names[] = {
      "depth",  "depth.sigma",  "depth.stored", "depth.invented", "confidence",  "color",
      "rays",   "points",       "points.color", "points.sigma",   "points.pixel", "matte.hair",
      "matte.", "nothing.like.it"};
  double total = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    plumbline_error *error = NULL;
    plumbline_array array;
    if (plumbline_capture_array(capture, names[i], &array, &error))
      total += sum(&array);
    else
      take_error(error);
  }
  char *(*documents[])(plumbline_capture *, plumbline_error **) = {
      plumbline_capture_verdict, plumbline_capture_contents, plumbline_capture_array_names,
      plumbline_capture_calibration_json};
  for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
    plumbline_error *error = NULL;
    char *text = documents[i](capture, &error);
    if (text)
      take_text(text);
    else
      take_error(error);
  }
  plumbline_error *error_of_unit = NULL;
  if (plumbline_capture_is_metric(capture, &error_of_unit) < 0) take_error(error_of_unit);
  plumbline_calibration calibration;
  if (plumbline_capture_calibration(capture, &calibration, NULL)) CHECK(calibration.fx > 0);
  double pose[16], seconds;
  plumbline_capture_pose(capture, pose);
  plumbline_capture_time(capture, &seconds);
  return total;
}

/// The bytes of a file; the caller frees them.
static inline char *contents(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  CHECK(size >= 0);
  rewind(file);
  char *bytes = malloc((size_t)size + 1);
  CHECK(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  *count = (size_t)size;
  return bytes;
}

#endif
