#include "checksum_kernels.h"
#include "crc_tables.h"

#define POLYNOMIAL 0x82F63B78u

static uint32_t tables[8][256];

__attribute__((constructor)) static void make_tables(void) { make_crc_tables(POLYNOMIAL, tables); }

uint32_t plumbline_crc32c(uint32_t crc, const uint8_t *bytes, size_t count) {
  return ~crc_by_tables(tables, ~crc, bytes, count);
}
