#include "device_catalog.h"

// #embed is C23; clang offers it in every C mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char devices[] = {
#embed "devices.json"
};

plumbline_catalog plumbline_device_catalog(void) {
  return (plumbline_catalog){devices, sizeof devices};
}
