import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
/// An encoder as VideoToolbox is: it takes nothing that must be without loss.
///
/// Its images have no compression, and pass as units of samples, as VideoToolbox hands them over.
private struct LossyEncoder: HEVCStillEncoding {
  func takes(_ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding) -> Bool {
    coding != .lossless && format.isLargeEnough
  }

  func code(
    _ count: Int, _ format: HEVCStillFormat, _ coding: PhotoWritingOptions.AuxiliaryCoding,
    _ image: (Int) -> [UInt8]
  ) throws(PhotoWritingError) -> CodedHEVCImages {
    var units: [ArraySlice<UInt8>] = []
    for index in 0..<count {
      // Half of the codes, which shows which encoder coded.
      let luma = image(index).prefix(format.size.pixelCount).map { $0 / 2 }
      let raw = RawHEVCImage(luma: Raster(size: format.size, samples: luma))
      var reader = ByteReader(raw.configuration[...])
      let sets = (try? HEVCConfiguration.read(&reader))?.units ?? []
      units += sets.map { $0[...] }
      units += CodedHEVCImages.units(ofSample: raw.data, lengthBytes: 4) ?? []
    }
    guard let coded = CodedHEVCImages(units: units, format) else { throw .encoder("units") }
    return coded
  }
}

@Suite("Choice of an HEVC encoder")
struct HEVCImageCoderTests {
  private static let codes = Raster(size: RasterSize(width: 96, height: 64)) { x, y in
    UInt8((x + 2 * y) % 256)
  }

  private func luma(_ coded: CodedHEVCImages, _ size: RasterSize) throws -> [UInt8] {
    var reader = ByteReader(coded.configuration[...])
    let image = try HEVCStillImage(
      configuration: HEVCConfiguration.read(&reader), data: coded.images[0][...],
      promisedSize: size, maximumPixels: 1 << 20, limits: ReadingLimits(), path: [])
    var samples: [UInt8] = []
    try defaultHEVCDecoder.decode(image, path: []) { planes in
      for y in 0..<size.height {
        let row = planes.luma.row(y, UInt8.self)
        samples += (0..<size.width).map { row[$0] }
      }
    }
    return samples
  }

  @Test("What must lose nothing is not given to an encoder that loses")
  func lossless() throws {
    let coder = HEVCImageCoder(LossyEncoder())
    let exact = try coder.code(.uint8(Self.codes), .lossless)
    #expect(try luma(exact, Self.codes.size) == Self.codes.samples)
    let lossy = try coder.code(.uint8(Self.codes), .lossy(quality: 80))
    #expect(try luma(lossy, Self.codes.size) == Self.codes.samples.map { $0 / 2 })
  }

  @Test("Without an encoder maps are coded all the same, and color is refused with the reason")
  func absent() throws {
    let coder = HEVCImageCoder(nil, absence: "nobody is here")
    let map = try coder.code(.uint8(Self.codes), .lossy(quality: 80))
    #expect(try luma(map, Self.codes.size) == Self.codes.samples)
    let color = ColorCodes(primaries: 1, transfer: 13, matrix: 6, isFullRange: true)
    let error = #expect(throws: PhotoWritingError.self) {
      try coder.code(
        colorful(64, 64), [(0, 0)], RasterSize(width: 64, height: 64), quality: 90, color)
    }
    #expect(error.map { "\($0)".contains("nobody is here") } == true)
  }

  #if !canImport(VideoToolbox)
    @Test("VideoToolbox is refused by name where it is not")
    func videoToolbox() {
      let error = #expect(throws: PhotoWritingError.self) {
        try HEVCImageCoder(.videoToolbox, threads: 1)
      }
      #expect(error.map { "\($0)".contains("VideoToolbox") } == true)
    }
  #endif

  @Test("Units in samples come back for lengths of one to four bytes", arguments: 1...4)
  func samples(lengthBytes: Int) {
    var random = SeededGenerator(seed: UInt64(lengthBytes))
    let most = lengthBytes == 1 ? 255 : 700
    let units = (0..<20).map { _ in
      (0..<1 + Int(random.next() % UInt64(most))).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
    }
    var sample: [UInt8] = []
    for unit in units { sample += [UInt8](bigEndian: unit.count, bytes: lengthBytes) + unit }
    let read = CodedHEVCImages.units(ofSample: sample, lengthBytes: lengthBytes)
    #expect(read?.map { Array($0) } == units)
    // Cut anywhere but between units, nothing is read.
    var ends: Set<Int> = [0]
    for unit in units { ends.insert((ends.max() ?? 0) + lengthBytes + unit.count) }
    for end in 0..<sample.count {
      let cut = CodedHEVCImages.units(ofSample: Array(sample[..<end]), lengthBytes: lengthBytes)
      #expect((cut != nil) == ends.contains(end), "cut at \(end)")
    }
    #expect(CodedHEVCImages.units(ofSample: sample, lengthBytes: 0) == nil)
    #expect(CodedHEVCImages.units(ofSample: sample, lengthBytes: 5) == nil)
  }
}
