// Loops over small image patches and whole images where plain Swift measured short; tests hold each
// to a slow Swift twin. No kernel allocates, checks sizes or keeps state: the Swift caller has.
#pragma once
#include "adjustment_kernels.h"
#include "corner_kernels.h"
#include "detection_kernels.h"
#include "saddle_kernels.h"
