// DICT_APRILTAG_25H9: 35 markers of 5 × 5 cells, row after row, the first
// cell in the highest bit, white is 1. Written by Scripts/marker-dictionaries from OpenCV
// 5.0.0: the cells are facts of the published set, not code.
// - Source: E. Olson, AprilTag: A robust and flexible visual fiducial system, 2011; J. Wang, E. Olson,
//   AprilTag 2: Efficient and robust fiducial detection, 2016.
#include "marker_dictionaries.h"

static const uint64_t markers[] = {
  0x11fa755,0x0db164f,0x02da1bd,0x16726af,0x0e650e9,0x1ba2558,0x0cfd5dc,0x1ab74c1,0x1ce8abb,0x022caf6,
  0x1c93702,0x1049b14,0x0ea27b6,0x130e14f,0x0973035,0x082836d,0x1580f8d,0x103b372,0x046ef9d,0x120b8ea,
  0x1147df4,0x07fd90b,0x08d5276,0x144e803,0x0685587,0x04be1c2,0x121c512,0x01e42cd,0x14a9e26,0x1baf982,
  0x1fd1d34,0x0141679,0x116a0be,0x01b8ddb,0x0e7133a,
};

const uint64_t *plb_markers_apriltag_25h9(void) { return markers; }
