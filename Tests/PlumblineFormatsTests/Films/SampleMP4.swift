import PlumblineModel

@testable import PlumblineFormats

/// Films by our own writer of indices, whose pictures no decoder could read.
enum SampleMP4 {
  static let sets = H264Stream.ParameterSets(
    sequence: [0x67, 0x42, 0, 0x0A, 1], picture: [0x68, 2])

  /// A film of 64 × 48 with pictures of 8 bytes at 30 Hz, every fifth a sync picture.
  static func film(_ count: Int = 10) -> [UInt8] {
    var index = MP4FilmIndex(size: RasterSize(width: 64, height: 48), parameterSets: sets)
    var bytes = MP4FilmIndex.fileType
    for number in 0..<count {
      index.append(
        offset: bytes.count + 8, byteCount: 8, ticks: number * 33_333, isSync: number % 5 == 0)
      bytes += MP4FilmIndex.box("mdat", [0, 0, 0, 4, 0x65, UInt8(number), 0, 9])
    }
    return bytes + index.encoded()
  }

  /// A box with a version and flags.
  static func full(_ type: String, _ payload: [UInt8], version: Int = 0) -> [UInt8] {
    MP4FilmIndex.box(type, MP4FilmIndex.number(version << 24, 4) + payload)
  }

  /// Numbers of four bytes each.
  static func words(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { MP4FilmIndex.number($0, 4) }
  }
}
