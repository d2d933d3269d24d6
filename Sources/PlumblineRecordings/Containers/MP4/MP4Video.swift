import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The images of the first video track of an MP4 or QuickTime file: when each is shown, where its
/// coded bytes lie, and from which of them decoding can start.
///
/// Only the index (`moov`) is read; it may stand before or after the images.
/// - Source: ISO/IEC 14496-12:2022 (file format), 14496-15 (H.264 and HEVC in it).
struct MP4Video: Sendable {
  /// One coded image.
  struct Image: Sendable, Hashable {
    /// The time at which it is shown, in ticks of ``MP4Video/ticksPerSecond`` after the start of the
    /// video; below 0 for images that an edit list hides before it.
    let presentationTicks: Int
    /// Its position in the order of decoding.
    let decodingIndex: Int
    /// The range of its bytes in the file.
    let bytes: Range<Int>
    /// Whether decoding can start with it (`stss`).
    let isSync: Bool
    /// Whether the edit list shows it; players and ffmpeg leave out what it hides.
    let isShown: Bool
  }

  /// All images, hidden ones too, in the order of their presentation.
  let images: [Image]
  /// Ticks of a second of the track's clock (`mdhd`).
  let ticksPerSecond: Int
  /// The size of stored images, from the sample description; the matrix does not turn it.
  let size: RasterSize
  /// The turn that makes stored images upright (`tkhd` matrix).
  let orientation: ImageOrientation
  /// Whether the edit list does more than delay the video or cut its start, which is ignored.
  let hasComplexEdits: Bool
  /// The codec of the images.
  let codec: VideoCodec
  /// Positions in ``images`` by position in the order of decoding.
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

  /// The time of an image in seconds after the start of the video.
  func seconds(of index: Int) -> Double {
    Double(images[index].presentationTicks) / Double(ticksPerSecond)
  }
}
