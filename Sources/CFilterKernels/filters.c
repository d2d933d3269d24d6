#include "CFilterKernels.h"
