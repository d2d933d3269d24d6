#pragma once
#include <stddef.h>

// The catalog of devices, embedded at compile time; it lives as long as the program.

typedef struct {
  const unsigned char *bytes;
  size_t count;
} plumbline_catalog;

plumbline_catalog plumbline_device_catalog(void);
