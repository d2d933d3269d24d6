// The part of Apple's <stdio.h> that the kernels use.
#pragma once
#include <stddef.h>
int snprintf(char *, size_t, const char *, ...);
typedef struct apple_file FILE;
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
