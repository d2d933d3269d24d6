import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineStereo
public import PlumblineStreams

extension StereoRun {
  /// The result as files in memory, but for `capture.mcap`; O(*n*).
  ///
  /// `disparity.npy`, `left.png` and `right.png` lie on the rectified images; everything else
  /// stands as the left image does, which is the same for cameras side by side.
  ///
  /// - Throws: ``CaptureReadingError`` when an image cannot be encoded.
  public func files() throws -> [Extraction.File] {
    var files: [Extraction.File] = []
    func add(_ name: String, _ bytes: [UInt8]) {
      files.append(Extraction.File(name: name, bytes: bytes))
    }
    add("disparity.npy", NPYWriter().bytes(match.disparity.pixels))
    if let record = check.capture.depth, case .depth(let depth) = record.values {
      if geometry.calibration.isMetric {
        files += Extraction.files(of: depth, isMetric: true, origin: check.origin)
      } else {
        add("relative.npy", NPYWriter().bytes(depth.meters))
      }
      if let sigma = record.sigmaMeters { add("sigma.npy", NPYWriter().bytes(sigma)) }
    }
    add("left.png", PNGEncoder().encoded(images.leftColor))
    add("right.png", PNGEncoder().encoded(images.pair.right))
    // Wrong matches lie anywhere, and few of them beyond a hundred meters would take all colors.
    let span = DepthColors.Span.quantiles(0.01...0.98)
    if density > 0 { files += try DepthImage(check, style: .init(span: span)).files }
    if let document = check.calibrationDocument {
      add("calibration.json", JSONWriter().bytes(document.json))
    }
    add("stereo.json", JSONWriter().bytes(document()))
    return files
  }

  /// The result as a recording of one frame, which every other command takes; O(*n*).
  ///
  /// - Throws: ``RecordingWritingError`` for what the format cannot hold.
  public func recording() throws(RecordingWritingError) -> [UInt8] {
    var capture = check.capture
    capture.timestampSeconds = capture.timestampSeconds ?? 0
    return try capture.recording(named: "stereo", origin: fileName)
  }
}
