// Many threads on one handle and on handles of their own, so many times: threads.c CAPTURE ROUNDS. All must see the
// same numbers.
#include <pthread.h>

#include "checks.h"

enum { THREADS = 8 };

typedef struct {
  const char *path;
  long rounds;
  plumbline_capture *shared;
  double shared_sum, own_sum;
} work;

static void *read_both(void *argument) {
  work *item = argument;
  for (long round = 0; round < item->rounds; round++) {
    item->shared_sum = read_all(item->shared);
    plumbline_capture *own = plumbline_capture_open(item->path, "{\"threads\": 1}", NULL);
    CHECK(own != NULL);
    item->own_sum = read_all(own);
    plumbline_capture_free(own);
  }
  return NULL;
}

int main(int count, char **arguments) {
  CHECK(count == 3);
  plumbline_capture *shared = plumbline_capture_open(arguments[1], NULL, NULL);
  CHECK(shared != NULL);
  pthread_t threads[THREADS];
  work items[THREADS];
  for (int i = 0; i < THREADS; i++) {
    items[i] = (work){arguments[1], strtol(arguments[2], NULL, 10), shared, 0, 0};
    CHECK(pthread_create(&threads[i], NULL, read_both, &items[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(items[i].shared_sum == items[0].shared_sum && items[i].own_sum == items[0].shared_sum);
  plumbline_capture_free(shared);
  puts("threads: all saw the same numbers");
  return 0;
}
