import PlumblineImages
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport

/// Photos from seeds: small, but with everything that a writer must carry.
enum SamplePhotos {
  /// An image of a slope with noise, so that nothing compresses to nothing.
  static func image(_ seed: UInt64, width: Int = 48, height: Int = 32) -> Raster<RGB8> {
    var random = SeededGenerator(seed: seed)
    return Raster(size: RasterSize(width: width, height: height)) { x, y in
      RGB8(
        red: UInt8(5 * x % 256), green: UInt8(7 * y % 256),
        blue: UInt8(truncatingIfNeeded: random.next() % 64))
    }
  }

  /// A camera whose numbers are of single precision, as files have them.
  static func calibration(_ random: inout SeededGenerator) -> CameraCalibration {
    func number(_ low: Double, _ high: Double) -> Double {
      Double(Float(low + (high - low) * Double(random.next() % 4096) / 4096))
    }
    let size = RasterSize(width: 4032, height: 3024)
    let center = SIMD2(number(1900, 2100), number(1400, 1600))
    var percents: [Double] = [0]
    for power in 1..<8 { percents.append(number(-0.1, 0.1) / Double(1 << (4 * power))) }
    return CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: SIMD2(repeating: number(2500, 3500)),
        principalPoint: [number(1990, 2040), number(1490, 1540)], size: size),
      pixelSizeMillimeters: 0.001,
      distortion: LensDistortion(
        center: center, size: size, pixelSizeMillimeters: 0.001,
        distorting: .coefficients(percents), undistorting: .coefficients(percents.map { -$0 })),
      extrinsics: CameraExtrinsics(
        rotation: Rotation(x: [0, -1, 0], y: [1, 0, 0], z: [0, 0, 1]),
        translationMillimeters: [number(-20, 20), 0, 1]))
  }

  /// A depth map of any kind.
  static func depth(
    _ seed: UInt64, bits: Int = 8, quantity: PhotoDepth.Quantity = .disparity,
    hasCalibration: Bool = true
  ) -> PhotoDepth {
    var random = SeededGenerator(seed: seed)
    let size = RasterSize(
      width: 8 + Int(random.next() % 40), height: 8 + Int(random.next() % 30))
    let maximum = (1 << bits) - 1
    let codes = Raster<UInt16>(size: size) { x, y in
      let noise = Int(random.next() % 16)
      return UInt16(min(maximum, maximum * (x + y) / (size.width + size.height) + noise))
    }
    let low = Double(200_000 + random.next() % 500_000) / 1e6
    let high = low + Double(100_000 + random.next() % 3_000_000) / 1e6
    var depth = PhotoDepth(
      codes: bits == 8 ? .uint8(codes.map { UInt8($0) }) : .uint16(codes, bitDepth: bits),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: maximum, minimumValue: low, maximumValue: high),
      quantity: quantity)
    depth.accuracy = DepthRecord.Accuracy.allCases[Int(random.next() % 3)]
    depth.isFiltered = [nil, true, false][Int(random.next() % 3)]
    depth.quality = [nil, "high", "low"][Int(random.next() % 3)]
    if hasCalibration { depth.calibration = calibration(&random) }
    return depth
  }

  /// A TIFF block with a maker's note, sizes and a thumbnail behind it.
  static func exif(orientation: Int?, isBig: Bool = true) -> [UInt8] {
    func n16(_ value: Int) -> [UInt8] {
      let bytes: [UInt8] = [UInt8(value >> 8 & 255), UInt8(value & 255)]
      return isBig ? bytes : bytes.reversed()
    }
    func n32(_ value: Int) -> [UInt8] {
      let (high, low) = (n16(value >> 16), n16(value & 0xFFFF))
      return isBig ? high + low : low + high
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ field: [UInt8]) -> [UInt8] {
      let head: [UInt8] = n16(tag) + n16(type)
      return head + n32(count) + field
    }
    let count = orientation == nil ? 2 : 3
    let exifStart = 8 + 2 + 12 * count + 4 + 4
    let note = Array("Apple iOS\0note".utf8)
    let noteStart = exifStart + 2 + 12 * 3 + 4
    let secondStart = noteStart + note.count
    let thumbnail: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 4, 5, 0xFF, 0xD9]
    let thumbnailStart = secondStart + 2 + 12 * 2 + 4
    var block = Array((isBig ? "MM" : "II").utf8)
    block += n16(42)
    block += n32(8)
    block += n16(count) + entry(0x010F, 2, 3, Array("Me\0\0".utf8))
    if let orientation { block += entry(0x0112, 3, 1, n16(orientation) + [0, 0]) }
    block += entry(0x8769, 4, 1, n32(exifStart))
    block += n32(secondStart)
    block += [7, 7, 7, 7]
    block += n16(3)
    block += entry(0x927C, 7, note.count, n32(noteStart))
    block += entry(0xA002, 4, 1, n32(4032))
    block += entry(0xA003, 3, 1, n16(3024) + [0, 0])
    block += n32(0)
    block += note
    block += n16(2)
    block += entry(0x0201, 4, 1, n32(thumbnailStart))
    block += entry(0x0202, 4, 1, n32(thumbnail.count))
    block += n32(0)
    return block + thumbnail
  }

  /// Bytes that need two segments.
  private static func profile(_ step: Int) -> [UInt8] {
    (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * step) }
  }

  /// A photo with everything.
  static func photo(_ seed: UInt64, bits: Int = 8) -> PhotoContents {
    var photo = PhotoContents(
      color: image(seed),
      metadata: PhotoMetadata(
        exif: exif(orientation: 1, isBig: seed % 2 == 0), xmp: Array(packet.utf8),
        iccProfile: profile(Int(seed) + 3)))
    photo.depth = depth(seed, bits: bits)
    let size = RasterSize(width: 24, height: 16)
    photo.mattes = Matte.Kind.allCases.map { kind in
      Matte(
        kind: kind,
        coverage: Raster(size: size) { x, y in UInt8(truncatingIfNeeded: x * y * 3 + Int(seed)) })
    }
    photo.gainMap = GainMap(
      samples: .uint8(Raster(size: size) { x, _ in UInt8(x * 9) }), version: 131_072, headroom: 2.5)
    return photo
  }

  /// A packet of another program, in attribute form, with padding.
  static let packet = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about='uuid:a"b'   xmlns:dc="http://purl.org/dc/elements/1.1/"
         xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="1" dc:format='image/jpeg'>
        <!-- < not a tag > --><dc:title><rdf:Alt><rdf:li xml:lang="x-default">a &amp; b</rdf:li>
        </rdf:Alt></dc:title>
      </rdf:Description></rdf:RDF></x:xmpmeta>
    \(String(repeating: " ", count: 40))
    <?xpacket end="w"?>
    """
}
