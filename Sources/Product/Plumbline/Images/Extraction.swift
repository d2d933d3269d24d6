import PlumblineExport
import PlumblineImages
public import PlumblineIO
import PlumblineModel

/// The parts of a capture as files in memory, and what could not be written and why.
public struct Extraction: Sendable {
  /// One file.
  public struct File: Sendable {
    /// Its name, without a folder.
    public var name: String
    /// Its bytes.
    public var bytes: [UInt8]

    /// Creates a file from its parts.
    package init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// The files, in a fixed order.
  public private(set) var files: [File] = []
  /// Sentences about what was left out or lost.
  public private(set) var messages: [String] = []

  /// Encodes all parts of a capture.
  ///
  /// - Parameters:
  ///   - check: The capture.
  ///   - depthStyle: The colors of an image of its depth; `nil` for none.
  /// - Throws: ``CaptureReadingError`` when an image cannot be encoded, or depth cannot be colored
  ///   as requested. Cost: O(*n*).
  public init(
    _ check: CaptureAnalysis, depthStyle: DepthImage.Style? = nil
  ) throws(CaptureReadingError) {
    if let color = check.capture.color {
      if max(color.width, color.height) <= JPEGEncoder.maximumSide {
        add("color.jpg", try JPEGEncoder(quality: 95, chromaSampling: .full).encoded(color))
      } else {
        messages.append("color.jpg was left out: \(color.size) pixels are more than JPEG can hold")
      }
    }
    addDepth(of: check)
    if let depthStyle { files += try DepthImage(check, style: depthStyle).files }
    for matte in check.capture.mattes {
      add("matte-\(matte.kind.rawValue).png", PNGEncoder().encoded(matte.coverage))
    }
    if let samples = check.capture.gainMap?.samples { add("gainmap.png", samples) }
    if let confidence = check.capture.depth?.confidence {
      add("confidence.png", PNGEncoder().encoded(confidence.levels))
    }
    if let sigma = check.pixelSigma { add("sigma.npy", NPYWriter().bytes(sigma)) }
    if let pose = check.capture.worldFromCamera {
      add("world-from-camera.txt", Array(Self.text(of: pose).utf8))
    }
    if let document = check.calibrationDocument {
      add("calibration.json", JSONWriter().bytes(document.json))
    }
  }

  private mutating func addDepth(of check: CaptureAnalysis) {
    guard let corrected = check.corrected else {
      messages.append(check.assessment.reason)
      return
    }
    files += Self.files(
      of: corrected.depth, isMetric: corrected.isMetric, origin: check.origin)
    if corrected.isMetric {
      let map = MillimeterMap(corrected.depth)
      if map.tooFarCount + map.tooNearCount > 0 {
        messages.append(
          "depth.png: \(map.tooFarCount) pixels are farther than 65.535 m and "
            + "\(map.tooNearCount) nearer than 0.5 mm; both are written as unknown")
      }
    } else {
      messages.append("depth.png was left out: millimeters need a metric map")
    }
    if let samples = check.capture.depth?.storedSamples { add("codes.png", samples) }
  }

  /// Four rows of four numbers, in the shortest digits that give every bit again.
  private static func text(of pose: RigidTransform) -> String {
    let rows = pose.homogeneousRowMajor
    return stride(from: 0, to: 16, by: 4)
      .map { start in rows[start..<start + 4].map { "\($0)" }.joined(separator: " ") + "\n" }
      .joined()
  }

  /// A map as NumPy array, as TIFF and, in meters, as PNG of whole millimeters; O(*n*).
  static func files(of depth: DepthMap, isMetric: Bool, origin: ExportOrigin) -> [File] {
    let unit = isMetric ? "meters" : "relative, without a unit"
    let tiff = TIFFWriter(
      description: "depth along the optical axis, \(unit), NaN = not measured", origin: origin)
    var files = [
      File(name: "depth.npy", bytes: NPYWriter().bytes(depth.meters)),
      File(name: "depth.tiff", bytes: tiff.bytes(depth.meters)),
    ]
    if isMetric {
      files.append(
        File(name: "depth.png", bytes: PNGEncoder().encoded(MillimeterMap(depth).millimeters)))
    }
    return files
  }

  private mutating func add(_ name: String, _ samples: StoredSamples) {
    switch samples {
    case .uint8(let raster): add(name, PNGEncoder().encoded(raster))
    case .uint16(let raster, _): add(name, PNGEncoder().encoded(raster))
    }
  }

  private mutating func add(_ name: String, _ bytes: [UInt8]) {
    files.append(File(name: name, bytes: bytes))
  }
}
