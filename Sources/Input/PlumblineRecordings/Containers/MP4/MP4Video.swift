import PlumblineIO
import PlumblineImages
import PlumblineModel

/// The images of the first video track of an MP4 or QuickTime file: their presentation times, their
/// byte ranges, and the images at which decoding can start.
///
/// Only the index (`moov`) is read; it may be before or after the images.
/// - Source: ISO/IEC 14496-12:2022 (file format), 14496-15 (H.264 and HEVC in it).
struct MP4Video: Sendable {
  /// One coded image.
  struct Image: Sendable, Hashable {
    /// The presentation time, in ticks of ``MP4Video/ticksPerSecond`` after the start of the video;
    /// negative for images that an edit list hides before the start.
    let presentationTicks: Int
    /// Its index in decoding order.
    let decodingIndex: Int
    /// The range of its bytes in the file.
    let bytes: Range<Int>
    /// Whether decoding can start at this image (`stss`).
    let isSync: Bool
    /// Whether the edit list shows the image; players and ffmpeg drop hidden images.
    let isShown: Bool
  }

  /// All images in presentation order, including hidden ones.
  let images: [Image]
  /// The ticks per second of the track's clock (`mdhd`).
  let ticksPerSecond: Int
  /// The size of stored images, from the sample description; the matrix is not applied.
  let size: RasterSize
  /// The rotation or mirroring that makes stored images upright (`tkhd` matrix).
  let orientation: ImageOrientation
  /// Whether the edit list does more than delay the video or cut it; that part is ignored.
  let hasComplexEdits: Bool
  /// The codec of the images.
  let codec: VideoCodec
  /// The indices into ``images``, by index in decoding order.
  let presentationIndices: [Int]

  /// Reads the index of a video.
  ///
  /// - Throws: `.malformed`, `.missing` for a file without a video track, `.unsupported` for
  ///   fragmented files, encrypted ones and codecs other than H.264 and HEVC, `.limitExceeded`.
  ///   O(*n* log *n*) in images.
  init(
    _ source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let index = try MP4Index(source, limits: limits)
    let track = try MP4Track.video(in: index.movie, limits: limits)
    let table = try MP4SampleTable(track.sampleTable, limits: limits)
    guard let codec = table.codec, let size = table.size else {
      throw CaptureReadingError(
        .missing, path: MP4SampleTable.path + ["stsd"], expected: "a sample description",
        found: "none")
    }
    _ = try limits.pixelCount(
      width: size.width, height: size.height, atMost: limits.colorPixels,
      path: MP4SampleTable.path + ["stsd"])
    let edit = try track.edit(movieTicksPerSecond: index.movieTicksPerSecond(limits))
    images = try table.images(edit: edit, fileBytes: source.byteCount, limits: limits)
    var indices = [Int](repeating: 0, count: images.count)
    for (index, image) in images.enumerated() { indices[image.decodingIndex] = index }
    presentationIndices = indices
    ticksPerSecond = track.ticksPerSecond
    orientation = track.orientation
    hasComplexEdits = edit.isComplex
    self.size = size
    self.codec = codec
  }

  /// The presentation time of an image in seconds after the start of the video.
  func seconds(of index: Int) -> Double {
    Double(images[index].presentationTicks) / Double(ticksPerSecond)
  }
}

/// The box `moov` of a file, found by reading only the headers of the outermost boxes.
struct MP4Index {
  /// The boxes inside `moov`.
  let movie: [ISOBox]

  /// Finds and reads `moov`.
  ///
  /// - Throws: `.missing` without one, `.unsupported` for fragmented videos, `.malformed`,
  ///   `.limitExceeded`.
  init(_ source: any ByteSource, limits: ReadingLimits) throws(CaptureReadingError) {
    var offset = 0
    var count = 0
    var hasMedia = false
    while offset < source.byteCount {
      count += 1
      try limits.require(count, atMost: limits.videoImages, "boxes", offset: offset)
      let start = try source.bytes(in: offset..<min(offset + 16, source.byteCount))
      var reader = ByteReader(start[...])
      var size = Int(try reader.readUInt32("a box size"))
      let type = try reader.readFourCC("a box type")
      if size == 1 { size = Int(clamping: try reader.readUInt64("a 64-bit box size")) }
      if size == 0 { size = source.byteCount - offset }
      guard count > 1 || ["ftyp", "wide", "mdat", "moov", "free", "skip", "pnot"].contains(type)
      else {
        throw CaptureReadingError(
          .malformed, offset: 0, expected: "an MP4 or QuickTime video", found: "a box \(type)")
      }
      guard size >= reader.offset, size <= source.byteCount - offset else {
        let hint = type == "mdat" || type == "moov" ? " (the file ends early: copy it again)" : ""
        throw CaptureReadingError(
          .malformed, offset: offset,
          expected: "a size of \(type) between \(reader.offset) and \(source.byteCount - offset)",
          found: "\(size)\(hint)")
      }
      if type == "mdat" { hasMedia = true }
      if type == "moov" {
        movie = try Self.children(of: source, offset..<offset + size, limits)
        return
      }
      offset += size
    }
    throw CaptureReadingError(
      .missing, expected: "an index (moov)",
      found: hasMedia
        ? "images alone: the recording was not finished" : "\(count) boxes without one")
  }

  private static func children(
    of source: any ByteSource, _ range: Range<Int>, _ limits: ReadingLimits
  ) throws(CaptureReadingError) -> [ISOBox] {
    try limits.require(
      range.count, atMost: limits.videoIndexBytes, "bytes of index", path: ["moov"],
      offset: range.lowerBound)
    var reader = ByteReader(try source.bytes(in: range)[...])
    do throws(CaptureReadingError) {
      let box = try reader.readBox()
      var inside = box.reader(in: [])
      let boxes = try inside.readBoxes(limits)
      if boxes.contains(where: { $0.type == "mvex" }) {
        throw CaptureReadingError(
          .unsupported, path: ["moov", "mvex"],
          expected: "a video with one index; ffmpeg -i IN -c copy OUT.mp4 makes one",
          found: "a fragmented video")
      }
      return boxes
    } catch {
      // Offsets in the error are relative to the start of the box.
      var moved = error
      moved.offset = error.offset.map { $0 + range.lowerBound }
      throw moved
    }
  }

  /// The ticks per second of the whole video's clock (`mvhd`), which edits use.
  func movieTicksPerSecond(_ limits: ReadingLimits) throws(CaptureReadingError) -> Int {
    guard let header = movie.first(where: { $0.type == "mvhd" }) else {
      throw CaptureReadingError(
        .missing, path: ["moov"], expected: "a box of type mvhd", found: "none")
    }
    var reader = header.reader(in: ["moov"])
    return try reader.readClock()
  }
}

extension ByteReader {
  /// Reads the start of `mvhd` or `mdhd` up to the ticks per second, which must be above 0.
  mutating func readClock() throws(CaptureReadingError) -> Int {
    let version = try readFullBoxHeader().version
    try skip(version == 1 ? 16 : 8, as: "times of making")
    let ticks = Int(try readUInt32("ticks per second"))
    guard ticks > 0 else { throw malformed(expected: "ticks per second above 0", found: "0") }
    return ticks
  }
}
