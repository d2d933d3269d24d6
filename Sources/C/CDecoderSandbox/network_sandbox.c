#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CDecoderSandbox.h"

#include <errno.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "answered_calls.h"
#include "filter.h"

// Threads, and nothing that is a process: all of these, and none of the namespaces.
#define THREAD_FLAGS (uint32_t)(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)
#define NAMESPACE_FLAGS                                                       \
  (uint32_t)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC      \
             | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define ALLOW_THREADS                                                         \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 5), LOAD_ARGUMENT(0),     \
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, THREAD_FLAGS | NAMESPACE_FLAGS),      \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD_FLAGS, 0, 1),                  \
    GIVE(SECCOMP_RET_ALLOW), GIVE(SECCOMP_RET_KILL_PROCESS)

// A call that may only be about the calling thread itself.
#define ALLOW_ON_ITSELF(call)                                                 \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD_ARGUMENT(0),    \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), GIVE(SECCOMP_RET_ALLOW),    \
    GIVE(SECCOMP_RET_KILL_PROCESS)

// The flags of a descriptor may be requested and changed, no more: not who is signaled.
#define ALLOW_DESCRIPTOR_FLAGS                                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 0, 6), LOAD_ARGUMENT(1),     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 2, 0),                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_SETFD, 1, 0),                       \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 0, 1),                       \
    GIVE(SECCOMP_RET_ALLOW), GIVE(SECCOMP_RET_KILL_PROCESS)

// Never done by the system, and answered by the process itself.
#define ANSWER(call) CALL(call, SECCOMP_RET_TRAP)
#define REFUSE(call, code) CALL(call, SECCOMP_RET_ERRNO | code)

static int install_filter(void) {
  struct sock_filter filter[] = {
    LOAD_CALL,
    ALLOW_COMMON,
    // oneDNN writes the code that it runs.
    ALLOW(mmap),
    ALLOW(mprotect),
    // Open descriptors that names lead to.
    ALLOW(fstat),
    ALLOW(lseek),
    ALLOW(dup),
    ALLOW(getdents64),
    ALLOW_DESCRIPTOR_FLAGS,
    // Threads of oneTBB. The arguments of clone3 lie in memory that no filter reads; without it
    // the C library takes clone.
    ALLOW_THREADS,
    REFUSE(clone3, ENOSYS),
    ALLOW(set_robust_list),
    ALLOW(rseq),
    ALLOW(membarrier),
    ALLOW(nanosleep),
    ALLOW(clock_nanosleep),
    ALLOW(getcpu),
    ALLOW_ON_ITSELF(sched_getaffinity),
    ALLOW_ON_ITSELF(sched_setaffinity),
    // Where memory lies among the processors: a wish, refused in most containers as well.
    REFUSE(mbind, EPERM),
    REFUSE(set_mempolicy, EPERM),
    REFUSE(get_mempolicy, EPERM),
    // Names of files.
    ANSWER(openat),
    ANSWER(newfstatat),
    ANSWER(readlinkat),
    ANSWER(faccessat),
#if defined(__x86_64__)
    ANSWER(open),
    ANSWER(stat),
    ANSWER(lstat),
    ANSWER(access),
    ANSWER(readlink),
#endif
    ALLOW_OWN_SIGNALS_ONLY,
  };
  return plb_install(filter, sizeof filter / sizeof filter[0]);
}

int plb_enter_network_sandbox(const plb_process_limits *limits, const plb_network_files *files) {
  int code = plb_answer_calls(files);
  if (code == 0) code = plb_restrict(limits);
  return code == 0 ? install_filter() : code;
}

#else

int plb_enter_network_sandbox(const plb_process_limits *limits, const plb_network_files *files) {
  (void)limits;
  (void)files;
  return -ENOSYS;
}

#endif
