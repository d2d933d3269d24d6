// What a process that runs foreign decoders or networks needs of Linux and Swift cannot say: a filter of system
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

// What a process that runs a network may still have of files.
typedef struct {
  // The model's descriptor, which the process keeps no longer under that number.
  int model;
  // The name by which the model can be opened for reading: no file, and a name that no other file has.
  const char *model_path;
  // The runtime's folder without symbolic links: it can be listed; its files can be requested and not
  // opened.
  const char *folder;
} plb_network_files;

// As plb_enter_sandbox, for a runtime of networks that was warmed up: threads and memory that can be
// run besides. Names of files never reach the system: the process answers such calls itself, with
// the model and the folder; every other name ends the process by SIGSYS, except that what lies in
// /proc and /sys is not there. Called once, by the first thread.
int plb_enter_network_sandbox(const plb_process_limits *limits, const plb_network_files *files);

// Two connected sockets that keep messages whole, closed when a program is started.
int plb_open_channel(int ends[2]);

// Memory of a fixed size that can be sent to another process; the descriptor.
int plb_make_region(size_t count);

// Memory that holds these bytes and that can no longer be changed; returns the descriptor.
int plb_make_sealed(const void *bytes, size_t count);

// Maps such memory for reading; NULL where that fails.
const void *plb_map_sealed(int descriptor, size_t count);

// Maps memory of plb_make_region, readable and writable; NULL where that fails.
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
