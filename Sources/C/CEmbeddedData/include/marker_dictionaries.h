// The predefined sets of square markers; see MarkerDictionary in PlumblineVision.
// Written by Scripts/marker-dictionaries. The words live as long as the program.
#pragma once
#include <stdint.h>

// 1000 words of 4 × 4 bits
const uint64_t *_Nonnull plb_markers_aruco_4x4(void);

// 1000 words of 5 × 5 bits
const uint64_t *_Nonnull plb_markers_aruco_5x5(void);

// 1000 words of 6 × 6 bits
const uint64_t *_Nonnull plb_markers_aruco_6x6(void);

// 1000 words of 7 × 7 bits
const uint64_t *_Nonnull plb_markers_aruco_7x7(void);

// 250 words of 6 × 6 bits
const uint64_t *_Nonnull plb_markers_aruco_mip_36h12(void);

// 30 words of 4 × 4 bits
const uint64_t *_Nonnull plb_markers_apriltag_16h5(void);

// 35 words of 5 × 5 bits
const uint64_t *_Nonnull plb_markers_apriltag_25h9(void);

// 2320 words of 6 × 6 bits
const uint64_t *_Nonnull plb_markers_apriltag_36h10(void);

// 587 words of 6 × 6 bits
const uint64_t *_Nonnull plb_markers_apriltag_36h11(void);
