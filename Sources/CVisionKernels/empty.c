#include "CVisionKernels.h"
