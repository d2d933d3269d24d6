import PlumblineIO
import PlumblineModel
import PlumblineNumerics
import PlumblineStreams

/// The assignment of a video's images to the rows of a pose list.
struct VideoPairing: Sendable, Equatable {
  /// The rule by which images were assigned.
  enum Rule: Sendable, Equatable {
    /// Both have the same count: equal positions belong together.
    case places
    /// Frame numbers are positions in the video.
    case frameNumbers
    /// By time; the video's first image belongs to this row, or lies before the first row if
    /// negative.
    case times(firstRow: Int)
  }

  /// The image of each row, as an index in presentation order.
  let images: [Int?]
  let rule: Rule
  /// The maximum difference between the two clocks after aligning their means, in seconds; `nil`
  /// without times.
  let worstSeconds: Double?

  /// Assigns the images.
  ///
  /// The recorder writes one row and one image per saved frame, so equal counts are paired by
  /// position. Otherwise the frame numbers are tried as positions, and then all shifts up to the
  /// difference of the counts (and a few more): the shift whose times agree best is used, and a row
  /// gets an image that is nearer than half the interval of two rows.
  ///
  /// - Parameters:
  ///   - rowTimes: The times of the rows in seconds, ascending; empty if there are none.
  ///   - frames: The frame numbers of the rows.
  ///   - videoTimes: The times of the images in seconds, ascending.
  init(rowTimes: [Double], frames: [Int], videoTimes: [Double]) {
    let rows = frames.count
    let hasTimes = rowTimes.count == rows && rows > 1 && videoTimes.count > 1
    let interval = hasTimes ? (zip(rowTimes.dropFirst(), rowTimes).map(-).upperMedian ?? 0) : 0
    func worst(_ pairs: [Int?]) -> Double? {
      guard hasTimes else { return nil }
      let differences = pairs.enumerated().compactMap { row, image in
        image.map { rowTimes[row] - videoTimes[$0] }
      }
      guard !differences.isEmpty else { return nil }
      let middle = (differences.upperMedian ?? 0)
      return differences.map { abs($0 - middle) }.max()
    }
    if videoTimes.count == rows {
      images = Array(0..<rows)
      (rule, worstSeconds) = (.places, worst(images))
      return
    }
    let numbered: [Int?] = frames.map { $0 < videoTimes.count ? $0 : nil }
    let numberedWorst = worst(numbered)
    let isNumbered = zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }
    // Numbers with a gap show which rows are missing; without a gap they only repeat the positions.
    let hasGap = rows > 0 && frames[rows - 1] - frames[0] >= rows
    if !hasTimes || (isNumbered && hasGap && (numberedWorst ?? .infinity) <= interval / 2) {
      images = numbered
      (rule, worstSeconds) = (.frameNumbers, numberedWorst)
      return
    }
    let reach = min(abs(rows - videoTimes.count) + 2, 64)
    var best: (pairs: [Int?], cost: Double, shift: Int)?
    for shift in -reach...reach {
      // The video's first image at row `shift`, or image `−shift` at the first row.
      let row = max(0, shift)
      let image = max(0, -shift)
      guard row < rows, image < videoTimes.count else { continue }
      let offset = rowTimes[row] - videoTimes[image]
      let (pairs, cost) = Self.nearest(
        rowTimes, videoTimes.map { $0 + offset }, within: interval / 2)
      // Of equally good shifts the smallest one is used.
      let isBetter =
        best.map { cost < $0.cost || (cost == $0.cost && abs(shift) < abs($0.shift)) } ?? true
      if isBetter { best = (pairs, cost, shift) }
    }
    images = best?.pairs ?? numbered
    (rule, worstSeconds) = (.times(firstRow: best?.shift ?? 0), worst(images))
  }

  /// The nearest image of each row, and the cost of the pairs: the time differences, and half an
  /// interval for each row or image without a partner.
  private static func nearest(
    _ rowTimes: [Double], _ videoTimes: [Double], within: Double
  ) -> ([Int?], Double) {
    var pairs = [Int?](repeating: nil, count: rowTimes.count)
    var cost = 0.0
    var image = 0
    var used = 0
    for (row, time) in rowTimes.enumerated() {
      while image + 1 < videoTimes.count,
        abs(videoTimes[image + 1] - time) <= abs(videoTimes[image] - time)
      {
        image += 1
      }
      let difference = abs(videoTimes[image] - time)
      if difference <= within, pairs[..<row].last.flatMap({ $0 }) != image {
        pairs[row] = image
        used += 1
        cost += difference
      }
    }
    let alone = rowTimes.count + videoTimes.count - 2 * used
    return (pairs, cost + Double(alone) * within)
  }
}

/// The video of a recording that is being written: groups of images, each encoded as soon as it is
/// complete, and the index at the end.
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
        path: Self.name, detail: error.detail + ", or leave color out", reason: .cannotCreate)
    }
    file = try output.makeFile(Self.name)
    try file.append(MP4VideoIndex.fileType[...])
  }

  /// The number of images in a group: 30, or as many as fit into 48 MB.
  private var groupCount: Int { max(1, min(30, (48 << 20) / (3 * size.pixelCount))) }

  /// Adds an image; times must not decrease.
  mutating func append(
    _ image: Raster<RGB8>, seconds: Double
  ) throws(RecordingWritingError) {
    let ticks = ((seconds - startSeconds) * Double(MP4VideoIndex.ticksPerSecond)).rounded()
    waiting.append((image, Int(ticks)))
    if waiting.count >= groupCount { try codeGroup() }
  }

  /// Encodes the remaining images and writes the index.
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
      throw .output(path: Self.name, detail: error.detail, reason: .inputOutput)
    }
    var index = self.index ?? MP4VideoIndex(size: size, parameterSets: group.parameterSets)
    guard index.parameterSets == group.parameterSets else {
      throw .output(
        path: Self.name, detail: "ffmpeg changed its parameters within the video",
        reason: .inputOutput)
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
