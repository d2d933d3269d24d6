import PlumblineEstimation
import PlumblineExport
import PlumblineImages
import PlumblineIO
import PlumblineModel
public import PlumblineStreams

extension EstimateRun {
  /// The estimate as files in memory, without ``recording(origin:)``.
  ///
  /// `depth.npy` holds meters, `relative.npy` numbers without a unit, both on the image's grid;
  /// `residual.npy` meters on the grid of what was measured.
  ///
  /// - Throws: ``CaptureReadingError`` when the image of the depth cannot be made. Cost: O(*n*).
  public var files: [Extraction.File] {
    get throws(CaptureReadingError) {
      var files: [Extraction.File] = []
      func add(_ name: String, _ bytes: [UInt8]) {
        files.append(Extraction.File(name: name, bytes: bytes))
      }
      if let depth = estimated.depth { add("depth.npy", NPYWriter().bytes(depth.meters)) }
      if let values = estimated.relativeValues { add("relative.npy", NPYWriter().bytes(values)) }
      if let sigma = estimated.sigmaMeters { add("sigma.npy", NPYWriter().bytes(sigma)) }
      if let filling {
        add("filled.npy", NPYWriter().bytes(filling.depth.meters))
        add("filled-sigma.npy", NPYWriter().bytes(filling.sigmaMeters))
        add(
          "invented.png",
          PNGEncoder().encoded(filling.inventedPixels.map { $0 == 0 ? UInt8(0) : 255 }))
      }
      if let residual {
        add("residual.npy", NPYWriter().bytes(residual.meters))
        add("residual-sigma.npy", NPYWriter().bytes(residual.sigmaMeters))
        files +=
          ResidualImage(residual, fileName: before.fileName, producer: after.origin.producer)?
          .files ?? []
      }
      if (after.assessment.statistics?.validCount ?? 0) > 0 {
        files += try DepthImage(after, style: DepthImage.Style()).files
          .filter { $0.name == DepthImage.imageName }
      }
      if let calibration = after.calibrationDocument {
        add("calibration.json", JSONWriter().bytes(calibration.json))
      }
      add("estimate.json", JSONWriter().bytes(document()))
      return files
    }
  }

  /// The result as a recording of one frame (MCAP), which every verb takes.
  ///
  /// - Parameter origin: The program and the file that it comes from, in words.
  /// - Returns: The bytes of the file.
  /// - Throws: ``RecordingWritingError`` for what MCAP cannot hold. Cost: O(*n*).
  public func recording(origin: String) throws(RecordingWritingError) -> [UInt8] {
    try after.capture.recording(named: before.fileName, origin: origin)
  }
}
