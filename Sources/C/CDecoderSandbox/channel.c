#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDecoderSandbox.h"

#include <errno.h>

#if defined(__linux__)

#include <fcntl.h>
#include <linux/memfd.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Of <linux/fcntl.h>, which does not go together with <fcntl.h>.
#define ADD_SEALS 1033
#define SEAL_SEAL 1
#define SEAL_SHRINK 2
#define SEAL_GROW 4
#define SEAL_WRITE 8

int plb_open_channel(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? 0 : -errno;
}

int plb_make_region(size_t count) {
  int file = (int)syscall(SYS_memfd_create, "pixels", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -errno;
  // The other process must not be able to cut it: reading behind its end would end this one.
  if (ftruncate(file, (off_t)count) != 0
      || fcntl(file, ADD_SEALS, SEAL_SHRINK | SEAL_GROW | SEAL_SEAL) != 0) {
    int code = -errno;
    close(file);
    return code;
  }
  return file;
}

int plb_make_sealed(const void *bytes, size_t count) {
  int file = (int)syscall(SYS_memfd_create, "model", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -errno;
  int code = 0;
  for (size_t done = 0; code == 0 && done < count;) {
    ssize_t written = write(file, (const char *)bytes + done, count - done);
    if (written > 0) done += (size_t)written;
    else if (written == 0 || errno != EINTR) code = written == 0 ? -EIO : -errno;
  }
  if (code == 0
      && fcntl(file, ADD_SEALS, SEAL_SHRINK | SEAL_GROW | SEAL_WRITE | SEAL_SEAL) != 0)
    code = -errno;
  if (code == 0) return file;
  close(file);
  return code;
}

const void *plb_map_sealed(int descriptor, size_t count) {
  // Private: shared memory that is sealed is refused by Linux before 6.7, even for reading.
  void *start = mmap(NULL, count, PROT_READ, MAP_PRIVATE, descriptor, 0);
  return start == MAP_FAILED ? NULL : start;
}

void *plb_map_region(int descriptor, size_t count) {
  void *start = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? NULL : start;
}

int plb_send_message(int channel, const void *bytes, size_t count, int descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do sent = sendmsg(channel, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : (int)sent;
}

static int64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits until there is something to take.
static int wait_for_message(int channel, int milliseconds) {
  int64_t end = milliseconds_now() + milliseconds;
  for (;;) {
    int64_t left = end - milliseconds_now();
    struct pollfd entry = {.fd = channel, .events = POLLIN};
    int code = poll(&entry, 1, left > 0 ? (int)left : 0);
    if (code > 0) return 0;
    if (code == 0 && left <= 0) return -ETIMEDOUT;
    if (code < 0 && errno != EINTR) return -errno;
  }
}

int plb_receive_message(
  int channel, void *bytes, size_t count, int milliseconds, int *descriptor) {
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (descriptor) {
    *descriptor = -1;
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
  }
  if (milliseconds >= 0) {
    int code = wait_for_message(channel, milliseconds);
    if (code != 0) return code;
  }
  ssize_t got;
  do got = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  for (struct cmsghdr *header = descriptor ? CMSG_FIRSTHDR(&message) : NULL; header;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
      memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  }
  // Without room for them the system has closed the descriptors that came.
  if (message.msg_flags & MSG_CTRUNC) return -EBADMSG;
  if (message.msg_flags & MSG_TRUNC) return -EMSGSIZE;
  return (int)got;
}

int64_t plb_processor_milliseconds(int process) {
  clockid_t clock;
  struct timespec time;
  int code = clock_getcpuclockid(process, &clock);
  if (code != 0) return -code;
  if (clock_gettime(clock, &time) != 0) return -errno;
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

#else

int plb_open_channel(int ends[2]) {
  (void)ends;
  return -ENOSYS;
}

int plb_make_region(size_t count) {
  (void)count;
  return -ENOSYS;
}

int plb_make_sealed(const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return -ENOSYS;
}

const void *plb_map_sealed(int descriptor, size_t count) {
  (void)descriptor;
  (void)count;
  return NULL;
}

void *plb_map_region(int descriptor, size_t count) {
  (void)descriptor;
  (void)count;
  return NULL;
}

int plb_send_message(int channel, const void *bytes, size_t count, int descriptor) {
  (void)channel;
  (void)bytes;
  (void)count;
  (void)descriptor;
  return -ENOSYS;
}

int plb_receive_message(
  int channel, void *bytes, size_t count, int milliseconds, int *descriptor) {
  (void)channel;
  (void)bytes;
  (void)count;
  (void)milliseconds;
  (void)descriptor;
  return -ENOSYS;
}

int64_t plb_processor_milliseconds(int process) {
  (void)process;
  return -ENOSYS;
}

#endif
