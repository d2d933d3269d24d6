import PlumblineIO
import PlumblineModel

/// Decodes single HEVC images; one conforming type per codec.
protocol HEVCStillDecoding: Sendable {
  /// Decodes an image and passes its planes to a closure.
  ///
  /// - Parameters:
  ///   - image: A checked image.
  ///   - path: The enclosing structures, for errors.
  ///   - body: Called once with planes that must not outlive the call.
  /// - Throws: `.malformed` when the codec finds damage, `.unsupported` when it cannot decode the
  ///   kind of image or is missing in this build, and errors of `body`.
  func decode(
    _ image: HEVCStillImage, path: [String],
    _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError)
}

/// The decoded planes of one image, in memory owned by the codec.
struct HEVCPlanes {
  /// One plane: one byte per sample up to 8 bits, two bytes in host byte order above.
  struct Plane {
    /// The first byte of the first row to the last byte of the last row.
    let bytes: UnsafeRawBufferPointer
    /// The distance between the starts of two rows.
    let bytesPerRow: Int
  }

  /// The columns and rows of luma.
  let size: RasterSize
  /// The planes' layout.
  let chroma: ChromaFormat
  /// Bits of a sample, the same in every plane.
  let bitDepth: Int
  /// Luma.
  let luma: Plane
  /// The two chroma planes, blue then red; `nil` for monochrome.
  let blueAndRed: (blue: Plane, red: Plane)?
}

/// The replacement in builds without an HEVC codec; it rejects every image with an error that says
/// so.
struct MissingHEVCDecoder: HEVCStillDecoding {
  func decode(
    _ image: HEVCStillImage, path: [String],
    _ body: (HEVCPlanes) throws(CaptureReadingError) -> Void
  ) throws(CaptureReadingError) {
    throw CaptureReadingError(
      .unsupported, path: path, expected: "a build with an HEVC codec", found: "none")
  }
}

/// A codec of this build, for the images of one file.
var defaultHEVCDecoder: any HEVCStillDecoding {
  #if canImport(CLibDE265)
    LibDE265Decoder()
  #elseif canImport(VideoToolbox)
    VideoToolboxDecoder()
  #else
    MissingHEVCDecoder()
  #endif
}

/// The memory layout of an HEVC image's planes: luma, blue, red, without gaps.
struct PackedPlanes: Sendable {
  /// The columns and rows of each plane.
  let sizes: [RasterSize]
  private let parameters: SequenceParameterSet
  private var sampleBytes: Int { parameters.lumaBitDepth > 8 ? 2 : 1 }

  /// The layout that the parameters declare.
  init(_ parameters: SequenceParameterSet) {
    self.parameters = parameters
    let size = parameters.size
    let (across, down) = (parameters.chroma.horizontalShift, parameters.chroma.verticalShift)
    let half = RasterSize(
      width: (size.width + across) >> across, height: (size.height + down) >> down)
    sizes = parameters.chroma == .monochrome ? [size] : [size, half, half]
  }

  /// The bytes of all planes.
  var byteCount: Int { sizes.reduce(0) { $0 + $1.pixelCount } * sampleBytes }

  /// Copies the planes of an image that has these sizes.
  func pack(_ planes: HEVCPlanes, into memory: UnsafeMutableRawBufferPointer) {
    var start = 0
    let all = [planes.luma] + (planes.blueAndRed.map { [$0.blue, $0.red] } ?? [])
    for (plane, size) in zip(all, sizes) {
      let rowBytes = size.width * sampleBytes
      for y in 0..<size.height {
        let row = plane.bytes[y * plane.bytesPerRow..<y * plane.bytesPerRow + rowBytes]
        UnsafeMutableRawBufferPointer(rebasing: memory[start..<start + rowBytes])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: row))
        start += rowBytes
      }
    }
  }

  /// Whether every sample fits its bit depth; O(*n*).
  func samplesFit(_ bytes: [UInt8]) -> Bool {
    guard sampleBytes == 2 else { return true }
    return bytes.withUnsafeBytes { buffer in
      let bits = buffer.bindMemory(to: UInt16.self).reduce(UInt16(0)) { $0 | $1 }
      return Int(bits) >> parameters.lumaBitDepth == 0
    }
  }

  /// The planes in memory that outlives their use.
  func planes(in memory: UnsafeRawBufferPointer) -> HEVCPlanes {
    var start = 0
    let all = sizes.map { size in
      let rowBytes = size.width * sampleBytes
      defer { start += rowBytes * size.height }
      let bytes = memory[start..<start + rowBytes * size.height]
      return HEVCPlanes.Plane(
        bytes: UnsafeRawBufferPointer(rebasing: bytes), bytesPerRow: rowBytes)
    }
    return HEVCPlanes(
      size: parameters.size, chroma: parameters.chroma, bitDepth: parameters.lumaBitDepth,
      luma: all[0], blueAndRed: all.count == 3 ? (all[1], all[2]) : nil)
  }
}
