"""Times decoding a photo's color image alone with pillow_heif: `color_peer.py PHOTO THREADS COUNT`.

Prints the nanoseconds of each decode, by the wall and of processors; the import is not part of them.
"""

import sys
import time

import pillow_heif


def main():
    photo, threads, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pillow_heif.options.DECODE_THREADS = threads
    pillow_heif.options.DEPTH_IMAGES = False
    pillow_heif.options.AUX_IMAGES = False
    for _ in range(count):
        start, busy = time.perf_counter_ns(), time.process_time_ns()
        pillow_heif.open_heif(photo)[0].load()
        print(time.perf_counter_ns() - start, time.process_time_ns() - busy)


main()
