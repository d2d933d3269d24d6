// The part of Apple's <dlfcn.h> that is used.
#pragma once
#define RTLD_LOCAL 0x4
#define RTLD_NOW 0x2
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
int dlclose(void *);
const char *dlerror(void);
