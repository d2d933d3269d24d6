// What a process that runs foreign decoders needs of Linux and Swift cannot say: a filter of system
// calls, and messages between two processes that carry a descriptor.
//
// Every function gives 0 or a count, or the negative error number of the system. Elsewhere than on
// Linux, and on processors that the filter is not written for, all give -ENOSYS.
#ifndef CDECODER_SANDBOX_H
#define CDECODER_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  // Bytes of address space.
  uint64_t address_space;
  // Seconds of processor time, all jobs together.
  uint64_t processor_seconds;
  // Descriptors that may be open at once.
  uint64_t descriptors;
} plb_process_limits;

// Shuts this process in for good: no descriptor but 0, limits, and only the system calls that
// decoding needs; any other ends the process by SIGSYS. The process ends with the thread that
// started it.
int plb_enter_sandbox(const plb_process_limits *limits);

// Two connected sockets that keep messages whole, closed when a program is started.
int plb_open_channel(int ends[2]);

// Memory of a fixed size that can be sent to another process; the descriptor.
int plb_make_region(size_t count);

// Maps such memory, readable and writable; NULL where that fails.
void *plb_map_region(int descriptor, size_t count);

// Sends one message, with a descriptor beside it unless that is negative.
int plb_send_message(int channel, const void *bytes, size_t count, int descriptor);

// Waits up to so many milliseconds for a message and takes it; a negative time waits for good.
//
// Returns its length, 0 at the end of the channel; -ETIMEDOUT; -EMSGSIZE for a message that is longer
// than `count`. A descriptor that comes with it goes to `descriptor` (-1 for none); without that
// pointer a message that carries one is refused with -EBADMSG.
int plb_receive_message(
  int channel, void *bytes, size_t count, int milliseconds, int *descriptor);

// The processor time that a process of this user has taken, in milliseconds.
int64_t plb_processor_milliseconds(int process);

#endif
