#include "checksum_kernels.h"

// The polynomial with its bits reversed, since the CRC takes the lowest bit of a byte first.
#define POLYNOMIAL 0x82F63B78u

// Eight bytes a step by eight tables, as in crc32.c.
static uint32_t tables[8][256];

__attribute__((constructor)) static void make_tables(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
    tables[0][i] = crc;
  }
  for (int k = 1; k < 8; k++)
    for (int i = 0; i < 256; i++)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 255];
}

static uint32_t load32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint32_t plumbline_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  crc = ~crc;
  for (; count >= 8; bytes += 8, count -= 8) {
    uint32_t low = crc ^ load32(bytes), high = load32(bytes + 4);
    crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255]
      ^ tables[4][low >> 24] ^ tables[3][high & 255] ^ tables[2][high >> 8 & 255]
      ^ tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
  }
  for (; count > 0; bytes++, count--) crc = (crc >> 8) ^ tables[0][(crc ^ *bytes) & 255];
  return ~crc;
}
