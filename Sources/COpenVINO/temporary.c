#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problem.h"

static bool write_all(FILE *file, const char *bytes, size_t count) {
  bool is_written = fwrite(bytes, 1, count, file) == count;
  return fclose(file) == 0 && is_written;
}

bool make_temporary(
    temporary_file *file, const char *name, const char *bytes, size_t count,
    plumbline_openvino_problem *problem) {
  const char *base = getenv("TMPDIR");
  if (!base || *base != '/') base = "/tmp";
  *file = (temporary_file){0};
  int folder_length =
      snprintf(file->folder, sizeof file->folder, "%s/plumbline-XXXXXX", base);
  if (folder_length < 0 || (size_t)folder_length >= sizeof file->folder) {
    tell(problem, "the path in TMPDIR is too long");
    file->folder[0] = 0;
    return false;
  }
  // Nobody else may look into it, so that what is read is what was checked.
  if (!mkdtemp(file->folder)) {
    char text[256];
    snprintf(text, sizeof text, "no temporary folder: %s", strerror(errno));
    tell(problem, text);
    file->folder[0] = 0;
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

void remove_temporary(temporary_file *file) {
  if (!file->folder[0]) return;
  unlink(file->path);
  rmdir(file->folder);
  file->folder[0] = 0;
}
