import PlumblineModel

/// The pictures of the first film track of an MP4 or QuickTime file: when each is shown, where its
/// coded bytes lie, and from which of them decoding can start.
///
/// Only the index (`moov`) is read; it may stand before or after the pictures.
/// - Source: ISO/IEC 14496-12:2022 (file format), 14496-15 (H.264 and HEVC in it).
struct MP4Film: Sendable {
  /// One coded picture.
  struct Picture: Sendable, Hashable {
    /// The time at which it is shown, in ticks of ``MP4Film/ticksPerSecond`` after the start of the
    /// film; below 0 for pictures that an edit list hides before it.
    let presentationTicks: Int
    /// Its place in the order of decoding.
    let decodingIndex: Int
    /// Where its bytes lie in the file.
    let bytes: Range<Int>
    /// Whether decoding can start with it (`stss`).
    let isSync: Bool
    /// Whether the edit list shows it; players and ffmpeg leave out what it hides.
    let isShown: Bool
  }

  /// All pictures, hidden ones too, in the order of their presentation.
  let pictures: [Picture]
  /// Ticks of a second of the track's clock (`mdhd`).
  let ticksPerSecond: Int
  /// The size of stored pictures, from the sample description; the matrix does not turn it.
  let size: RasterSize
  /// How stored pictures must be turned to be upright (`tkhd` matrix).
  let orientation: ImageOrientation
  /// Whether the edit list does more than delay the film or cut its start, which is left aside.
  let hasComplexEdits: Bool
  /// How pictures are coded.
  let codec: FilmCodec
  /// Positions in ``pictures`` by place in the order of decoding.
  let presentationIndices: [Int]

  /// Reads the index of a film.
  ///
  /// - Throws: `.malformed`, `.missing` for a file without a film track, `.unsupported` for
  ///   fragmented files, encrypted ones and codecs other than H.264 and HEVC, `.limitExceeded`.
  ///   O(*n* log *n*) in pictures.
  init(
    _ source: any ByteSource, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) {
    let index = try MP4Index(source, limits: limits)
    let track = try MP4Track.film(in: index.movie, limits: limits)
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
    pictures = try table.pictures(edit: edit, fileBytes: source.byteCount, limits: limits)
    var indices = [Int](repeating: 0, count: pictures.count)
    for (index, picture) in pictures.enumerated() { indices[picture.decodingIndex] = index }
    presentationIndices = indices
    ticksPerSecond = track.ticksPerSecond
    orientation = track.orientation
    hasComplexEdits = edit.isComplex
    self.size = size
    self.codec = codec
  }

  /// The time of a picture in seconds after the start of the film.
  func seconds(of index: Int) -> Double {
    Double(pictures[index].presentationTicks) / Double(ticksPerSecond)
  }
}
