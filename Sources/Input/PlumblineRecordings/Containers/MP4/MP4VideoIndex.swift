import PlumblineImages
import PlumblineModel

/// The index of a video that is being written: one H.264 track without B-frames.
///
/// Offsets have 64 bits and the images may lie in any number of `mdat` boxes, so a video is written
/// sequentially and never changed afterwards.
/// - Source: ISO/IEC 14496-12:2022 §8, 14496-15 §5.
struct MP4VideoIndex {
  /// The ticks per second: microseconds, since recorders use nanoseconds and milliseconds.
  static let ticksPerSecond = 1_000_000

  let size: RasterSize
  let parameterSets: H264Stream.ParameterSets
  /// The color space of the images, which the stream states too.
  var colors = PhotoColorSpace.sRGB
  private var samples: [(offset: Int, byteCount: Int, ticks: Int, isSync: Bool)] = []

  init(size: RasterSize, parameterSets: H264Stream.ParameterSets) {
    self.size = size
    self.parameterSets = parameterSets
  }

  /// The first box of the file.
  static let fileType: [UInt8] = box(
    "ftyp", code("isom") + number(0x200, 4) + code("isom") + code("avc1") + code("mp41"))

  /// The bytes of a box with a 32-bit size.
  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    number(payload.count + 8, 4) + code(type) + payload
  }

  /// Adds an image; `ticks` is its time after the first image and must not decrease.
  mutating func append(offset: Int, byteCount: Int, ticks: Int, isSync: Bool) {
    precondition(ticks >= samples.last?.ticks ?? 0, "images are written in the order of time")
    samples.append((offset, byteCount, ticks, isSync))
  }

  /// The box `moov`.
  func encoded() -> [UInt8] {
    var durations = zip(samples.dropFirst(), samples).map { $0.ticks - $1.ticks }
    // The last image has the duration of the one before; a single image lasts 1/30 s.
    if !samples.isEmpty { durations.append(durations.last ?? Self.ticksPerSecond / 30) }
    let duration = durations.reduce(0, +)
    let clock = Self.number(0, 16) + Self.number(Self.ticksPerSecond, 4) + Self.number(duration, 8)
    let unity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { Self.number($0, 4) }
    let movieHeader =
      clock + Self.number(0x10000, 4) + Self.number(0x100, 2) + Self.number(0, 10) + unity
      + Self.number(0, 24) + Self.number(2, 4)
    let trackHeader =
      Self.number(0, 16) + Self.number(1, 4) + Self.number(0, 4) + Self.number(duration, 8)
      + Self.number(0, 16) + unity + Self.number(size.width << 16, 4)
      + Self.number(size.height << 16, 4)
    let handler =
      Self.number(0, 4) + Self.code("vide") + Self.number(0, 12) + Array("color\0".utf8)
    let reference = Self.number(1, 4) + Self.full("url ", [], flags: 1)
    let information = Self.box(
      "minf",
      Self.full("vmhd", Self.number(0, 8), flags: 1)
        + Self.box("dinf", Self.full("dref", reference)) + sampleTable(durations))
    // 0x55C4 packs the letters "und": no language.
    let media = Self.box(
      "mdia",
      Self.full("mdhd", clock + Self.number(0x55C4, 2) + Self.number(0, 2), version: 1)
        + Self.full("hdlr", handler) + information)
    return Self.box(
      "moov",
      Self.full("mvhd", movieHeader, version: 1)
        + Self.box("trak", Self.full("tkhd", trackHeader, version: 1, flags: 3) + media))
  }

  private func sampleTable(_ durations: [Int]) -> [UInt8] {
    var runs: [(count: Int, value: Int)] = []
    for duration in durations {
      if let last = runs.indices.last, runs[last].value == duration {
        runs[last].count += 1
      } else {
        runs.append((1, duration))
      }
    }
    let count = Self.number(samples.count, 4)
    let syncs = samples.indices.filter { samples[$0].isSync }
    let times = runs.flatMap { Self.number($0.count, 4) + Self.number($0.value, 4) }
    let sizes = samples.flatMap { Self.number($0.byteCount, 4) }
    let offsets = samples.flatMap { Self.number($0.offset, 8) }
    let syncNumbers = syncs.flatMap { Self.number($0 + 1, 4) }
    // Every image is a separate chunk.
    let chunks = Self.number(1, 4) + Self.number(1, 4) + Self.number(1, 4) + Self.number(1, 4)
    return Self.box(
      "stbl",
      Self.full("stsd", Self.number(1, 4) + sampleEntry)
        + Self.full("stts", Self.number(runs.count, 4) + times)
        + Self.full("stss", Self.number(syncs.count, 4) + syncNumbers)
        + Self.full("stsc", chunks) + Self.full("stsz", Self.number(0, 4) + count + sizes)
        + Self.full("co64", count + offsets))
  }

  private var sampleEntry: [UInt8] {
    let resolution = Self.number(72 << 16, 4)
    return Self.box(
      "avc1",
      Self.number(0, 6) + Self.number(1, 2) + Self.number(0, 16) + Self.number(size.width, 2)
        + Self.number(size.height, 2) + resolution + resolution + Self.number(0, 4)
        + Self.number(1, 2) + Self.number(0, 32) + Self.number(24, 2) + Self.number(0xFFFF, 2)
        + Self.box("avcC", parameterSets.configuration)
        // ISO/IEC 14496-12:2022 §12.1.5; the matrix is BT.709's, with video range.
        + Self.box(
          "colr",
          Self.code("nclx") + Self.number(colors.primaries, 2) + Self.number(colors.transfer, 2)
            + Self.number(1, 2) + [0]))
  }

  private static func full(
    _ type: String, _ payload: [UInt8], version: Int = 0, flags: Int = 0
  ) -> [UInt8] {
    box(type, number(version << 24 | flags, 4) + payload)
  }

  static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { index in
      let shift = 8 * (byteCount - 1 - index)
      return shift < 64 ? UInt8(truncatingIfNeeded: value >> shift) : 0
    }
  }

  private static func code(_ text: String) -> [UInt8] { Array(text.utf8) }
}
