// Two names that libraries of Debian 12 take from glibc, and that glibc 2.28 does not have. They are hidden: no
// other library of the process sees them.
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Expat takes its hash salt from here (glibc has it since 2.36). Requests of up to 256 bytes are never cut short
// or interrupted (getrandom(2)).
void arc4random_buf(void *buffer, size_t count) {
  unsigned char *next = buffer;
  while (count > 0) {
    const size_t piece = count < 256 ? count : 256;
    if (syscall(SYS_getrandom, next, piece, 0) != (long)piece) abort();
    next += piece;
    count -= piece;
  }
}

// libstdc++ of GCC 12 reads it (glibc has it since 2.32) to leave out atomic operations; 0 says that there may be
// other threads.
char __libc_single_threaded = 0;
