#include <stddef.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Lets the allocator keep memory that was freed, up to `trim` bytes at the end of its heap, and take
/// blocks of up to `mapped` bytes from there; elsewhere than in glibc nothing changes.
static inline void plb_keep_freed_memory(int mapped, int trim) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, mapped);
  mallopt(M_TRIM_THRESHOLD, trim);
#else
  (void)mapped;
  (void)trim;
#endif
}
