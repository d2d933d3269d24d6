#ifndef PLUMBLINE_FILTER_KERNELS_H
#define PLUMBLINE_FILTER_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#endif
