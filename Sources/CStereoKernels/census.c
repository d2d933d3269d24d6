#include "CStereoKernels.h"
