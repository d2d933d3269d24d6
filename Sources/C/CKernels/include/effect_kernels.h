#ifndef PLUMBLINE_EFFECT_KERNELS_H
#define PLUMBLINE_EFFECT_KERNELS_H

#include <stdint.h>

#endif
