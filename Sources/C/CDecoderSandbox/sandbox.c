#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDecoderSandbox.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "filter.h"

// A call whose third argument must not request memory that can be run.
#define ALLOW_WITHOUT_CODE(call)                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD_ARGUMENT(2),    \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),                    \
    GIVE(SECCOMP_RET_KILL_PROCESS), GIVE(SECCOMP_RET_ALLOW)

int plb_install(struct sock_filter *rules, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = rules};
  long code = syscall(
    SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  // Above zero: the number of a thread that could not be taken along.
  return code == 0 ? 0 : code > 0 ? -EBUSY : -errno;
}

static int limit(int resource, uint64_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -errno;
  // What this process was given may be less already, and cannot be raised.
  rlim_t value = now.rlim_max < most ? now.rlim_max : (rlim_t)most;
  struct rlimit next = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &next) == 0 ? 0 : -errno;
}

int plb_close_from(unsigned first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0u) == 0) return 0;
#endif
  // Linux before 5.9.
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -errno;
  for (rlim_t file = first; file < files.rlim_cur && file < 1 << 20; file++) close((int)file);
  return 0;
}

int plb_restrict(const plb_process_limits *limits) {
  int code = prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 ? 0 : -errno;
  // No other process of this user can read its memory, and no fault leaves an image of it.
  if (code == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) code = -errno;
  if (code == 0) code = limit(RLIMIT_AS, limits->address_space);
  if (code == 0) code = limit(RLIMIT_CPU, limits->processor_seconds);
  if (code == 0) code = limit(RLIMIT_NOFILE, limits->descriptors);
  if (code == 0) code = limit(RLIMIT_CORE, 0);
  if (code == 0) code = limit(RLIMIT_FSIZE, 0);
  if (code == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) code = -errno;
  return code;
}

int plb_enter_sandbox(const plb_process_limits *limits) {
  struct sock_filter filter[] = {
    LOAD_CALL,
    ALLOW_COMMON,
    ALLOW_WITHOUT_CODE(mmap),
    ALLOW_WITHOUT_CODE(mprotect),
    ALLOW_OWN_SIGNALS_ONLY,
  };
  int code = plb_close_from(1);
  if (code == 0) code = plb_restrict(limits);
  return code == 0 ? plb_install(filter, sizeof filter / sizeof filter[0]) : code;
}

#else

int plb_enter_sandbox(const plb_process_limits *limits) {
  (void)limits;
  return -ENOSYS;
}

#endif
