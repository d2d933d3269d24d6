"""Prints what libheif, and exiftool where it is installed, find in a HEIC file.

    heif_parts.py FILE

Lines: `size W H`, `depth COUNT`, `auxiliary TYPE`, and `exiftool` with `NAME VALUE` of Apple's tags behind it.
"""

import json
import shutil
import subprocess
import sys

import pillow_heif

file = pillow_heif.open_heif(sys.argv[1], convert_hdr_to_8bit=False)
image = file[0]
print("size", *image.size)
print("depth", len(image.info.get("depth_images", [])))
for kind in image.info.get("aux", {}):
    print("auxiliary", kind)
if shutil.which("exiftool"):
    found = subprocess.run(["exiftool", "-j", sys.argv[1]], capture_output=True, check=True)
    print("exiftool")
    for name, value in json.loads(found.stdout)[0].items():
        if name in ("PortraitScore", "PortraitScoreIsHigh", "EffectStrength", "SimulatedAperture"):
            print(name, value)
