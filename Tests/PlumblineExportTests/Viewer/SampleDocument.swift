/// `plumbline.check/1` documents for tests.
enum SampleDocument {
  /// A corrected TrueDepth portrait with findings of every severity.
  static let corrected = #"""
    {"schema": "plumbline.check/1", "file": "bust.heic",
     "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
     "source": {"make": "Apple", "model": "iPhone 14", "os": "16.0", "camera": "trueDepth",
       "api": "photo", "capturedAt": "2026-05-04T10:12:31"},
     "depth": {"width": 432, "height": 576, "storedType": "hdis", "kind": "disparity",
       "accuracy": "absolute", "filtered": false, "quality": "high", "minMeters": 0.336,
       "medianMeters": 0.623, "maxMeters": 0.957, "validFraction": 0.953,
       "stepMillimetersAtMedian": 0.97, "sigmaMillimetersAtMedian": 2.2},
     "calibration": {"present": true, "trusted": true, "fx": 401.76, "fy": 401.76, "cx": 215.5,
       "cy": 287.5, "referenceWidth": 2316, "referenceHeight": 3088,
       "pixelSizeMillimeters": 0.001, "distortion": "table", "rectified": "no"},
     "findings": [
       {"code": "depth.unfiltered", "severity": "note",
        "message": "The depth is as measured; holes were not filled in.",
        "effect": {"zMillimeters": null, "lengthPercent": null}, "correction": "none"},
       {"code": "depth.flying", "severity": "caution",
        "message": "1.4 % of the pixels float between near and far surfaces.",
        "effect": {"zMillimeters": 38, "lengthPercent": null}, "correction": "available"},
       {"code": "calibration.distortion", "severity": "caution",
        "message": "The map is not rectified: straight lines bend by up to 4.1 pixels at the border.",
        "effect": {"zMillimeters": null, "lengthPercent": 1.3}, "correction": "applied"},
       {"code": "color.crop", "severity": "note",
        "message": "The photo is cropped by 2 pixels against its depth.",
        "effect": {"zMillimeters": null, "lengthPercent": 0.05}, "correction": "applied"}],
     "verdict": "corrected",
     "headline": {"words": "Measurable after correction, lengths to ± 6.5 %", "tone": "corrected"},
     "reason": "You can measure in this photo: after lens correction a length is good to 0.6 %, a depth at 62 cm to 2.2 mm.",
     "uncertainty": {"zMillimeters": 2.2, "lengthPercent": 0.6,
       "basis": "disparity step, sensor noise, factory focal length"},
     "outputs": {"report": "bust.html", "cloud": null}}
    """#

  /// Strings that try to leave their place.
  static let hostile = #"""
    {"schema": "plumbline.check/1", "file": "</script><script>window.pwned=1</script>",
     "source": {"model": "<img src=x onerror=window.pwned=1>", "camera": "constructor"},
     "findings": [{"code": "<!--<script>", "severity": "__proto__", "message": "\"><svg onload=alert(1)>",
       "effect": {"zMillimeters": "1e999"}, "correction": "toString"}],
     "verdict": "hasOwnProperty", "headline": {"words": "<script>", "tone": "hasOwnProperty"},
     "reason": "]]></style></script>&lt;\u0000 \u202Etxt"}
    """#
}
