// The part of Apple's <unistd.h> that is used.
#pragma once
int unlink(const char *);
int rmdir(const char *);
char *mkdtemp(char *);
