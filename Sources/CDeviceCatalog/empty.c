#include "CDeviceCatalog.h"
