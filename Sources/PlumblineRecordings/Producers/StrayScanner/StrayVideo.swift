import PlumblineIO
import PlumblineModel
import PlumblineStreams

/// The video of a recording that is being written: groups of images, each coded as soon as it is
/// full, and the index at the end.
struct StrayVideo {
  static let name = "rgb.mp4"

  /// The size of its images.
  let size: RasterSize
  private let encoder: FFmpegEncoder
  private let file: any RecordingFile
  private let startSeconds: Double
  private var waiting: [(image: Raster<RGB8>, ticks: Int)] = []
  private var index: MP4VideoIndex?

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
    try file.append(MP4VideoIndex.fileType[...])
  }

  /// How many images a group has: a second's, or what 48 MB hold.
  private var groupCount: Int { max(1, min(30, (48 << 20) / (3 * size.pixelCount))) }

  /// Adds an image; times not before those of earlier ones.
  mutating func append(
    _ image: Raster<RGB8>, seconds: Double
  ) throws(RecordingWritingError) {
    let ticks = ((seconds - startSeconds) * Double(MP4VideoIndex.ticksPerSecond)).rounded()
    waiting.append((image, Int(ticks)))
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
      group = try encoder.group(waiting.map(\.image))
    } catch {
      throw .output(path: Self.name, detail: error.detail, isCreation: false)
    }
    var index = self.index ?? MP4VideoIndex(size: size, parameterSets: group.parameterSets)
    guard index.parameterSets == group.parameterSets else {
      throw .output(
        path: Self.name, detail: "ffmpeg changed its parameters within the video", isCreation: false
      )
    }
    var media: [UInt8] = []
    let start = file.byteCount + 8
    for (coded, entry) in zip(group.images, waiting) {
      index.append(
        offset: start + media.count, byteCount: coded.bytes.count, ticks: entry.ticks,
        isSync: coded.isSync)
      media += coded.bytes
    }
    try file.append(MP4VideoIndex.box("mdat", media)[...])
    self.index = index
    waiting = []
  }
}
