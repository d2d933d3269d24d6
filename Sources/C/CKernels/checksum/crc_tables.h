// A CRC of 32 bits whose polynomial has its bits reversed, eight bytes a step by eight tables (Kounavis and
// Berry, "A systematic approach to building high performance software-based CRC generators", 2005).
#pragma once
#include <stddef.h>
#include <stdint.h>

static void make_crc_tables(uint32_t polynomial, uint32_t tables[8][256]) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? polynomial : 0);
    tables[0][i] = crc;
  }
  for (int k = 1; k < 8; k++)
    for (int i = 0; i < 256; i++)
      tables[k][i] = (tables[k - 1][i] >> 8) ^ tables[0][tables[k - 1][i] & 255];
}

static inline uint32_t load32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// On the inverted register.
static inline uint32_t crc_by_tables(
    const uint32_t tables[8][256], uint32_t crc, const uint8_t *p, size_t count) {
  for (; count >= 8; p += 8, count -= 8) {
    uint32_t low = crc ^ load32(p), high = load32(p + 4);
    crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255]
      ^ tables[4][low >> 24] ^ tables[3][high & 255] ^ tables[2][high >> 8 & 255]
      ^ tables[1][high >> 16 & 255] ^ tables[0][high >> 24];
  }
  for (; count > 0; p++, count--) crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 255];
  return crc;
}
