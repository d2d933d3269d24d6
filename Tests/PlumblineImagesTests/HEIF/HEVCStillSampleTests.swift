import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineIO
@testable import PlumblineImages

@Suite("Units for a platform codec")
struct HEVCStillSampleTests {
  private let image = RawHEVCImage(
    luma: Raster(size: RasterSize(width: 40, height: 30)) { x, y in UInt8(5 * y + x) })

  private func units() throws -> [ArraySlice<UInt8>] {
    var reader = ByteReader(image.configuration[...])
    return try HEVCConfiguration.read(&reader).units
      + (CodedHEVCImages.units(ofSample: image.data, lengthBytes: 4) ?? [])
  }

  @Test("Parameter sets come in their order, slices after their lengths")
  func sorted() throws {
    let all = try units()
    #expect(all.count == 4)
    let shuffled = [all[2], all[1], all[0], all[3]]
    let sample = try HEVCStillSample(HEVCStillImage(checkedUnits: shuffled), path: [])
    #expect(sample.parameterSets == all[..<3].map { [UInt8]($0) })
    #expect(sample.parameterSets.map { $0[0] >> 1 } == [32, 33, 34])
    #expect(sample.slices == image.data)
  }

  @Test("Sets that are repeated count once, sets that are missing are named")
  func repeatedAndMissing() throws {
    let all = try units()
    let twice = try HEVCStillSample(
      HEVCStillImage(checkedUnits: all[..<3] + all), path: [])
    #expect(twice.parameterSets.count == 3)
    let error = #expect(throws: CaptureReadingError.self) {
      try HEVCStillSample(HEVCStillImage(checkedUnits: Array(all.dropFirst())), path: ["item 3"])
    }
    #expect(error?.reason == .malformed && error?.path == ["item 3"])
    #expect(error?.found == "units of the types 33, 34")
  }

  @Test("A status says whether the file or the platform is the reason")
  func statuses() {
    let damage = HEVCDecoderFailure.status(-12_909, step: "decoding").readingError(["item 1"])
    #expect(damage.reason == .malformed && damage.found == "status -12909 at decoding")
    let absent = HEVCDecoderFailure.status(-12_906, step: "opening a session").readingError([])
    #expect(absent.reason == .unsupported)
    #expect(HEVCDecoderFailure.noImage.readingError([]).reason == .malformed)
    #expect(HEVCDecoderFailure.status(-12_903, step: "decoding").mayPassWithNewSession)
    #expect(!HEVCDecoderFailure.status(-12_909, step: "decoding").mayPassWithNewSession)
    #expect(!HEVCDecoderFailure.noImage.mayPassWithNewSession)
  }
}
