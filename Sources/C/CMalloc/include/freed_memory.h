#ifndef PLUMBLINE_FREED_MEMORY_H
#define PLUMBLINE_FREED_MEMORY_H

/// Lets the allocator keep memory that was freed, up to `trim` bytes at the end of its heap, and take
/// blocks of up to `mapped` bytes from there; elsewhere than in glibc nothing changes.
void plb_keep_freed_memory(int mapped, int trim);

#endif
