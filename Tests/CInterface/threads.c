// Many threads on one handle and on handles of their own: threads.c CAPTURE. All must see the same numbers.
#include <pthread.h>

#include "checks.h"

enum { THREADS = 8, ROUNDS = 3 };

typedef struct {
  const char *path;
  plumbline_capture *shared;
  double shared_sum, own_sum;
} work;

static void *read_both(void *argument) {
  work *item = argument;
  for (int round = 0; round < ROUNDS; round++) {
    item->shared_sum = read_all(item->shared);
    plumbline_capture *own = plumbline_capture_open(item->path, "{\"threads\": 1}", NULL);
    CHECK(own != NULL);
    item->own_sum = read_all(own);
    plumbline_capture_free(own);
  }
  return NULL;
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  plumbline_capture *shared = plumbline_capture_open(arguments[1], NULL, NULL);
  CHECK(shared != NULL);
  pthread_t threads[THREADS];
  work items[THREADS];
  for (int i = 0; i < THREADS; i++) {
    items[i] = (work){arguments[1], shared, 0, 0};
    CHECK(pthread_create(&threads[i], NULL, read_both, &items[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(items[i].shared_sum == items[0].shared_sum && items[i].own_sum == items[0].shared_sum);
  plumbline_capture_free(shared);
  puts("threads: all saw the same numbers");
  return 0;
}
