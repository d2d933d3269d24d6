import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
struct NPYTests {
  /// A file with a header of our own making, so that every part can be wrong.
  private static func file(_ header: String, _ data: [UInt8], version: UInt8 = 1) -> [UInt8] {
    let text = Array(header.utf8)
    let length =
      version == 1
      ? [UInt8(text.count & 255), UInt8(text.count >> 8)]
      : [UInt8(text.count & 255), UInt8(text.count >> 8), 0, 0]
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + length + text + data
  }

  private static func header(_ type: String, _ shape: String, fortran: Bool = false) -> String {
    "{'descr': '\(type)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape), }\n"
  }

  @Test(arguments: [UInt8(1), 2, 3])
  func readsRowsOfEveryVersion(version: UInt8) throws {
    let bytes = Self.file(
      Self.header("<u2", "(2, 3)"), [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0, 1], version: version)
    let array = try NPYArray(bytes[...])
    #expect(array.numberType == .uint16)
    #expect(
      array.values
        == .uint16(
          Raster(size: RasterSize(width: 3, height: 2), samples: [1, 2, 3, 4, 5, 256])))
  }

  @Test func columnsAndBigEndianGiveTheSameNumbers() throws {
    // 1 2 3 / 4 5 6, column after column, big endian.
    let data: [UInt8] = [1, 4, 2, 5, 3, 6].flatMap { [0, 0, 0, $0] }
    let bytes = Self.file(Self.header(">u4", "(2, 3)", fortran: true), data)
    #expect(
      try NPYArray(bytes[...]).values
        == .uint32(Raster(size: RasterSize(width: 3, height: 2), samples: [1, 2, 3, 4, 5, 6])))
  }

  @Test func halvesAreWidenedExactly() throws {
    // 1.5, −2, the least subnormal 2⁻²⁴, infinity.
    let bytes = Self.file(
      Self.header("<f2", "(1, 2, 2)"), [0x00, 0x3E, 0x00, 0xC0, 0x01, 0x00, 0x00, 0x7C])
    let array = try NPYArray(bytes[...])
    #expect(array.numberType == .float16)
    #expect(array.values.floats.samples == [1.5, -2, 0x1p-24, .infinity])
  }

  @Test(arguments: [
    ("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }", "pickled objects"),
    ("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1, 1), }", "records"),
    ("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }", "<c8"),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "1 axes"),
    ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2), }", "3 axes"),
  ])
  func refusesWhatIsNoMap(header: String, word: String) {
    let bytes = Self.file(header, [0, 0, 0, 0])
    do throws(CaptureReadingError) {
      _ = try NPYArray(bytes[...])
      Issue.record("read \(header)")
    } catch {
      #expect(error.reason == .unsupported && "\(error)".contains(word), "\(error)")
    }
  }

  @Test(arguments: [
    "", "{", "{'descr'}", "{'descr': '<f4'", "{'descr': '<f4', 'shape': (1, 1)}",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 1), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 1), }",
    "{'descr': '<f4', 'fortran_order': __import__('os'), 'shape': (1, 1), }",
    "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }",
  ])
  func refusesDamagedHeaders(header: String) {
    let bytes = Self.file(header, [0, 0, 0, 0])
    do throws(CaptureReadingError) {
      _ = try NPYArray(bytes[...])
      Issue.record("read \(header)")
    } catch { #expect(error.reason == .malformed, "\(error)") }
  }

  @Test func refusesSizesOverTheLimitBeforeTheyAreAllocated() {
    let bytes = Self.file(Self.header("<f8", "(9223372036854775807, 2)"), [0])
    #expect(throws: CaptureReadingError.self) { try NPYArray(bytes[...]) }
    let large = Self.file(Self.header("<f8", "(100000, 100000)"), [0])
    do throws(CaptureReadingError) {
      _ = try NPYArray(large[...])
      Issue.record("read")
    } catch { #expect(error.reason == .limitExceeded, "\(error)") }
  }

  @Test func damageNeverTraps() {
    let sound = Self.file(
      Self.header("<f4", "(8, 8)"), (0..<256).map { UInt8(truncatingIfNeeded: $0) })
    for length in 0..<sound.count {
      #expect(throws: CaptureReadingError.self) { try NPYArray(sound[..<length]) }
    }
    for seed in 0..<2000 {
      _ = try? NPYArray(ByteDamage.flipped(sound, seed: UInt64(seed), within: 100)[...])
    }
  }
}
