#ifndef C_CHECKSUM_KERNELS_H
#define C_CHECKSUM_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32 (IEEE 802.3, as zlib, PNG and ZIP use it) over some bytes.
///
/// `crc` is 0 at first, then what the call before returned. Any count, any alignment.
uint32_t plumbline_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

/// Which of the ways this processor takes: "vpclmulqdq", "pclmul", "armv8-crc" or "table".
const char *plumbline_crc32_kind(void);

/// Continues a CRC-32C (Castagnoli, as iSCSI and E57 use it) over some bytes, in the same way.
uint32_t plumbline_crc32c(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
