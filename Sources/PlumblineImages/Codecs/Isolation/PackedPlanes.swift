import PlumblineModel

/// How the planes of an HEVC image lie in one piece of memory: luma, blue, red, without gaps.
struct PackedPlanes: Sendable {
  /// The columns and rows of each plane.
  let sizes: [RasterSize]
  private let parameters: SequenceParameterSet
  private var sampleBytes: Int { parameters.lumaBitDepth > 8 ? 2 : 1 }

  /// The planes that the parameters announce.
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

  /// Whether no sample is over its bit depth; O(*n*).
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
