// What the filters of system calls are made of, and what both kinds of workers do before they have one.
#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CDecoderSandbox.h"

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
// A call by its number, and what becomes of it.
#define CALL(call, action) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), GIVE(action)
#define ALLOW(call) CALL(call, SECCOMP_RET_ALLOW)

// The low half of an argument; both processors are little endian. What the mask or the value is
// compared with has no high half, and the system takes these arguments as 32-bit numbers.
#define LOAD_ARGUMENT(n) LOAD(args[n])

// The number of the call is loaded; another architecture's ends the process.
#define LOAD_CALL                                                             \
  LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),        \
    GIVE(SECCOMP_RET_KILL_PROCESS), LOAD(nr),                                 \
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1),                       \
    GIVE(SECCOMP_RET_KILL_PROCESS)

// What every worker may: messages and open descriptors; memory that it has; locks, the clock and the
// seed of hash tables; the end, and faults that keep the signal that reports them.
#define ALLOW_COMMON                                                          \
  ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(read), ALLOW(write), ALLOW(close),    \
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk), ALLOW(futex),   \
    ALLOW(clock_gettime), ALLOW(getrandom), ALLOW(sched_yield), ALLOW(exit),  \
    ALLOW(exit_group), ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask),            \
    ALLOW(rt_sigaction), ALLOW(getpid), ALLOW(gettid)

// The last rules: signals to itself, as abort() sends them, and nothing else.
#define ALLOW_OWN_SIGNALS_ONLY                                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3), LOAD_ARGUMENT(0),    \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1),            \
    GIVE(SECCOMP_RET_ALLOW), GIVE(SECCOMP_RET_KILL_PROCESS)

#pragma GCC visibility push(hidden)
// Closes every descriptor from a number on.
int plb_close_from(unsigned first);
// Sets the limits, gives up privileges and ties the process to the thread that started it.
int plb_restrict(const plb_process_limits *limits);
// Installs a filter for all threads.
int plb_install(struct sock_filter *rules, size_t count);
#pragma GCC visibility pop
