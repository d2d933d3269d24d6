#include "CResamplingKernels.h"
