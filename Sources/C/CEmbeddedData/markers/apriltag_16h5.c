// DICT_APRILTAG_16H5: 30 markers of 4 × 4 cells, row after row, the first
// cell in the highest bit, white is 1. Written by Scripts/marker-dictionaries from OpenCV
// 5.0.0: the cells are facts of the published set, not code.
// - Source: E. Olson, AprilTag: A robust and flexible visual fiducial system, 2011; J. Wang, E. Olson,
//   AprilTag 2: Efficient and robust fiducial detection, 2016.
#include "marker_dictionaries.h"

static const uint64_t markers[] = {
  0xd8c4,0xa574,0x562c,0x9da2,0x659e,0xd6fe,0x1acd,0xa2e7,0x9a7f,0xb6a8,0xd01c,0xd50f,0x21b0,0x6ce2,0x4e31,
  0x08f5,0x3c90,0x2dc9,0xc0a5,0xf162,0xec87,0xa9ea,0x42fb,0xb838,0x3b97,0xb5ce,0xfab5,0x0cab,0x53e0,0x74f5,
};

const uint64_t *plb_markers_apriltag_16h5(void) { return markers; }
