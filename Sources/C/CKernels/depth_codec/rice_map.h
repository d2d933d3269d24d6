// Both directions for one width of numbers; included once for each, with CODE, SIGNED_CODE, WIDTH
// (bits), ENCODE and DECODE defined.

// The middle one of left, above and left + above − corner: the predictor of LOCO-I (Weinberger,
// Seroussi, Sapiro 2000), which follows edges.
static inline CODE NAMED(predicted)(CODE left, CODE above, CODE corner) {
  CODE low = left < above ? left : above;
  CODE high = left < above ? above : left;
  if (corner >= high) return low;
  if (corner <= low) return high;
  return (CODE)(left + above - corner);
}

// The bits of 16 residuals (those behind the block's end are 0) with a parameter; the same bound as
// in the format for what is written in full.
static inline unsigned NAMED(cost)(const uint32_t *residuals, unsigned k) {
  unsigned total = 0;
  for (int i = 0; i < BLOCK; i++) {
    uint32_t quotient = residuals[i] >> k;
    total += quotient < ESCAPE ? quotient + 1 + k : ESCAPE + WIDTH;
  }
  return total;
}

static inline unsigned NAMED(mode)(const uint32_t *residuals, int count, unsigned last) {
  uint64_t sum = 0;
  for (int i = 0; i < BLOCK; i++) sum += residuals[i];
  if (sum == 0) return MODE_ZERO;
  // The best parameter lies between the mean of the logarithms, which a few outliers at the edge of a
  // surface hardly move, and the logarithm of the mean, which they pull up.
  uint64_t mean = sum / (unsigned)count;
  int top = mean == 0 ? 0 : 63 - __builtin_clzll(mean);
  int lengths = 0;
  for (int i = 0; i < count; i++) lengths += 32 - __builtin_clz(residuals[i] | 1);
  int limit = WIDTH - 1 < MODE_FULL - 1 ? WIDTH - 1 : MODE_FULL - 1;
  int first = lengths / count > 3 ? lengths / count - 3 : 0;
  if (first > limit) first = limit;
  unsigned best = MODE_FULL, cheapest = (unsigned)count * WIDTH + (last == MODE_FULL ? 0 : 5);
  // The empty positions of a short block cost k + 1 each, which is no bit of the format.
  unsigned empty = (unsigned)(BLOCK - count);
  for (int k = first; k <= top + 1 && k <= limit; k++) {
    unsigned bits = NAMED(cost)(residuals, (unsigned)k) - empty * ((unsigned)k + 1);
    bits += (unsigned)k == last ? 0 : 5;
    if (bits < cheapest) {
      cheapest = bits;
      best = (unsigned)k;
    }
  }
  if (last < (unsigned)limit) {
    unsigned bits = NAMED(cost)(residuals, last) - empty * (last + 1);
    if (bits < cheapest) best = last;
  }
  return best;
}

PLB_CLONES_256 size_t ENCODE(
    const CODE *samples, ptrdiff_t width, ptrdiff_t height, CODE hole, CODE *row,
    uint8_t *bytes) {
  for (int i = 0; i < WIDTH / 8; i++) bytes[i] = (uint8_t)(hole >> (8 * i));
  Writer writer = {bytes + WIDTH / 8, 0, 0};
  CODE *above = row, *current = row + width;
  for (ptrdiff_t x = 0; x < width; x++) above[x] = 0;
  unsigned last = MODE_ZERO;
  for (ptrdiff_t y = 0; y < height; y++) {
    const CODE *source = samples + y * width;
    CODE filling = above[0];
    for (ptrdiff_t x = 0; x < width; x++) {
      filling = source[x] == hole ? filling : source[x];
      current[x] = filling;
    }
    for (ptrdiff_t start = 0; start < width; start += BLOCK) {
      int length = width - start < BLOCK ? (int)(width - start) : BLOCK;
      uint32_t measured = 0;
      for (int i = 0; i < length; i++) {
        measured = measured << 1 | (source[start + i] != hole);
      }
      int count = __builtin_popcount(measured);
      if (count == 0) {
        put(&writer, 2, 2);
        continue;
      }
      if (count == length) {
        put(&writer, 0, 1);
      } else {
        put(&writer, 3, 2);
        put(&writer, measured, (unsigned)length);
      }
      uint32_t residuals[BLOCK] = {0};
      for (int i = 0; i < length; i++) {
        ptrdiff_t x = start + i;
        CODE left = x > 0 ? current[x - 1] : above[0];
        CODE corner = x > 0 ? above[x - 1] : above[0];
        CODE difference = (CODE)(current[x] - NAMED(predicted)(left, above[x], corner));
        CODE sign = (CODE)((SIGNED_CODE)difference >> (WIDTH - 1));
        residuals[i] = (CODE)((CODE)(difference << 1) ^ sign);
      }
      if (count < length) {
        // Those that are measured move to the front.
        int filled = 0;
        for (int i = 0; i < length; i++) {
          if (measured >> (length - 1 - i) & 1) residuals[filled++] = residuals[i];
        }
        for (int i = filled; i < length; i++) residuals[i] = 0;
      }
      unsigned mode = NAMED(mode)(residuals, count, last);
      if (mode == last) {
        put(&writer, 0, 1);
      } else {
        put(&writer, 32 | mode, 6);
        last = mode;
      }
      if (mode == MODE_ZERO) continue;
      for (int i = 0; i < count; i++) {
        uint32_t residual = residuals[i];
        if (mode == MODE_FULL) {
          put(&writer, residual, WIDTH);
        } else if (residual >> mode < ESCAPE) {
          put(&writer, 1, (residual >> mode) + 1);
          if (mode > 0) put(&writer, residual & ((1u << mode) - 1), mode);
        } else {
          put(&writer, 0, ESCAPE);
          put(&writer, residual, WIDTH);
        }
      }
    }
    CODE *swap = above;
    above = current;
    current = swap;
  }
  return (size_t)(finish(&writer) - bytes);
}

PLB_CLONES_256 bool DECODE(
    const uint8_t *bytes, size_t count, ptrdiff_t width, ptrdiff_t height, CODE *row,
    CODE *samples) {
  if (count < WIDTH / 8) return false;
  CODE hole = 0;
  for (int i = 0; i < WIDTH / 8; i++) hole |= (CODE)((CODE)bytes[i] << (8 * i));
  Reader reader = {bytes, count, WIDTH};
  CODE *above = row, *current = row + width;
  for (ptrdiff_t x = 0; x < width; x++) above[x] = 0;
  unsigned mode = MODE_ZERO;
  for (ptrdiff_t y = 0; y < height; y++) {
    CODE *result = samples + y * width;
    CODE left = above[0], corner = above[0];
    for (ptrdiff_t start = 0; start < width; start += BLOCK) {
      unsigned length = width - start < BLOCK ? (unsigned)(width - start) : BLOCK;
      uint32_t measured = (1u << length) - 1;
      if (take(&reader, 1)) measured = take(&reader, 1) ? take(&reader, length) : 0;
      if (measured != 0 && take(&reader, 1)) {
        mode = take(&reader, 5);
        if (mode >= WIDTH && mode < MODE_FULL) return false;
      }
      for (unsigned i = 0; i < length; i++) {
        ptrdiff_t x = start + (ptrdiff_t)i;
        CODE up = above[x];
        if (measured >> (length - 1 - i) & 1) {
          CODE residual = 0;
          if (mode < MODE_FULL) {
            uint64_t next = peek(&reader);
            unsigned zeros = next == 0 ? 64 : (unsigned)__builtin_clzll(next);
            if (zeros < ESCAPE) {
              // At most 16 + 29 bits, of the 57 that there are.
              unsigned used = zeros + 1 + mode;
              uint64_t low = mode == 0 ? 0 : next << (zeros + 1) >> (64 - mode);
              residual = (CODE)(zeros << mode | (uint32_t)low);
              reader.position += used;
            } else {
              residual = (CODE)(next << ESCAPE >> (64 - WIDTH));
              reader.position += ESCAPE + WIDTH;
            }
          } else if (mode == MODE_FULL) {
            residual = (CODE)take(&reader, WIDTH);
          }
          CODE difference = (CODE)((residual >> 1) ^ (CODE)(0 - (residual & 1)));
          left = (CODE)(NAMED(predicted)(left, up, corner) + difference);
          result[x] = left;
        } else {
          result[x] = hole;
        }
        current[x] = left;
        corner = up;
      }
    }
    if (reader.position > 8 * count) return false;
    CODE *swap = above;
    above = current;
    current = swap;
  }
  return (reader.position + 7) / 8 == count;
}

#undef CODE
#undef SIGNED_CODE
#undef WIDTH
#undef ENCODE
#undef DECODE
#undef NAMED
