#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CONNXRuntime.h"
#include "functions.h"

void plb_ort_tell(plumbline_onnxruntime_problem *problem, const char *text) {
  if (problem) snprintf(problem->text, sizeof problem->text, "%s", text ? text : "no reason");
}

bool plb_ort_succeeds(
    const plumbline_onnxruntime *library, status_t *status,
    plumbline_onnxruntime_problem *problem) {
  if (!status) return true;
  plb_ort_tell(problem, library->GetErrorMessage(status));
  library->ReleaseStatus(status);
  return false;
}

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static plumbline_onnxruntime *loaded;

void plb_ort_lock(void) { pthread_mutex_lock(&loading); }
void plb_ort_unlock(void) { pthread_mutex_unlock(&loading); }

/// Takes the functions out of the table.
static bool look_up(
    plumbline_onnxruntime *library, void *handle, plumbline_onnxruntime_problem *problem) {
  const api_base_t *(*get_base)(void) = NULL;
  void *address = dlsym(handle, "OrtGetApiBase");
  memcpy(&get_base, &address, sizeof address);
  const api_base_t *base = get_base ? get_base() : NULL;
  if (!base) {
    plb_ort_tell(problem, "it has no function OrtGetApiBase");
    return false;
  }
  library->version = base->get_version();
  void *const *table = base->get_api(requested_api_version);
  if (!table) {
    plb_ort_tell(problem, "it does not offer version 12 of its interface (ONNX Runtime 1.12)");
    return false;
  }
#define TAKE(position, result, name, parameters) \
  memcpy(&library->name, &table[position], sizeof(void *));
  ONNXRUNTIME_FUNCTIONS(TAKE)
#undef TAKE
  return plb_ort_succeeds(
             library, library->CreateEnv(log_error, "plumbline", &library->env), problem)
      && plb_ort_succeeds(
             library,
             library->CreateCpuMemoryInfo(arena_allocator, default_memory, &library->memory),
             problem)
      && plb_ort_succeeds(
             library, library->GetAllocatorWithDefaultOptions(&library->allocator), problem);
}

static plumbline_onnxruntime *load(const char *path, plumbline_onnxruntime_problem *problem) {
  for (plumbline_onnxruntime *library = loaded; library; library = library->next) {
    if (strcmp(library->path, path) == 0) return library;
  }
  // Names stay local, so that no other library of the process meets them.
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    plb_ort_tell(problem, dlerror());
    return NULL;
  }
  plumbline_onnxruntime *library = calloc(1, sizeof *library);
  char *own_path = strdup(path);
  if (!library || !own_path || !look_up(library, handle, problem)) {
    if (!library || !own_path) plb_ort_tell(problem, "no memory");
    free(library);
    free(own_path);
    return NULL;
  }
  library->path = own_path;
  library->next = loaded;
  loaded = library;
  return library;
}

plumbline_onnxruntime *plumbline_onnxruntime_load(
    const char *path, plumbline_onnxruntime_problem *problem) {
  plb_ort_lock();
  plumbline_onnxruntime *library = load(path, problem);
  plb_ort_unlock();
  return library;
}

const char *plumbline_onnxruntime_version(const plumbline_onnxruntime *library) {
  return library->version ? library->version : "";
}
