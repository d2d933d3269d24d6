// The part of Apple's <stdlib.h> that the kernels use.
#pragma once
#include <stddef.h>
void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
char *getenv(const char *);
