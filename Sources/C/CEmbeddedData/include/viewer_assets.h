#pragma once
#include <stddef.h>

// The hand-written files of the viewer and the report, embedded at compile time; they live as long as
// the program.

typedef struct {
  const unsigned char *_Nullable bytes;
  size_t count;
} plumbline_asset;

// The file of that name, such as "cloud.js"; no bytes for a name that is none.
plumbline_asset plumbline_viewer_file(const char *_Nonnull name);
