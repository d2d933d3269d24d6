import PlumblineImages
import PlumblineIO
import PlumblineModel

/// A track of a video: its clock, orientation, edits and the boxes of its samples.
struct MP4Track {
  let ticksPerSecond: Int
  let orientation: ImageOrientation
  /// The boxes inside `stbl`.
  let sampleTable: [ISOBox]
  private let editList: ISOBox?

  /// The first track whose handler is `vide`.
  ///
  /// - Throws: `.missing` without one, `.malformed`, `.limitExceeded`.
  static func video(
    in movie: [ISOBox], limits: ReadingLimits
  ) throws(CaptureReadingError) -> MP4Track {
    var kinds: [String] = []
    for box in movie where box.type == "trak" {
      var reader = box.reader(in: ["moov"])
      let track = try reader.readBoxes(limits)
      let media = try children(of: "mdia", in: track, ["moov", "trak"], limits)
      let handler = try required("hdlr", in: media, ["moov", "trak", "mdia"])
      var handlerReader = handler.reader(in: ["moov", "trak", "mdia"])
      try handlerReader.skip(8, as: "version, flags and a predefined field")
      let kind = try handlerReader.readFourCC("a handler type")
      kinds.append(kind)
      if kind == "vide" { return try MP4Track(track, media, limits) }
    }
    throw CaptureReadingError(
      .missing, path: ["moov"], expected: "a video track",
      found: kinds.isEmpty ? "no tracks" : "tracks of kind \(kinds.joined(separator: ", "))")
  }

  private init(
    _ track: [ISOBox], _ media: [ISOBox], _ limits: ReadingLimits
  ) throws(CaptureReadingError) {
    let path = ["moov", "trak", "mdia"]
    var clock = try Self.required("mdhd", in: media, path).reader(in: path)
    ticksPerSecond = try clock.readClock()
    let information = try Self.children(of: "minf", in: media, path, limits)
    sampleTable = try Self.children(of: "stbl", in: information, path + ["minf"], limits)
    var header = try Self.required("tkhd", in: track, ["moov", "trak"]).reader(in: ["moov", "trak"])
    let version = try header.readFullBoxHeader().version
    try header.skip(version == 1 ? 32 : 20, as: "times and a number")
    try header.skip(16, as: "layer and volume")
    var matrix: [Int32] = []
    for _ in 0..<9 { matrix.append(try header.readInt32("a matrix entry")) }
    orientation = Self.orientation(matrix)
    let edits = track.first { $0.type == "edts" }
    if let edits {
      var reader = edits.reader(in: ["moov", "trak"])
      editList = try reader.readBoxes(limits).first { $0.type == "elst" }
    } else {
      editList = nil
    }
  }

  /// The orientation of a matrix `(a, b, u, c, d, v, x, y, w)`, which displays a stored point
  /// `(p, q)` at `(a·p + c·q, b·p + d·q)`; `.up` for a matrix that is none of the eight
  /// orientations.
  ///
  /// - Source: ISO/IEC 14496-12 §6.2.2 and 8.3.2; entries are 16.16 fixed point.
  static func orientation(_ matrix: [Int32]) -> ImageOrientation {
    let one: Int32 = 0x10000
    let signs = [matrix[0], matrix[1], matrix[3], matrix[4]].map { entry in
      abs(Double(entry)) == Double(one) ? Double(entry.signum()) : (entry == 0 ? 0 : .nan)
    }
    let x = SIMD2(signs[0], signs[1])
    let y = SIMD2(signs[2], signs[3])
    return ImageOrientation.allCases.first { $0.uprightFromStoredAxes == (x, y) } ?? .up
  }

  /// The effect of the edit list on the times of the track.
  ///
  /// - Source: ISO/IEC 14496-12 §8.6.6: a media time of −1 is a pause.
  func edit(movieTicksPerSecond: Int) throws(CaptureReadingError) -> MP4Edit {
    guard let editList else { return MP4Edit() }
    var reader = editList.reader(in: ["moov", "trak", "edts"])
    let version = try reader.readFullBoxHeader().version
    let width = version == 1 ? 8 : 4
    let count = Int(try reader.readUInt32("a number of edits"))
    var edit = MP4Edit()
    var isOpen = false
    for _ in 0..<min(count, reader.remaining / (2 * width + 4)) {
      let duration = try reader.readOffset(byteCount: width, "a duration")
      let time =
        version == 1
        ? Int(Int64(bitPattern: try reader.readUInt64("a media time")))
        : Int(try reader.readInt32("a media time"))
      let rate = try reader.readUInt32("a rate")
      if isOpen || (time >= 0 && rate != 0x10000) {
        edit.isComplex = true
        continue
      }
      let ticks = Double(duration) / Double(movieTicksPerSecond) * Double(ticksPerSecond)
      guard ticks < 1e15, abs(Double(time)) < 1e15 else {
        throw reader.malformed(expected: "an edit within 30 years", found: "\(duration), \(time)")
      }
      if time < 0 {
        edit.delayTicks += Int(ticks.rounded())
        // Each value is within its bound, but the sum of thousands could overflow.
        guard edit.delayTicks < 1_000_000_000_000_000 else {
          throw reader.malformed(
            expected: "pauses within 30 years", found: "\(edit.delayTicks) ticks")
        }
      } else {
        isOpen = true
        edit.firstMediaTicks = time
        // 0 means the duration of the track (fragmented videos and some muxers).
        if duration > 0 { edit.durationTicks = Int(ticks.rounded()) }
      }
    }
    return edit
  }

  private static func required(
    _ type: String, in boxes: [ISOBox], _ path: [String]
  ) throws(CaptureReadingError) -> ISOBox {
    guard let box = boxes.first(where: { $0.type == type }) else {
      throw CaptureReadingError(
        .missing, path: path, expected: "a box of type \(type)", found: "none")
    }
    return box
  }

  private static func children(
    of type: String, in boxes: [ISOBox], _ path: [String], _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [ISOBox] {
    var reader = try required(type, in: boxes, path).reader(in: path)
    return try reader.readBoxes(limits)
  }
}

/// A pause before the video, and a cut at its start and end, in ticks of the track.
struct MP4Edit {
  var delayTicks = 0
  var firstMediaTicks = 0
  var durationTicks: Int?
  var isComplex = false
}
