// One release binary serves every CPU: the loader picks the clone. The thread sanitizer
// instruments the resolver and crashes at start, so there are no clones under it.
#pragma once
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define PLB_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// Where vectors of 512 bits gain nothing, or lose.
#define PLB_CLONES_256 __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define PLB_CLONES
#define PLB_CLONES_256
#endif
