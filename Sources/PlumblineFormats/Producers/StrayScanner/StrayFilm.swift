import PlumblineModel

/// The film of a recording that is being written: groups of pictures, each coded as soon as it is
/// full, and the index at the end.
struct StrayFilm {
  static let name = "rgb.mp4"

  /// The size of its pictures.
  let size: RasterSize
  private let encoder: FFmpegEncoder
  private let file: any RecordingFile
  private let startSeconds: Double
  private var waiting: [(picture: Raster<RGB8>, ticks: Int)] = []
  private var index: MP4FilmIndex?

  /// Starts the file.
  ///
  /// - Throws: `.output` when it cannot be made or ffmpeg is not there.
  init(
    size: RasterSize, startSeconds: Double, output: any RecordingOutput, program: ProgramFile?
  ) throws(RecordingWritingError) {
    self.size = size
    self.startSeconds = startSeconds
    do throws(ProgramFailure) {
      encoder = try FFmpegEncoder(program: program)
    } catch {
      throw .output(
        path: Self.name, detail: error.detail + ", or leave color out", isCreation: true)
    }
    file = try output.makeFile(Self.name)
    try file.append(MP4FilmIndex.fileType[...])
  }

  /// How many pictures a group has: a second's, or what 48 MB hold.
  private var groupCount: Int { max(1, min(30, (48 << 20) / (3 * size.pixelCount))) }

  /// Adds a picture; times not before those of earlier ones.
  mutating func append(
    _ picture: Raster<RGB8>, seconds: Double
  ) throws(RecordingWritingError) {
    let ticks = ((seconds - startSeconds) * Double(MP4FilmIndex.ticksPerSecond)).rounded()
    waiting.append((picture, Int(ticks)))
    if waiting.count >= groupCount { try codeGroup() }
  }

  /// Codes what waits and writes the index.
  mutating func finish() throws(RecordingWritingError) {
    if !waiting.isEmpty { try codeGroup() }
    if let index { try file.append(index.encoded()[...]) }
    try file.close()
  }

  private mutating func codeGroup() throws(RecordingWritingError) {
    let group: H264Stream
    do throws(ProgramFailure) {
      group = try encoder.group(waiting.map(\.picture))
    } catch {
      throw .output(path: Self.name, detail: error.detail, isCreation: false)
    }
    var index = self.index ?? MP4FilmIndex(size: size, parameterSets: group.parameterSets)
    guard index.parameterSets == group.parameterSets else {
      throw .output(
        path: Self.name, detail: "ffmpeg changed its parameters within the film", isCreation: false)
    }
    var media: [UInt8] = []
    let start = file.byteCount + 8
    for (coded, entry) in zip(group.pictures, waiting) {
      index.append(
        offset: start + media.count, byteCount: coded.bytes.count, ticks: entry.ticks,
        isSync: coded.isSync)
      media += coded.bytes
    }
    try file.append(MP4FilmIndex.box("mdat", media)[...])
    self.index = index
    waiting = []
  }
}
