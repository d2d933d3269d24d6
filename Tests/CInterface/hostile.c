// Files that may hold anything: hostile.c DAMAGES FILE…. Each is read or refused with the reason, whole and then
// with so many damages each: cut, or with bytes that a fixed sequence changes.
#include "checks.h"

static uint64_t state = 0x9E3779B97F4A7C15u;

/// xorshift64* of S. Vigna, https://vigna.di.unimi.it/ftp/papers/xorshift.pdf; the seed is fixed.
static uint64_t next(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1Du;
}

static int read_bytes(const char *bytes, size_t count, const char *name) {
  plumbline_error *error = NULL;
  plumbline_capture *capture = plumbline_capture_read(bytes, count, name, NULL, &error);
  if (!capture) {
    plumbline_category category = take_error(error);
    CHECK(category == PLUMBLINE_UNUSABLE_INPUT);
    return 0;
  }
  read_all(capture);
  plumbline_capture_free(capture);
  return 1;
}

int main(int count, char **arguments) {
  CHECK(count >= 3);
  long damages = strtol(arguments[1], NULL, 10);
  int read = 0, refused = 0;
  for (int i = 2; i < count; i++) {
    size_t size;
    char *bytes = contents(arguments[i], &size);
    *(read_bytes(bytes, size, arguments[i]) ? &read : &refused) += 1;
    for (long k = 0; k < damages && size > 0; k++) {
      char *copy = malloc(size);
      CHECK(copy != NULL);
      memcpy(copy, bytes, size);
      size_t cut = k % 2 ? size : next() % size;
      for (int flips = 0; k % 2 && flips < 4; flips++) copy[next() % size] = (char)next();
      *(read_bytes(copy, cut, arguments[i]) ? &read : &refused) += 1;
      free(copy);
    }
    free(bytes);
  }
  printf("hostile: %d read, %d refused with the reason\n", read, refused);
  return 0;
}
