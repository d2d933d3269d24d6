"""The model card that goes with a converted network; `Documentation/models.md` describes it."""
import copy
import json

# FCRN trained on NYU Depth v2. Its meters assume the camera of NYU Depth v2 at half its size, 518.86/2 pixels.
# Source: I. Laina et al., Deeper Depth Prediction with Fully Convolutional Residual Networks, 3DV 2016: images
# were halved, then cropped to 304 × 228.
FCRN = {
    "schema": "plumbline.model-card/1",
    "name": "fcrn-nyu",
    "title": "FCRN (ResNet-50, up-projection), NYU Depth v2, 304 × 228",
    "license": "see its origin; the weights are the user's own copy",
    "origin": "github.com/iro-cp/FCRN-DepthPrediction, or Apple's FCRN.mlmodel",
    "input": {
        "width": 304, "height": 228, "layout": "nchw", "channels": "rgb", "factor": 1,
        "mean": [0, 0, 0], "deviation": [1, 1, 1], "placement": "scaleFill",
    },
    "output": {"meaning": "meters", "name": None, "focalName": None},
    "assumedFocalPixels": 259.4,
    "publishedError": {
        "rmseMeters": 0.573, "delta1": 0.811, "data": "NYU Depth v2",
        "source": "I. Laina et al., 3DV 2016, as the README of dwofk/fast-depth repeats it",
    },
}


# MediaPipe's segmenters of people, which end with a sigmoid. Checksums of the files in the wheel.
# Source: google-ai-edge/mediapipe, modules/selfie_segmentation/selfie_segmentation_cpu.pbtxt: RGB from 0 to 1.
SELFIE = {
    "9ee168ec7c8f2a16c56fe8e1cfbc514974cbbb7e434051b455635f1bd1462f5c": "selfie-square",
    "a77d03f4659b9f6b6c1f5106947bf40e99d7655094b6527f214ea7d451106edd": "selfie-landscape",
}


def of_core_ml(width, height, is_bgr):
    """The card of a Core ML network: FCRN's for its size of input, else what the file says, which is not all."""
    card = copy.deepcopy(FCRN)
    if (width, height) != (FCRN["input"]["width"], FCRN["input"]["height"]):
        card |= {"name": "core-ml", "title": "a Core ML network", "license": "unknown", "origin": "unknown"}
        card["input"] |= {"width": width, "height": height}
        card["output"]["meaning"] = None
        card["assumedFocalPixels"] = card["publishedError"] = None
    card["input"]["channels"] = "bgr" if is_bgr else "rgb"
    return card


def of_tflite(width, height):
    """The card of a TFLite network: the image that it takes, and what MediaPipe's segmenters have in common."""
    card = {
        "schema": "plumbline.model-card/1", "name": "tflite", "title": "a TFLite network", "license": "unknown",
        "origin": "unknown",
        "input": {
            "width": width, "height": height, "layout": "nhwc", "channels": "rgb", "factor": 1 / 255,
            "mean": [0, 0, 0], "deviation": [1, 1, 1], "placement": "scaleFill",
        },
        "output": {"meaning": None, "name": None},
    }
    return card


def known_tflite(digest, card):
    """The same with what is known of a file by its SHA-256."""
    if name := SELFIE.get(digest):
        card |= {
            "name": name, "title": f"MediaPipe selfie segmentation, {name.split('-')[-1]}", "license": "Apache-2.0",
            "origin": "the wheel mediapipe 0.10.21, modules/selfie_segmentation",
        }
        card["output"]["meaning"] = "foregroundProbability"
    return card


def unknown(card):
    """The members without which a card cannot be used, and which the file did not say."""
    return [] if card["output"]["meaning"] else ["output.meaning"]


def text(card):
    return (json.dumps(card, ensure_ascii=False, indent=2) + "\n").encode()
