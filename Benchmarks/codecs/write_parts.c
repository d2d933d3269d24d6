// Writes each MAP file as a frame's message with one part of the encoding `rice` to MAP.pls1, for
// `decode.mjs` to time; see depth_codecs.c for MAP files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "depth_codec_kernels.h"

int main(int count, char **paths) {
  for (int file = 1; file < count; file++) {
    FILE *f = fopen(paths[file], "rb");
    uint32_t head[4];
    if (!f || fread(head, 4, 4, f) != 4) return 1;
    int width = head[0], height = head[1], size = head[2];
    size_t bytes = (size_t)width * height * size;
    uint8_t *samples = malloc(bytes), *row = malloc(8 * (size_t)width);
    uint8_t *part = malloc(plb_rice_capacity(width, height, size));
    if (fread(samples, 1, bytes, f) != bytes) return 1;
    fclose(f);
    size_t made =
        size == 1   ? plb_rice_encode8(samples, width, height, head[3], row, part)
        : size == 2 ? plb_rice_encode16(
                          (void *)samples, width, height, head[3], (void *)row, part)
                    : plb_rice_encode32(
                          (void *)samples, width, height, head[3], (void *)row, part);
    char header[512], path[4096];
    const char *kind = strstr(paths[file], "f16") ? "float16"
                       : size == 4                ? "float32"
                       : size == 2                ? "uint16"
                                                  : "uint8";
    uint32_t length = snprintf(
        header, sizeof header,
        "{\"type\":\"frame\",\"sequence\":0,\"parts\":[{\"name\":\"depth\",\"encoding\":\"rice\","
        "\"samples\":\"%s\",\"width\":%d,\"height\":%d,\"bytes\":%zu}]}",
        kind, width, height, made);
    snprintf(path, sizeof path, "%s.pls1", paths[file]);
    f = fopen(path, "wb");
    fwrite("PLS1", 1, 4, f), fwrite(&length, 4, 1, f);
    fwrite(header, 1, length, f), fwrite(part, 1, made, f);
    fclose(f);
    free(samples), free(row), free(part);
  }
  return 0;
}
