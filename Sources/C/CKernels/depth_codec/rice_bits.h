// Bits, the highest of a byte first.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  BLOCK = 16,        // pixels that share a mode
  ESCAPE = 16,       // zeros that say that a number follows in full
  MODE_FULL = 30,    // every number in full
  MODE_ZERO = 31,    // every residual is 0
};

typedef struct {
  uint8_t *next;
  uint64_t bits;  // the highest `count` ones wait to be written
  unsigned count;
} Writer;

// Appends the low `count` bits of a value that has no others; at most 32.
static inline void put(Writer *writer, uint64_t value, unsigned count) {
  writer->count += count;
  writer->bits |= value << (64 - writer->count);
  if (writer->count >= 32) {
    uint32_t word = (uint32_t)(writer->bits >> 32);
    writer->next[0] = (uint8_t)(word >> 24);
    writer->next[1] = (uint8_t)(word >> 16);
    writer->next[2] = (uint8_t)(word >> 8);
    writer->next[3] = (uint8_t)word;
    writer->next += 4;
    writer->bits <<= 32;
    writer->count -= 32;
  }
}

static inline uint8_t *finish(Writer *writer) {
  for (; writer->count > 0; writer->count -= writer->count < 8 ? writer->count : 8) {
    *writer->next++ = (uint8_t)(writer->bits >> 56);
    writer->bits <<= 8;
  }
  return writer->next;
}

typedef struct {
  const uint8_t *bytes;
  size_t count;     // bytes
  size_t position;  // bits
} Reader;

// The next 64 bits but for the last seven of them; zeros behind the end.
static inline uint64_t peek(const Reader *reader) {
  size_t place = reader->position >> 3;
  uint64_t word = 0;
  if (place + 8 <= reader->count) {
    const uint8_t *p = reader->bytes + place;
    word = (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
  } else {
    for (size_t i = 0; i < 8 && place + i < reader->count; i++) {
      word |= (uint64_t)reader->bytes[place + i] << (56 - 8 * i);
    }
  }
  return word << (reader->position & 7);
}

// Takes `count` bits, 1 to 32.
static inline uint32_t take(Reader *reader, unsigned count) {
  uint32_t value = (uint32_t)(peek(reader) >> (64 - count));
  reader->position += count;
  return value;
}
