// Kernels of features that two images share: corners, descriptors' distances, fine positions.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The smaller eigenvalue of the structure tensor of each pixel, summed over (2·radius + 1)² pixels
// of central differences and divided by their number: (gray levels)² per pixel². Pixels nearer than
// radius + 1 to the border get 0. `scratch` holds 3·width floats.
void plb_corner_strength(
    const uint8_t *gray, size_t width, size_t height, size_t radius, float *scratch,
    float *strength);

// Sums of (2·radius + 1)² gray levels around each pixel; 0 nearer than `radius` to the border.
// `scratch` holds `width` numbers; radius is at most 127.
void plb_box_sums(
    const uint8_t *gray, size_t width, size_t height, size_t radius, uint32_t *scratch,
    uint32_t *sums);

// For each of `count` descriptors of four words the index of the nearest of `otherCount` others by
// differing bits, the first of equals, and the two smallest distances. Without others the index is
// −1; absent distances are 257.
void plb_nearest_descriptors(
    const uint64_t *descriptors, size_t count, const uint64_t *others, size_t otherCount,
    int32_t *nearest, int32_t *distances, int32_t *secondDistances);

// Moves the position `rightXY` in the right image to where a window of (2·radius + 1)² bilinear
// samples looks most like the one around `leftXY` in the left image, but for brightness and
// contrast. Returns the correlation coefficient of the windows there, or −2 where a window leaves a
// image or has no structure; `rightXY` then stays. Radius is at most 15.
float plb_refine_place(
    const uint8_t *left, const uint8_t *right, size_t width, size_t height, size_t rightWidth,
    size_t rightHeight, size_t radius, const double *leftXY, double *rightXY);
