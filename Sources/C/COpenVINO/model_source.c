#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem.h"

/// A file of our own in a folder of our own.
typedef struct {
  char folder[1024], path[1088];
} temporary_file;

static bool write_all(FILE *file, const char *bytes, size_t count) {
  bool is_written = fwrite(bytes, 1, count, file) == count;
  return fclose(file) == 0 && is_written;
}

static void remove_temporary(temporary_file *file) {
  unlink(file->path);
  rmdir(file->folder);
}

/// Writes bytes to a fresh file of that name, which no other user can open.
static bool make_temporary(
    temporary_file *file, const char *name, const char *bytes, size_t count,
    plumbline_openvino_problem *problem) {
  const char *base = getenv("TMPDIR");
  if (!base || *base != '/') base = "/tmp";
  *file = (temporary_file){0};
  int folder_length =
      snprintf(file->folder, sizeof file->folder, "%s/plumbline-XXXXXX", base);
  if (folder_length < 0 || (size_t)folder_length >= sizeof file->folder) {
    tell(problem, "the path in TMPDIR is too long");
    return false;
  }
  // No other user may read or write in it, so that what is read is what was checked.
  if (!mkdtemp(file->folder)) {
    char text[256];
    snprintf(text, sizeof text, "no temporary folder: %s", strerror(errno));
    tell(problem, text);
    return false;
  }
  snprintf(file->path, sizeof file->path, "%s/%s", file->folder, name);
  FILE *stream = fopen(file->path, "wbx");
  if (!stream || !write_all(stream, bytes, count)) {
    char text[256];
    snprintf(text, sizeof text, "no temporary file: %s", strerror(errno));
    tell(problem, text);
    remove_temporary(file);
    return false;
  }
  return true;
}

int read_model(
    plumbline_openvino *library, const char *bytes, size_t byte_count, const char *path,
    model_t **model, plumbline_openvino_problem *problem) {
  if (!bytes) return library->ov_core_read_model(library->core, path, NULL, model);
  if (byte_count < 8 || memcmp(bytes + 4, "TFL3", 4) != 0) {
    return library->ov_core_read_model_from_memory_buffer(
        library->core, bytes, byte_count, NULL, model);
  }
  temporary_file file;
  if (!make_temporary(&file, "model.tflite", bytes, byte_count, problem)) return told_already;
  int status = library->ov_core_read_model(library->core, file.path, NULL, model);
  remove_temporary(&file);
  return status;
}
