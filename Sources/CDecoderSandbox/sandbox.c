#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDecoderSandbox.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Calls of the x32 interface have this bit and the architecture of x86-64 (seccomp(2)).
#define X32_BIT 0x40000000u

#define LOAD(field) \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, field))
#define GIVE(action) BPF_STMT(BPF_RET | BPF_K, action)
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), GIVE(SECCOMP_RET_ALLOW)

// The low half of an argument; both processors are little endian. What the mask or the value is
// compared with has no high half, and the system takes these arguments as 32-bit numbers.
#define LOAD_ARGUMENT(n) LOAD(args[n])

// A call whose third argument must not ask for memory that can be run.
#define ALLOW_WITHOUT_CODE(call)                                              \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD_ARGUMENT(2),    \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),                    \
    GIVE(SECCOMP_RET_KILL_PROCESS), GIVE(SECCOMP_RET_ALLOW)

static int install_filter(void) {
  struct sock_filter filter[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    GIVE(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),
    GIVE(SECCOMP_RET_KILL_PROCESS),
    // The channel; descriptors that come over it.
    ALLOW(recvmsg),
    ALLOW(sendmsg),
    ALLOW(read),
    ALLOW(write),
    ALLOW(close),
    // Memory.
    ALLOW_WITHOUT_CODE(mmap),
    ALLOW_WITHOUT_CODE(mprotect),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(brk),
    // Locks, the clock and the seed of hash tables.
    ALLOW(futex),
    ALLOW(clock_gettime),
    ALLOW(getrandom),
    ALLOW(sched_yield),
    // The end, and faults that keep the signal they are told by.
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW(rt_sigreturn),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigaction),
    ALLOW(getpid),
    ALLOW(gettid),
    // Signals to itself, as abort() sends them.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
    LOAD_ARGUMENT(0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1),
    GIVE(SECCOMP_RET_ALLOW),
    GIVE(SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {
    .len = (unsigned short)(sizeof filter / sizeof filter[0]),
    .filter = filter,
  };
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

static int close_all_but_channel(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 1u, ~0u, 0u) == 0) return 0;
#endif
  // Linux before 5.9.
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return -errno;
  for (rlim_t file = 1; file < files.rlim_cur && file < 1 << 20; file++) close((int)file);
  return 0;
}

int plb_enter_sandbox(const plb_process_limits *limits) {
  int code = close_all_but_channel();
  if (code == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) code = -errno;
  // Nobody of this user looks into its memory, and no fault leaves an image of it.
  if (code == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) code = -errno;
  if (code == 0) code = limit(RLIMIT_AS, limits->address_space);
  if (code == 0) code = limit(RLIMIT_CPU, limits->processor_seconds);
  if (code == 0) code = limit(RLIMIT_NOFILE, limits->descriptors);
  if (code == 0) code = limit(RLIMIT_CORE, 0);
  if (code == 0) code = limit(RLIMIT_FSIZE, 0);
  if (code == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) code = -errno;
  return code == 0 ? install_filter() : code;
}

#else

int plb_enter_sandbox(const plb_process_limits *limits) {
  (void)limits;
  return -ENOSYS;
}

#endif
