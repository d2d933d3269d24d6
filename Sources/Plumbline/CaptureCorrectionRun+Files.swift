import PlumblineCorrection
import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineModel

extension CaptureCorrectionRun {
  /// The corrected capture as files in memory: color, depth in three forms, the map of pixels, the
  /// calibration with its ±, and what was done.
  ///
  /// Cost: O(*n*).
  public var files: [Extraction.File] {
    var files: [Extraction.File] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      files.append(Extraction.File(name: name, bytes: bytes))
    }
    if let color = after.capture.color { add("color.png", PNGEncoder().encoded(color)) }
    if let corrected = after.corrected {
      files += Extraction.files(
        of: corrected.depth, isMetric: corrected.isMetric, origin: after.origin)
    }
    if let depthMap {
      add(
        "depth-source.npy",
        NPYWriter().bytes(Raster(size: depthMap.size, samples: depthMap.sources)))
    }
    if let document = after.calibrationDocument {
      add("calibration.json", JSONWriter().bytes(document.json))
    }
    add("provenance.json", JSONWriter().bytes(document()))
    return files
  }
}
