"""Times the writing of photos beside memcpy, heif-enc and pillow_heif, in one run.

    photos.py BENCHMARK JPEG HEIC [--quick]

JPEG is a photo with depth; copies of it are joined by a large one, made here, so that the rate is that of a photo
of 12 megapixels. HEIC is read for its image, which each side codes at the same quality.
"""
import argparse
import io
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time


class Benchmark:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def seconds(self, work, count, quality=92):
        return [t / 1e9 for t in self.ask("time", work, quality, count)["nanoseconds"]]


def timed(function, count):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("benchmark")
    parser.add_argument("jpeg")
    parser.add_argument("heic")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args()
    benchmark = Benchmark(arguments.benchmark)
    median = statistics.median
    size = benchmark.ask("photo", arguments.jpeg)["bytes"]
    rounds = 5 if arguments.quick else 25
    data = open(arguments.jpeg, "rb").read()
    copy = median(timed(lambda: bytearray(data), rounds))
    print(f"JPEG of {size / 1e6:.2f} MB, memcpy {size / copy / 1e6:.0f} MB/s")
    for work in ("strip", "replace"):
        seconds = benchmark.seconds(work, rounds)
        print(f"  {work:8} median {1e3 * median(seconds):7.2f} ms, {size / median(seconds) / 1e6:6.0f} MB/s, "
              f"best {size / min(seconds) / 1e6:6.0f} MB/s")
    for path in (arguments.heic,):
        size = benchmark.ask("photo", path)["bytes"]
        print(f"HEIC of {size / 1e6:.2f} MB")
        for work in ("strip", "replace"):
            seconds = benchmark.seconds(work, rounds)
            print(f"  {work:8} median {1e3 * median(seconds):7.2f} ms, {size / median(seconds) / 1e6:6.0f} MB/s")
        coding(benchmark, path, 1 if arguments.quick else 3, median)


def coding(benchmark, path, rounds, median):
    """A 12-megapixel photo coded by each, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        import pillow_heif
        image = pillow_heif.open_heif(path, convert_hdr_to_8bit=True).to_pillow()
        png = os.path.join(folder, "image.png")
        image.save(png, compress_level=1)
        ours, peer, pillow = [], [], []
        sizes = {}
        for _ in range(rounds):
            ours += benchmark.seconds("heic", 1, 90)
            if shutil.which("heif-enc"):
                target = os.path.join(folder, "peer.heic")
                command = ["heif-enc", "-q", "90", "-p", "preset=medium", png, "-o", target]
                peer += timed(lambda: subprocess.run(command, check=True, capture_output=True), 1)
                sizes["heif-enc"] = os.path.getsize(target)
            buffer = io.BytesIO()
            heif = pillow_heif.from_pillow(image)
            pillow += timed(lambda: heif.save(buffer, quality=90), 1)
            sizes["pillow_heif"] = buffer.tell()
        sizes["plumbline"] = benchmark.ask("save", "heic", 90, os.path.join(folder, "ours.heic"))["bytes"]
        print(f"  coded at quality 90, {image.width}×{image.height}, with depth, mattes and gain map in ours:")
        print(f"    plumbline   {median(ours):6.2f} s, {sizes['plumbline'] / 1e6:.2f} MB")
        if peer:
            print(f"    heif-enc    {median(peer):6.2f} s, {sizes['heif-enc'] / 1e6:.2f} MB (medium; reads a PNG), "
                  f"ratio {median(ours) / median(peer):.2f}")
        print(f"    pillow_heif {median(pillow):6.2f} s, {sizes['pillow_heif'] / 1e6:.2f} MB (its own preset), "
              f"ratio {median(ours) / median(pillow):.2f}")
        jpeg = benchmark.seconds("jpeg", rounds, 90)
        print(f"    as JPEG     {median(jpeg):6.2f} s")


if __name__ == "__main__":
    main()
