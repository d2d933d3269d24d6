internal import PlumblineModel
internal import PlumblineNumerics

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a network says is in front, joined with depth.
///
/// The network's log odds and those of the depth are added. A network is unsure about where edges are, by more
/// than one of its pixels, so its likelihood is smoothed: there depth, whose edges follow the colors, decides.
/// Depth has at most ``depthLogit``: it knows nothing of what belongs to a person. Where depth puts all around
/// a marked pixel behind the threshold, the pixel is somebody else's and is left out.
struct JoinedForeground {
  /// The coverage before edges are redrawn, for each pixel.
  let levels: [UInt16]
  /// The threshold in disparity; `nil` where depth does not separate what the network marked.
  let threshold: Float?
  /// The share of pixels that only one of the network and depth by itself puts in front, 0 to 1.
  let disagreementShare: Double

  /// The log odds of a pixel that depth puts in front: 88 %.
  static let depthLogit = 2.0
  /// The joined likelihoods that count as none and as full; between them coverage is linear.
  ///
  /// Without it a table of which a network is sure by 95 % alone would shine through.
  private static let (none, full) = (0.3, 0.7)
  /// How far the network's edges may be off, in its pixels.
  private static let edgePixels = 1.5

  /// Joins both; O(*n*).
  ///
  /// - Parameters:
  ///   - mask: What the network says, of the disparity's size.
  ///   - disparity: The scene's disparities.
  ///   - given: A threshold that the user gave; `nil` to find one.
  ///   - border: The width of the soft border of depth, in disparity.
  ///   - enlargement: How many pixels of the image lie across one of the depth map.
  ///   - threads: How many threads may work; the result does not depend on it.
  /// - Returns: The coverage before edges are redrawn, with what was found.
  static func join(
    _ mask: NetworkMask, _ disparity: CleanDisparity, threshold given: Float?, border: Float,
    enlargement: Double, threads: Int
  ) -> JoinedForeground {
    let marks = mask.likelihood.packed
    let cells = ForegroundCells.sample(marks, disparity)
    let disagreement = disagreement(
      marks, disparity, threshold: given ?? disparity.foregroundThreshold)
    let smooth = marks.boxBlurred(
      radius: Int(edgePixels * mask.enlargement), passes: 1, threads: threads)
    let found = given ?? cells.threshold(least: max(border, 2 * disparity.sigma))
    guard let found, cells.isMarked else {
      return JoinedForeground(
        levels: smooth.samples.map { UInt16($0) * 16 }, threshold: nil,
        disagreementShare: disagreement)
    }
    let depth = MaskLevels.codes(
      of: MaskLevels.inFront(of: found, width: border, disparity, threads: threads)
        .map(Float.init), size: marks.size, threads: threads)
    // Wider by a few pixels of either map, as far as their edges are off.
    let radius = max(Int(4 * enlargement), Int(2 * mask.enlargement), 2)
    let near = depth.boxBlurred(radius: radius, passes: 1, threads: threads)
    return JoinedForeground(
      levels: levels(smooth, depth, near: near), threshold: found, disagreementShare: disagreement)
  }

  /// The coverage of each pixel by both likelihoods; none where nothing near it is in front.
  private static func levels(
    _ marks: Raster<UInt8>, _ depth: Raster<UInt8>, near: Raster<UInt8>
  ) -> [UInt16] {
    let table = table
    return [UInt16](unsafeUninitializedCapacity: marks.size.pixelCount) { buffer, count in
      marks.samples.withUnsafeBufferPointer { marks in
        depth.samples.withUnsafeBufferPointer { depth in
          near.samples.withUnsafeBufferPointer { near in
            for index in marks.indices {
              let joined = Int(table[Int(marks[index]) << 8 | Int(depth[index])])
              // Full from a tenth of the window on.
              let share = min(Int(near[index]) * 10, 255)
              buffer[index] = UInt16((joined * share * 16 + 127) / 255)
            }
          }
        }
      }
      count = marks.size.pixelCount
    }
  }

  /// The share of pixels that only one of both puts in front.
  private static func disagreement(
    _ marks: Raster<UInt8>, _ disparity: CleanDisparity, threshold: Float
  ) -> Double {
    var different = 0
    marks.samples.withUnsafeBufferPointer { marks in
      disparity.values.withUnsafeBufferPointer { values in
        for index in marks.indices where (marks[index] >= 128) != (values[index] > threshold) {
          different += 1
        }
      }
    }
    return Double(different) / Double(max(marks.size.pixelCount, 1))
  }

  /// The joined code for each code of the network and each of the depth.
  private static let table: [UInt8] = (0..<1 << 16).map { pair in
    let (mark, depth) = (Double(pair >> 8) / 255, Double(pair & 255) / 255)
    guard mark > 0, mark < 1 else { return UInt8(255 * mark) }
    // The odds times those of the depth, between 1/e^w and e^w.
    let odds = mark / (1 - mark) * exp(depthLogit * (2 * depth - 1))
    let share = (odds / (1 + odds) - none) / (full - none)
    return UInt8((255 * min(max(share, 0), 1)).rounded())
  }
}

/// What a network marked, in cells of an image, each with its disparity.
struct ForegroundCells {
  /// The cells along the longer side at most.
  private static let side = 192

  private let size: RasterSize
  private let isMarkedCell: [Bool]
  private let disparities: [Float]
  private let spread: Float
  private let farthest: Float

  /// Takes the middle pixel of each cell.
  static func sample(_ marks: Raster<UInt8>, _ disparity: CleanDisparity) -> ForegroundCells {
    let step = max(1, (max(marks.width, marks.height) + Self.side - 1) / Self.side)
    let cells = RasterSize(
      width: (marks.width + step - 1) / step, height: (marks.height + step - 1) / step)
    var marked = [Bool](repeating: false, count: cells.pixelCount)
    var values = [Float](repeating: 0, count: cells.pixelCount)
    for row in 0..<cells.height {
      for column in 0..<cells.width {
        let x = min(column * step + step / 2, marks.width - 1)
        let y = min(row * step + step / 2, marks.height - 1)
        marked[row * cells.width + column] = marks[x, y] >= 128
        values[row * cells.width + column] = disparity.values[y * marks.width + x]
      }
    }
    return ForegroundCells(
      size: cells, isMarkedCell: marked, disparities: values, spread: disparity.spread,
      farthest: disparity.farthest)
  }

  /// Whether any cell is marked.
  var isMarked: Bool { isMarkedCell.contains(true) }

  /// The disparity between the main subject and what is behind it.
  ///
  /// The main subject is the connected piece of marked cells with the maximum sum of nearness: large and near.
  /// The threshold is midway between its median and that of the unmarked cells behind it.
  ///
  /// - Parameter least: The difference of disparity below which depth does not separate them.
  /// - Returns: `nil` where it does not.
  func threshold(least: Float) -> Float? {
    guard let subject = mainSubject else { return nil }
    let behind = disparities.indices.filter { !isMarkedCell[$0] && disparities[$0] < subject }
      .map { disparities[$0] }
    let back = behind.upperMedian ?? farthest
    return subject - back > least ? (subject + back) / 2 : nil
  }

  /// The median disparity of the main subject; `nil` where nothing is marked.
  private var mainSubject: Float? {
    var piece = [Int32](repeating: -1, count: isMarkedCell.count)
    var best: (weight: Float, members: [Int])?
    for start in isMarkedCell.indices where isMarkedCell[start] && piece[start] < 0 {
      let members = self.members(from: start, &piece)
      let weight = members.reduce(Float(0)) {
        $0 + max(disparities[$1] - farthest, 0) / spread + 0.01
      }
      if weight > best?.weight ?? 0 { best = (weight, members) }
    }
    return best?.members.map { disparities[$0] }.upperMedian
  }

  /// The marked cells that are connected with one, none of them a step of depth away from its neighbor.
  private func members(from start: Int, _ piece: inout [Int32]) -> [Int] {
    var members = [start]
    var next = 0
    piece[start] = Int32(start)
    while next < members.count {
      let cell = members[next]
      next += 1
      let (x, y) = (cell % size.width, cell / size.width)
      for (i, j) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
      where i >= 0 && j >= 0 && i < size.width && j < size.height {
        let other = j * size.width + i
        guard isMarkedCell[other], piece[other] < 0,
          abs(disparities[other] - disparities[cell]) <= 0.1 * spread
        else { continue }
        piece[other] = Int32(start)
        members.append(other)
      }
    }
    return members
  }
}
