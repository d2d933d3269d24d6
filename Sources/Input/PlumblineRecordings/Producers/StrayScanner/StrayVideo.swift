import PlumblineIO
import PlumblineModel
import PlumblineNumerics
import PlumblineStreams

/// Which image of a video belongs to which row of a list of poses.
struct VideoPairing: Sendable, Equatable {
  /// The rule by which the pairs were found.
  enum Rule: Sendable, Equatable {
    /// Both have as many: the first with the first.
    case places
    /// Frame numbers are positions in the video.
    case frameNumbers
    /// By time, the video's first image at this row, or a negative number of rows before it.
    case times(firstRow: Int)
  }

  /// For each row the image, by position in the order of presentation.
  let images: [Int?]
  let rule: Rule
  /// The largest difference between the two clocks after their means are aligned, in seconds;
  /// `nil` without times.
  let worstSeconds: Double?

  /// Pairs them.
  ///
  /// The recorder gives every saved frame one row and one image, so equal counts pair by position.
  /// With other counts the numbers of frames are tried as positions, and then every shift by up to
  /// the difference of the counts (and a few more): the one whose times agree best wins, and a row
  /// takes an image that is nearer than half the distance of two rows.
  ///
  /// - Parameters:
  ///   - rowTimes: Seconds of the rows, ascending; empty when there are none.
  ///   - frames: Frame numbers of the rows.
  ///   - videoTimes: Seconds of the images, ascending.
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
    // Numbers with a gap say which rows are missing; without one they only repeat the positions.
    let hasGap = rows > 0 && frames[rows - 1] - frames[0] >= rows
    if !hasTimes || (isNumbered && hasGap && (numberedWorst ?? .infinity) <= interval / 2) {
      images = numbered
      (rule, worstSeconds) = (.frameNumbers, numberedWorst)
      return
    }
    let reach = min(abs(rows - videoTimes.count) + 2, 64)
    var best: (pairs: [Int?], cost: Double, shift: Int)?
    for shift in -reach...reach {
      // The video's first image at row `shift`, or its image −shift at the first row.
      let row = max(0, shift)
      let image = max(0, -shift)
      guard row < rows, image < videoTimes.count else { continue }
      let offset = rowTimes[row] - videoTimes[image]
      let (pairs, cost) = Self.nearest(
        rowTimes, videoTimes.map { $0 + offset }, within: interval / 2)
      // Of equal ones the smallest shift.
      let isBetter =
        best.map { cost < $0.cost || (cost == $0.cost && abs(shift) < abs($0.shift)) } ?? true
      if isBetter { best = (pairs, cost, shift) }
    }
    images = best?.pairs ?? numbered
    (rule, worstSeconds) = (.times(firstRow: best?.shift ?? 0), worst(images))
  }

  /// Each row's nearest image, and what the pairs cost: the differences, and half an interval for
  /// each row or image left alone.
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
