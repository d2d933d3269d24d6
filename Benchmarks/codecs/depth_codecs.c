// Measures lossless encodings of depth maps: ratio, milliseconds to encode and to decode, one thread.
// Every contender must give the map back bit by bit, or the program ends. `Benchmarks/codecs/run`
// makes the maps and compiles this; MAP files: width, height, bytes a number, hole (4 × uint32), numbers.
#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>
#include <zstd.h>

#include "depth_codec_kernels.h"

typedef struct {
  int width, height, size;
  uint32_t hole;
  uint8_t *samples;
  size_t bytes;
} Map;

static uint8_t *scratch, *row;
static size_t room;

static uint32_t at(const Map *map, const uint8_t *samples, size_t i) {
  uint32_t value = 0;
  memcpy(&value, samples + i * map->size, map->size);
  return value;
}

static size_t rice_encode(const Map *m, uint8_t *out) {
  if (m->size == 1) return plb_rice_encode8(m->samples, m->width, m->height, m->hole, row, out);
  if (m->size == 2) {
    return plb_rice_encode16(
        (void *)m->samples, m->width, m->height, m->hole, (void *)row, out);
  }
  return plb_rice_encode32((void *)m->samples, m->width, m->height, m->hole, (void *)row, out);
}
static void rice_decode(const Map *m, const uint8_t *in, size_t n, uint8_t *out) {
  if (m->size == 1) plb_rice_decode8(in, n, m->width, m->height, row, out);
  if (m->size == 2) plb_rice_decode16(in, n, m->width, m->height, (void *)row, (void *)out);
  if (m->size == 4) plb_rice_decode32(in, n, m->width, m->height, (void *)row, (void *)out);
}

// RVL (Wilson 2017): runs of holes and of differences to the left, in nibbles of three bits; for any
// width of numbers, with the hole as zero.
typedef struct { uint8_t *p; uint32_t word; int nibbles; } Nibbles;
static inline void vle(Nibbles *w, uint64_t value) {
  do {
    uint32_t nibble = value & 7;
    value >>= 3;
    if (value) nibble |= 8;
    w->word = w->word << 4 | nibble;
    if (++w->nibbles == 8) {
      memcpy(w->p, &w->word, 4);
      w->p += 4;
      w->nibbles = 0;
    }
  } while (value);
}
static inline uint64_t unvle(Nibbles *r) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 3) {
    if (r->nibbles == 0) {
      memcpy(&r->word, r->p, 4);
      r->p += 4;
      r->nibbles = 8;
    }
    uint32_t nibble = r->word >> 28;
    r->word <<= 4;
    r->nibbles--;
    value |= (uint64_t)(nibble & 7) << shift;
    if (!(nibble & 8)) return value;
  }
}
static size_t rvl_encode(const Map *m, uint8_t *out) {
  Nibbles w = {out, 0, 0};
  size_t n = (size_t)m->width * m->height, i = 0;
  int64_t previous = 0;
  while (i < n) {
    size_t start = i;
    while (i < n && at(m, m->samples, i) == m->hole) i++;
    vle(&w, i - start);
    start = i;
    while (i < n && at(m, m->samples, i) != m->hole) i++;
    vle(&w, i - start);
    for (size_t j = start; j < i; j++) {
      int64_t value = at(m, m->samples, j), d = value - previous;
      vle(&w, (uint64_t)((d << 1) ^ (d >> 63)));
      previous = value;
    }
  }
  w.word <<= 4 * (8 - w.nibbles) % 32;
  memcpy(w.p, &w.word, 4);
  return w.p + 4 - out;
}
static void rvl_decode(const Map *m, const uint8_t *in, size_t count, uint8_t *out) {
  (void)count;
  Nibbles r = {(uint8_t *)in, 0, 0};
  size_t n = (size_t)m->width * m->height, i = 0;
  int64_t previous = 0;
  while (i < n) {
    for (size_t k = unvle(&r); k > 0; k--) memcpy(out + i++ * m->size, &m->hole, m->size);
    for (size_t k = unvle(&r); k > 0; k--) {
      uint64_t z = unvle(&r);
      previous += (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
      uint32_t value = (uint32_t)previous;
      memcpy(out + i++ * m->size, &value, m->size);
    }
  }
}

// Residuals of the row above, or of LOCO-I's predictor, zigzag, then one plane for each byte.
static uint32_t predicted(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  return c >= high ? low : c <= low ? high : a + b - c;
}
static void planes(const Map *m, uint8_t *out, int forward, uint8_t *samples) {
  size_t n = (size_t)m->width * m->height;
  uint32_t mask = m->size == 4 ? 0xFFFFFFFFu : (1u << 8 * m->size) - 1;
  int bits = 8 * m->size;
  for (int y = 0; y < m->height; y++) {
    for (int x = 0; x < m->width; x++) {
      size_t i = (size_t)y * m->width + x;
      uint32_t b = y > 0 ? at(m, samples, i - m->width) : 0;
      uint32_t a = x > 0 ? at(m, samples, i - 1) : b;
      uint32_t c = x > 0 && y > 0 ? at(m, samples, i - m->width - 1) : b;
      uint32_t p = predicted(a, b, c);
      if (forward) {
        uint32_t d = (at(m, samples, i) - p) & mask;
        uint32_t z = ((d << 1) ^ (d >> (bits - 1) ? mask : 0)) & mask;
        for (int k = 0; k < m->size; k++) out[k * n + i] = (uint8_t)(z >> (8 * k));
      } else {
        uint32_t z = 0;
        for (int k = 0; k < m->size; k++) z |= (uint32_t)out[k * n + i] << (8 * k);
        uint32_t v = (p + ((z >> 1) ^ (0 - (z & 1)))) & mask;
        memcpy(samples + i * m->size, &v, m->size);
      }
    }
  }
}

static size_t pack(int kind, const uint8_t *in, size_t n, uint8_t *out) {
  if (kind == 0) {
    z_stream s = {0};
    deflateInit2(&s, 1, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    s.next_in = (uint8_t *)in, s.avail_in = n, s.next_out = out, s.avail_out = room;
    deflate(&s, Z_FINISH);
    size_t made = s.total_out;
    deflateEnd(&s);
    return made;
  }
  if (kind == 1) return ZSTD_compress(out, room, in, n, 1);
  if (kind == 2) return LZ4_compress_default((void *)in, (void *)out, n, room);
  return ZSTD_compress(out, room, in, n, 3);
}
static void unpack(int kind, const uint8_t *in, size_t n, uint8_t *out, size_t made) {
  if (kind == 0) {
    z_stream s = {0};
    inflateInit2(&s, -15);
    s.next_in = (uint8_t *)in, s.avail_in = n, s.next_out = out, s.avail_out = made;
    inflate(&s, Z_FINISH);
    inflateEnd(&s);
  } else if (kind == 2) {
    LZ4_decompress_safe((void *)in, (void *)out, n, made);
  } else {
    ZSTD_decompress(out, made, in, n);
  }
}
static int packer, usesPlanes;
static size_t packed_encode(const Map *m, uint8_t *out) {
  if (!usesPlanes) return pack(packer, m->samples, m->bytes, out);
  planes(m, scratch, 1, m->samples);
  return pack(packer, scratch, m->bytes, out);
}
static void packed_decode(const Map *m, const uint8_t *in, size_t n, uint8_t *out) {
  if (!usesPlanes) return unpack(packer, in, n, out, m->bytes);
  unpack(packer, in, n, scratch, m->bytes);
  planes(m, scratch, 0, out);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
}
static int ascending(const void *a, const void *b) {
  double d = *(double *)a - *(double *)b;
  return (d > 0) - (d < 0);
}

int main(int count, char **paths) {
  enum { ROUNDS = 31 };
  static const struct { const char *name; int packer, planes; } contenders[] = {
      {"rice", -1, 0},           {"rvl", -2, 0},        {"planes+deflate1", 0, 1},
      {"planes+zstd1", 1, 1},    {"planes+lz4", 2, 1},  {"deflate1", 0, 0},
      {"zstd1", 1, 0},           {"zstd3", 3, 0},       {"lz4", 2, 0}};
  for (int file = 1; file < count; file++) {
    FILE *f = fopen(paths[file], "rb");
    uint32_t head[4];
    if (!f || fread(head, 4, 4, f) != 4) return 1;
    Map m = {head[0], head[1], head[2], head[3], NULL, (size_t)head[0] * head[1] * head[2]};
    room = 2 * plb_rice_capacity(m.width, m.height, m.size) + 8 * m.bytes;
    m.samples = malloc(m.bytes);
    uint8_t *back = malloc(m.bytes + 64), *out = malloc(room);
    scratch = malloc(room), row = malloc(8 * (size_t)m.width);
    if (fread(m.samples, 1, m.bytes, f) != m.bytes) return 1;
    fclose(f);
    for (size_t c = 0; c < sizeof contenders / sizeof *contenders; c++) {
      packer = contenders[c].packer, usesPlanes = contenders[c].planes;
      size_t (*encode)(const Map *, uint8_t *) =
          packer == -1 ? rice_encode : packer == -2 ? rvl_encode : packed_encode;
      void (*decode)(const Map *, const uint8_t *, size_t, uint8_t *) =
          packer == -1 ? rice_decode : packer == -2 ? rvl_decode : packed_decode;
      double e[ROUNDS], d[ROUNDS];
      size_t made = 0;
      for (int i = 0; i < ROUNDS; i++) {
        double start = now();
        made = encode(&m, out);
        double middle = now();
        decode(&m, out, made, back);
        d[i] = now() - middle, e[i] = middle - start;
        if (memcmp(back, m.samples, m.bytes)) {
          fprintf(stderr, "%s loses %s\n", contenders[c].name, paths[file]);
          return 1;
        }
      }
      qsort(e, ROUNDS, sizeof *e, ascending);
      qsort(d, ROUNDS, sizeof *d, ascending);
      const char *name = strrchr(paths[file], '/');
      printf(
          "%s\t%s\t%d\t%d\t%d\t%.3f\t%.3f\t%.3f\t%zu\n", name ? name + 1 : paths[file],
          contenders[c].name, m.width, m.height, m.size, (double)m.bytes / made, e[ROUNDS / 2],
          d[ROUNDS / 2], made);
    }
    free(m.samples), free(back), free(out), free(scratch), free(row);
  }
  return 0;
}
