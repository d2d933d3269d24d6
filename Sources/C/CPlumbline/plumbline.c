// The sizes and offsets that programs were compiled with.
#include "plumbline.h"

#define OFFSET(type, field, bytes) \
  _Static_assert(offsetof(type, field) == (bytes), #type "." #field " has moved")

_Static_assert(sizeof(plumbline_array) == 64, "plumbline_array has changed its size");
OFFSET(plumbline_array, values, 0);
OFFSET(plumbline_array, element, 8);
OFFSET(plumbline_array, dimensions, 12);
OFFSET(plumbline_array, shape, 16);
OFFSET(plumbline_array, stride, 40);

_Static_assert(sizeof(plumbline_calibration) == 72, "plumbline_calibration has changed its size");
OFFSET(plumbline_calibration, width, 0);
OFFSET(plumbline_calibration, height, 8);
OFFSET(plumbline_calibration, fx, 16);
OFFSET(plumbline_calibration, cx, 32);
OFFSET(plumbline_calibration, sigma_focal, 48);
OFFSET(plumbline_calibration, is_rectified, 64);
