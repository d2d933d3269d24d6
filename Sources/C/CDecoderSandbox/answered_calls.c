#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include "answered_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "filter.h"

// OpenVINO lists its folder and requests each file of it whenever it reads a model, and reads TFLite by
// name only. The filter lets no call with a name through to the system; this answers them from what was
// noted and opened before: the model, the folder's list, facts about its files. It is no wall, the
// filter is: code that takes over the process can change the answers, and gains no access by it.

// Of the folder's files; the wheel has 24.
#define MOST_FILES 256
// The model may be open that often at once, each with a position of its own.
#define MODEL_OPENINGS 4

enum { folder_descriptor = 1, first_model_descriptor = 2 };

static struct {
  plb_network_files names;
  struct stat model, folder;
  struct {
    char *path;
    struct stat facts;
  } files[MOST_FILES];
  size_t count;
  atomic_uint openings;
} known;

// Ends the process as a call that is not allowed does: by making one.
static void forbid(void) {
  syscall(SYS_socket, 0, 0, 0);
  _exit(1);
}

static long give(int descriptor) {
  long copy = syscall(SYS_dup, descriptor);
  if (copy < 0) return -errno;
  syscall(SYS_lseek, copy, 0L, SEEK_SET);
  return copy;
}

// Machines and processors describe themselves there; a program that reads them gets no such file.
static int is_of_the_system(const char *path) {
  return strncmp(path, "/sys/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static long open_named(const char *path, long flags) {
  if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC))) {
    if (strcmp(path, known.names.folder) == 0) return give(folder_descriptor);
    if (strcmp(path, known.names.model_path) == 0) {
      unsigned index = atomic_fetch_add(&known.openings, 1) % MODEL_OPENINGS;
      return give(first_model_descriptor + (int)index);
    }
    if (is_of_the_system(path)) return -ENOENT;
  }
  forbid();
  return -EPERM;
}

static long facts_of_named(const char *path, struct stat *facts) {
  const struct stat *found = NULL;
  if (strcmp(path, known.names.model_path) == 0) found = &known.model;
  if (strcmp(path, known.names.folder) == 0) found = &known.folder;
  for (size_t i = 0; !found && i < known.count; i++) {
    if (strcmp(path, known.files[i].path) == 0) found = &known.files[i].facts;
  }
  if (found) {
    *facts = *found;
    return 0;
  }
  // A file of the folder that is not there.
  size_t length = strlen(known.names.folder);
  if (strncmp(path, known.names.folder, length) == 0 && path[length] == '/') return -ENOENT;
  if (is_of_the_system(path)) return -ENOENT;
  forbid();
  return -EPERM;
}

static long absent_or_forbidden(const char *path) {
  if (!is_of_the_system(path)) forbid();
  return -ENOENT;
}

static long answer(long call, const unsigned long long *arguments) {
  const char *first = (const char *)arguments[0], *second = (const char *)arguments[1];
  switch (call) {
#if defined(__x86_64__)
    case SYS_open: return open_named(first, (long)arguments[1]);
    case SYS_stat:
    case SYS_lstat: return facts_of_named(first, (struct stat *)arguments[1]);
    case SYS_access:
    case SYS_readlink: return absent_or_forbidden(first);
#endif
    case SYS_openat: return open_named(second, (long)arguments[2]);
    case SYS_newfstatat:
      // How fstat() asks.
      if (*second == 0) {
        return syscall(SYS_fstat, (int)arguments[0], (void *)arguments[2]) == 0 ? 0 : -errno;
      }
      return facts_of_named(second, (struct stat *)arguments[2]);
    case SYS_faccessat:
    case SYS_readlinkat: return absent_or_forbidden(second);
    default: forbid(); return -EPERM;
  }
}

// Registers of a call and its result: the conventions of system calls, syscall(2).
static void handle(int signal, siginfo_t *info, void *context) {
  (void)signal;
  int kept = errno;
  // Sent by another process, not by the filter.
  if (info->si_code != 1) forbid();
  mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
#if defined(__x86_64__)
  greg_t *registers = machine->gregs;
  unsigned long long arguments[] = {
    (unsigned long long)registers[REG_RDI], (unsigned long long)registers[REG_RSI],
    (unsigned long long)registers[REG_RDX]};
  registers[REG_RAX] = answer(info->si_syscall, arguments);
#else
  unsigned long long arguments[] = {machine->regs[0], machine->regs[1], machine->regs[2]};
  machine->regs[0] = (unsigned long long)answer(info->si_syscall, arguments);
#endif
  errno = kept;
}

static int note_folder(int descriptor) {
  DIR *list = fdopendir(dup(descriptor));
  if (!list) return -errno;
  int code = 0;
  for (struct dirent *entry; code == 0 && (entry = readdir(list));) {
    if (entry->d_name[0] == '.') continue;
    if (known.count == MOST_FILES) {
      code = -E2BIG;
    } else if (asprintf(&known.files[known.count].path, "%s/%s", known.names.folder, entry->d_name) < 0) {
      code = -ENOMEM;
    } else if (fstatat(descriptor, entry->d_name, &known.files[known.count].facts, 0) == 0) {
      known.count++;
    }
  }
  closedir(list);
  return code;
}

// Puts descriptors to the numbers from 1 on, in their order, and closes the others.
static int keep(const int *descriptors, size_t count) {
  int above[1 + MODEL_OPENINGS];
  for (size_t i = 0; i < count; i++) {
    above[i] = fcntl(descriptors[i], F_DUPFD, (int)count + 1);
    if (above[i] < 0) return -errno;
  }
  for (size_t i = 0; i < count; i++) {
    if (dup2(above[i], (int)i + 1) < 0) return -errno;
  }
  return 0;
}

int plb_answer_calls(const plb_network_files *files) {
  known.names.model = files->model;
  known.names.model_path = strdup(files->model_path);
  known.names.folder = strdup(files->folder);
  if (!known.names.model_path || !known.names.folder) return -ENOMEM;
  int descriptors[1 + MODEL_OPENINGS];
  descriptors[0] = open(files->folder, O_RDONLY | O_DIRECTORY);
  if (descriptors[0] < 0) return -errno;
  int code = note_folder(descriptors[0]);
  if (code != 0) return code;
  // Opened again, since copies of a descriptor share their position in the file.
  char again[64];
  snprintf(again, sizeof again, "/proc/self/fd/%d", files->model);
  for (int i = 0; i < MODEL_OPENINGS; i++) {
    descriptors[1 + i] = open(again, O_RDONLY);
    if (descriptors[1 + i] < 0) return -errno;
  }
  if (fstat(descriptors[0], &known.folder) != 0 || fstat(files->model, &known.model) != 0) {
    return -errno;
  }
  code = keep(descriptors, 1 + MODEL_OPENINGS);
  if (code == 0) code = plb_close_from(first_model_descriptor + MODEL_OPENINGS);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (code == 0 && sigaction(SIGSYS, &action, NULL) != 0) code = -errno;
  return code;
}

#endif
