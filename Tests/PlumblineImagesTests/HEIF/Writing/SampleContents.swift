import PlumblineModel
import PlumblineTestSupport
@testable import PlumblineImages
/// Photos with everything that can be written, decided by a seed.
enum SampleContents {
  /// A small photo; every third has depth of more than 8 bits, every other stores depths.
  static func photo(seed: UInt64) -> PhotoContents {
    var generator = SeededGenerator(seed: seed &+ 77)
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let size = RasterSize(width: number(3...90), height: number(3...90))
    var contents = PhotoContents(color: colorful(size.width, size.height, seed: seed))
    let orientations = ImageOrientation.allCases
    contents.metadata.orientation = orientations[number(0...orientations.count - 1)]
    contents.metadata.exif = exif(orientation: contents.metadata.orientation)
    if number(0...1) == 0 {
      contents.metadata.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    }
    if number(0...1) == 0 { contents.metadata.iccProfile = (0..<132).map { UInt8($0) } }
    let depthSize = RasterSize(width: number(1...70), height: number(1...70))
    let bitDepth = [8, 16, 8, 12, 8, 9][Int(seed % 6)]
    let codes = mixedCodes(depthSize.width, depthSize.height, bitDepth: bitDepth, seed: seed)
    let low = Double(number(1...2_000_000)) / 1_000_000
    let high = low + Double(number(100_000...4_000_000)) / 1_000_000
    var depth = PhotoDepth(
      codes: bitDepth == 8 ? .uint8(codes.map { UInt8($0) }) : .uint16(codes, bitDepth: bitDepth),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: (1 << bitDepth) - 1, minimumValue: low, maximumValue: high),
      quantity: seed % 2 == 0 ? .disparity : .depth)
    depth.accuracy = seed % 2 == 0 ? .relative : .absolute
    depth.isFiltered = number(0...1) == 0
    depth.quality = "high"
    depth.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [Double(number(500...4_000)), 3_000.5], principalPoint: [2_000.25, 1_500.75],
        size: RasterSize(width: 4_032, height: 3_024)), pixelSizeMillimeters: 0.001)
    contents.depth = depth
    for kind in Matte.Kind.allCases where number(0...1) == 0 {
      let coverage = mixedCodes(number(1...50), number(1...50), bitDepth: 8, seed: seed &+ 5)
      contents.mattes.append(
        Matte(
          kind: kind, coverage: coverage.map { UInt8($0) },
          orientation: contents.metadata.orientation))
    }
    if number(0...1) == 0 {
      let gain = mixedCodes(number(1...40), number(1...40), bitDepth: 8, seed: seed &+ 6)
      contents.gainMap = GainMap(
        samples: .uint8(gain.map { UInt8($0) }), version: 131_072, headroom: 2.5)
    }
    return contents
  }

  /// A big-endian Exif block that holds an orientation and nothing else.
  static func exif(orientation: ImageOrientation) -> [UInt8] {
    Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
  }

  /// Everything raw: nothing is lost and no program is needed.
  static let raw = PhotoWritingOptions(companionCoding: .lossless, hevc: .raw)
}

/// What is in one photo and not the same in another, by name; empty when they are alike.
func differences(_ a: PhotoContents, _ b: PhotoContents) -> [String] {
  var names: [String] = []
  if a.metadata != b.metadata { names.append("metadata") }
  if a.color.size != b.color.size { names.append("size") }
  if a.depth?.codes != b.depth?.codes { names.append("codes") }
  if a.depth?.quantization != b.depth?.quantization { names.append("quantization") }
  if a.depth?.quantity != b.depth?.quantity { names.append("quantity") }
  if a.depth?.accuracy != b.depth?.accuracy { names.append("accuracy") }
  if a.depth?.isFiltered != b.depth?.isFiltered { names.append("filtered") }
  if a.depth?.quality != b.depth?.quality { names.append("quality") }
  if a.depth?.calibration?.intrinsics != b.depth?.calibration?.intrinsics {
    names.append("intrinsics")
  }
  if a.mattes.map(\.kind) != b.mattes.map(\.kind) { names.append("kinds of mattes") }
  for (one, other) in zip(a.mattes, b.mattes) where one.coverage.samples != other.coverage.samples {
    names.append("matte \(one.kind)")
  }
  if a.gainMap?.samples != b.gainMap?.samples { names.append("gain map") }
  if a.gainMap?.version != b.gainMap?.version { names.append("gain map's version") }
  if a.gainMap?.headroom != b.gainMap?.headroom { names.append("headroom") }
  return names
}
