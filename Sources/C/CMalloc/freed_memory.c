#include "freed_memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void plb_keep_freed_memory(int mapped, int trim) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, mapped);
  mallopt(M_TRIM_THRESHOLD, trim);
#else
  (void)mapped;
  (void)trim;
#endif
}
