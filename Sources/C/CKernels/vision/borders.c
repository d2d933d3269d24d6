#include <string.h>

#include "vision_kernels.h"

// Clockwise from the right, as y runs down.
static const int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// Finds eight zero marks or marks that were followed at a time: most of an image is those.
static ptrdiff_t next_start(const uint8_t *marks, ptrdiff_t offset, ptrdiff_t end) {
  const uint64_t ones = 0x0101010101010101;
  while (offset < end) {
    if (offset + 8 <= end) {
      uint64_t here, before;
      memcpy(&here, marks + offset, 8);
      memcpy(&before, marks + offset - 1, 8);
      // Marks are 0, 1 or 2: a start is a 1 after a 0.
      uint64_t starts = here & ~(before | before >> 1) & ones;
      if (starts == 0) {
        offset += 8;
        continue;
      }
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
      return offset + __builtin_ctzll(starts) / 8;
#endif
    }
    if (marks[offset] == 1 && marks[offset - 1] == 0) return offset;
    offset++;
  }
  return end;
}

ptrdiff_t plb_next_border(
    uint8_t *marks, ptrdiff_t width, ptrdiff_t height, ptrdiff_t *offset, ptrdiff_t shortest,
    ptrdiff_t capacity, uint16_t *points) {
  ptrdiff_t stride = width + 2, end = stride * (height + 1);
  ptrdiff_t steps[8];
  for (int i = 0; i < 8; i++) steps[i] = step_y[i] * stride + step_x[i];
  ptrdiff_t start = *offset < stride ? stride : *offset;
  while ((start = next_start(marks, start, end)) < end) {
    // From the light pixel on the left, clockwise, to the first dark neighbor.
    int first = -1;
    for (int turn = 1; turn < 8; turn++) {
      int direction = (4 + turn) & 7;
      if (marks[start + steps[direction]]) {
        first = direction;
        break;
      }
    }
    marks[start] = 2;
    if (first < 0) {
      start++;
      continue;
    }
    ptrdiff_t here = start, length = 0, x = start % stride, y = start / stride;
    int direction = first;
    // Ends where the first step is about to be repeated; every state (pixel, direction) is met at
    // most once before, so it ends.
    do {
      if (length < capacity) {
        points[2 * length] = (uint16_t)x;
        points[2 * length + 1] = (uint16_t)y;
      }
      length++;
      here += steps[direction];
      x += step_x[direction];
      y += step_y[direction];
      marks[here] = 2;
      // The search goes on clockwise after the light pixel that was passed last.
      int from = direction + 7 - (direction & 1), next = 0;
      while (!marks[here + steps[(from + next) & 7]]) next++;
      direction = (from + next) & 7;
    } while (here != start || direction != first);
    start++;
    if (length >= shortest && length <= capacity) {
      *offset = start;
      return length;
    }
  }
  *offset = end;
  return 0;
}
