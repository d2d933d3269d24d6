#include "CMarkerDictionaries.h"
