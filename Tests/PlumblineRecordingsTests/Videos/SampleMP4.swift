import PlumblineModel
@testable import PlumblineRecordings
/// Videos by our own writer of indices, whose images no decoder could read.
enum SampleMP4 {
  static let sets = H264Stream.ParameterSets(
    sequence: [0x67, 0x42, 0, 0x0A, 1], image: [0x68, 2])

  /// A video of 64 × 48 with images of 8 bytes at 30 Hz, every fifth a sync image.
  static func video(_ count: Int = 10) -> [UInt8] {
    var index = MP4VideoIndex(size: RasterSize(width: 64, height: 48), parameterSets: sets)
    var bytes = MP4VideoIndex.fileType
    for number in 0..<count {
      index.append(
        offset: bytes.count + 8, byteCount: 8, ticks: number * 33_333, isSync: number % 5 == 0)
      bytes += MP4VideoIndex.box("mdat", [0, 0, 0, 4, 0x65, UInt8(number), 0, 9])
    }
    return bytes + index.encoded()
  }

  /// A box with a version and flags.
  static func full(_ type: String, _ payload: [UInt8], version: Int = 0) -> [UInt8] {
    MP4VideoIndex.box(type, MP4VideoIndex.number(version << 24, 4) + payload)
  }

  /// Numbers of four bytes each.
  static func words(_ numbers: Int...) -> [UInt8] {
    numbers.flatMap { MP4VideoIndex.number($0, 4) }
  }
}
