package import PlumblineIO
package import PlumblineImages
package import PlumblineModel
import PlumblineStreams

/// A depth map in a separate file: PNG, PGM, TIFF or NumPy array.
package struct DepthFile {
  /// The numbers of the file, as stored.
  package let values: NumericRaster
  /// The stored type of a number, such as `u16`.
  package let storedType: String
  /// The kind of file, such as `PNG`.
  package let container: String
  /// The writer's description of the map; `nil` if there is none.
  package let description: String?

  /// The file name endings of such files.
  static let endings: Set<String> = ["png", "pgm", "tif", "tiff", "npy"]

  /// Whether the first bytes are those of a kind that ``init(_:limits:)`` reads.
  static func recognizes(_ bytes: [UInt8]) -> Bool {
    PNGImage.recognizes(bytes) || TIFFImage.recognizes(bytes) || NPYArray.recognizes(bytes)
      || NetpbmImage.recognizes(bytes)
  }

  /// Reads a file whose kind is determined by its first bytes.
  ///
  /// - Throws: `.unsupported` for color and for other kinds of files; errors of the format's
  ///   reader. O(*n*).
  package init(_ bytes: [UInt8], limits: ReadingLimits) throws(CaptureReadingError) {
    var description: String?
    if PNGImage.recognizes(bytes) {
      guard case .gray(let samples) = try PNGImage(bytes[...], limits: limits) else {
        throw CaptureReadingError(
          .unsupported, path: ["PNG"], offset: 0, expected: "a gray depth map", found: "color")
      }
      (values, container) = (Self.values(samples), "PNG")
    } else if TIFFImage.recognizes(bytes) {
      let image = try TIFFImage(bytes[...], limits: limits)
      description = image.description
      (values, container) = (image.values, "TIFF")
    } else if NPYArray.recognizes(bytes) {
      (values, container) = (try NPYArray(bytes[...], limits: limits).values, "NPY")
    } else if NetpbmImage.recognizes(bytes) {
      guard case .gray(let samples, _) = try NetpbmImage(bytes[...], limits: limits) else {
        throw CaptureReadingError(
          .unsupported, path: ["PNM"], offset: 0, expected: "a gray depth map", found: "color")
      }
      (values, container) = (Self.values(samples), "PGM")
    } else {
      throw CaptureReadingError(
        .unsupported, offset: 0, expected: "a depth map as PNG, PGM, TIFF or NPY",
        found: bytes.isEmpty ? "an empty file" : printable(bytes.prefix(8)))
    }
    self.description = description
    storedType =
      switch values {
      case .uint8: "u8"
      case .uint16: "u16"
      case .uint32: "u32"
      case .float32: "fdep"
      case .float64: "f64"
      }
  }

  private static func values(_ samples: StoredSamples) -> NumericRaster {
    switch samples {
    case .uint8(let raster): .uint8(raster)
    case .uint16(let raster, _): .uint16(raster)
    }
  }

  /// The map in meters and its provenance step; floating-point numbers are meters for any
  /// `encoding`.
  ///
  /// - Throws: `.unsupported` for 8 bits, in which no camera stores depth, and for 32-bit integers
  ///   unless `encoding` is ``DepthEncoding/codes(perMeter:)``. O(*n*).
  package func record(
    _ encoding: DepthEncoding, accuracy: DepthRecord.Accuracy
  ) throws(CaptureReadingError) -> (record: DepthRecord, step: ProvenanceStep) {
    let meters: Raster<Float>
    var used = encoding
    switch values {
    case .uint8:
      throw CaptureReadingError(
        .unsupported, path: [container], offset: 0, expected: "depth in 16 bits or more",
        found: "8 bits, which are commonly an image of depth without a unit")
    case .uint16(let codes):
      // A table is faster if a map has more pixels than there are codes.
      if codes.size.pixelCount > 1 << 16 {
        let table = (0...UInt16.max).map(encoding.meters)
        meters = codes.map { table[Int($0)] }
      } else {
        meters = codes.map(encoding.meters)
      }
    case .uint32(let codes):
      guard case .codes(let perMeter) = encoding else {
        throw CaptureReadingError(
          .unsupported, path: [container], offset: 0, expected: "codes of 16 bits",
          found: "32 bits")
      }
      meters = codes.map { $0 == 0 ? DepthMap.missing : Float(Double($0) / perMeter) }
    case .float32, .float64:
      meters = values.floats
      used = .meters
    }
    var record = DepthRecord(
      values: .depth(DepthMap(meters: meters)), storedType: storedType, accuracy: accuracy)
    // No room and no phone measures more than 100 m in most pixels.
    if used == .meters, meters.samples.lazy.filter({ $0 > 100 }).count > meters.samples.count / 2 {
      record.hasUnit = false
    }
    if case .uint16(let codes) = values {
      record.storedSamples = .uint16(codes, bitDepth: 16)
      if case .codes(let perMeter) = used {
        record.quantization = LinearQuantization(
          minimumCode: 0, maximumCode: 65535, minimumValue: 0, maximumValue: 65535 / perMeter)
      }
    }
    return (record, used.step)
  }
}

/// The conversion from the numbers of a depth file to meters.
package enum DepthEncoding: Hashable, Sendable {
  /// Integers with a fixed number of codes per meter; 0 means not measured.
  case codes(perMeter: Double)
  /// Meters in integers or floating point; a number that is not finite and above 0 means not
  /// measured.
  case meters
  /// Millimeters whose bits are rotated left by three positions, as in SUN RGB-D and SUN3D.
  ///
  /// - Source: PrincetonVision/SUN3Dsfm, `depthRead.m`: `(v >> 3) | (v << 13)`, then / 1000.
  case rotatedMillimeters
  /// Disparities of the first Kinect: 11 bits, with swapped bytes, as in NYU's raw frames.
  ///
  /// - Source: N. Silberman, NYU Depth Dataset V2 toolbox, `project_depth_map.m` and
  ///   `camera_params.m`: `swapbytes`, then `351.3 / (1092.5 − d)` meters.
  case kinectDisparity

  /// Millimeters, the usual unit of RGB-D data sets with 16-bit images.
  package static let millimeters = DepthEncoding.codes(perMeter: 1000)

  /// Converts a 16-bit code to meters; NaN for a missing depth.
  package func meters(_ code: UInt16) -> Float {
    switch self {
    case .codes(let perMeter): return code == 0 ? DepthMap.missing : Float(Double(code) / perMeter)
    case .meters: return code == 0 ? DepthMap.missing : Float(code)
    case .rotatedMillimeters:
      let turned = code >> 3 | code << 13
      return turned == 0 ? DepthMap.missing : Float(turned) / 1000
    case .kinectDisparity:
      let meters = 351.3 / (1092.5 - Double(code.byteSwapped))
      return meters > 0 ? Float(meters) : DepthMap.missing
    }
  }

  /// The provenance step of this conversion.
  package var step: ProvenanceStep {
    switch self {
    case .codes(let perMeter):
      ProvenanceStep(
        .dequantized, "meters = code / \(perMeter.fixed(0)); code 0 is not measured")
    case .meters: ProvenanceStep(.read, "meters as stored; what is not above 0 is not measured")
    case .rotatedMillimeters:
      ProvenanceStep(
        .turnedBits, "millimeters = code >> 3 | code << 13, as SUN RGB-D packs them")
    case .kinectDisparity:
      ProvenanceStep(
        .convertedDisparity,
        "bytes exchanged, then meters = 351.3 / (1092.5 − d), as NYU's toolbox does; d of 1093 and "
          + "more is not measured")
    }
  }
}

extension DepthEncoding {
  /// Whether codes can be millimeters rotated by three bits: none of them above 16.383 m.
  ///
  /// Then their lowest three bits are 0 or 1, while in other maps they have all eight values.
  static func looksRotated(_ codes: Raster<UInt16>) -> Bool {
    var seen: UInt16 = 0
    for y in 0..<codes.height {
      for code in codes.row(y) {
        if code & 7 > 1 { return false }
        seen |= code
      }
    }
    // A map with only small numbers proves nothing.
    return seen >> 3 != 0
  }

  /// Whether codes can be disparities of 11 bits with swapped bytes.
  static func looksLikeSwappedDisparity(_ codes: Raster<UInt16>) -> Bool {
    var largest: UInt16 = 0
    for y in 0..<codes.height {
      for code in codes.row(y) { largest = max(largest, code.byteSwapped) }
    }
    return largest <= 2047 && largest > 255
  }
}
