// Whole-raster kernels of stereo matching. No kernel allocates, checks sizes or keeps state: the
// Swift caller has done so. Tests hold each kernel to plain Swift.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "pair_features.h"

// One release binary serves every CPU: the loader picks the clone. The thread sanitizer
// instruments the resolver and crashes at start, so there are no clones under it.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define PLB_STEREO_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PLB_STEREO_CLONES
#endif
