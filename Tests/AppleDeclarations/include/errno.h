// The part of Apple's <errno.h> that is used.
#pragma once
int *__error(void);
#define errno (*__error())
#define ENOSYS 78
