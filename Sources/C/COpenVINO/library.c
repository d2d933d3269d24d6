#include "COpenVINO.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "problem.h"

void tell(plumbline_openvino_problem *problem, const char *text) {
  if (problem) snprintf(problem->text, sizeof problem->text, "%s", text ? text : "no reason");
}

void tell_last(
    const plumbline_openvino *library, int status, plumbline_openvino_problem *problem) {
  // The text is a copy that the caller owns, so it is fetched at every failure and freed.
  const char *last = library->ov_get_last_err_msg();
  tell(problem, last && *last ? last : library->ov_get_error_info(status));
  if (last) library->ov_free(last);
}

// OpenVINO is state of the whole process, for all its callers: its plugins come and go with its cores.
// A test run with several cores on several threads once jumped to address 0. So there is one core for
// each library, made once, never freed, and whatever loads or compiles does so one at a time.
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static plumbline_openvino *loaded;

void plumbline_openvino_lock(void) { pthread_mutex_lock(&loading); }
void plumbline_openvino_unlock(void) { pthread_mutex_unlock(&loading); }

static plumbline_openvino *load(const char *path, plumbline_openvino_problem *problem) {
  for (plumbline_openvino *library = loaded; library; library = library->next) {
    if (strcmp(library->path, path) == 0) return library;
  }
  // Names stay local, so that no other library of the process meets those of OpenVINO. What it
  // needs is found beside it: each of its libraries carries the run path $ORIGIN.
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    tell(problem, dlerror());
    return NULL;
  }
  plumbline_openvino *library = calloc(1, sizeof *library);
  char *own_path = strdup(path);
  if (!library || !own_path) {
    tell(problem, "no memory");
    free(library);
    free(own_path);
    return NULL;
  }
  library->path = own_path;
#define LOOK_UP(result, name, parameters) \
  { \
    void *address = dlsym(handle, #name); \
    memcpy(&library->name, &address, sizeof address); \
    if (!address) { \
      snprintf(problem->text, sizeof problem->text, "it has no function %s", #name); \
      free(own_path); \
      free(library); \
      return NULL; \
    } \
  }
  OPENVINO_FUNCTIONS(LOOK_UP)
#undef LOOK_UP
  int status = library->ov_core_create(&library->core);
  if (status != 0) {
    tell_last(library, status, problem);
    free(own_path);
    free(library);
    return NULL;
  }
  library->next = loaded;
  loaded = library;
  return library;
}

plumbline_openvino *plumbline_openvino_load(
    const char *path, plumbline_openvino_problem *problem) {
  plumbline_openvino_lock();
  plumbline_openvino *library = load(path, problem);
  plumbline_openvino_unlock();
  return library;
}

bool plumbline_openvino_version(plumbline_openvino *library, char *text, size_t text_bytes) {
  version_t version = {0};
  if (library->ov_get_openvino_version(&version) != 0) return false;
  snprintf(text, text_bytes, "%s", version.build ? version.build : "");
  library->ov_version_free(&version);
  return true;
}
