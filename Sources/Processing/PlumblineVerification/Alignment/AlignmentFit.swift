import PlumblineModel
import PlumblineNumerics

/// Zoom, shift and a constant offset of contours, fitted to the offsets of edges.
///
/// Model: along the normal *n* of a contour point *p*, the edge lies `(zoom − 1)·(p − middle)·n +
/// shift·n + bias` beside it. The bias is what a sensor's contours lie outside of things; it would
/// pass for a zoom where all normals point outward, so it is fitted with them. Points of one
/// neighborhood err together: each block of a tenth of the width has an offset of its own, whose
/// size is estimated.
struct AlignmentFit {
  /// How far edges are looked for in each round, in pixels.
  static let reaches = [8, 8, 7, 6, 6, 5, 5, 5]
  /// How far the contours of one side of things may be off as a whole, in scatters of one point.
  ///
  /// - Source: the scatter of the zoom over 90 frames of a real head; `Documentation/devices.md`.
  static let sideShare = 1.4
  /// How far contours may be off in proportion to their distance from the middle, in scatters of
  /// one point at their typical distance: things have biases of their own, which can feign a zoom.
  ///
  /// - Source: as ``sideShare``, and rooms of simulated things.
  static let leverShare = 0.95
  /// The variance that rounding of contours to half pixels leaves in every point, in square pixels.
  static let roundingVariance = 0.1

  /// Zoom − 1, shift x, shift y, bias.
  var parameters: SIMD4<Double>
  /// Their covariance, of noise and of sides that are off as a whole.
  var covariance = SymmetricMatrix4()
  /// How many of the points lie on each side of things: right, left, below, above.
  var sideCounts = SIMD4<Int>.zero
  /// The points that took part in the last round.
  var count = 0
  /// How much more the image changes at contours than beside them, 0 to 1.
  var contrast = 0.0
  /// The scatter of one point, in pixels.
  var scatter = 1.0

  /// Fits from a first guess; O(points).
  ///
  /// `nil` when fewer than `minimum` edges are found.
  init?(
    _ frames: [(luma: SmoothLuma, points: [ContourPoint])], from start: AlignmentSearch,
    minimum: Int
  ) {
    parameters = SIMD4(Double(start.zoom - 1), Double(start.shift.x), Double(start.shift.y), 0)
    var blockSigma = 1.0
    for reach in Self.reaches {
      var (observations, blocks) = self.observations(frames, reach: reach)
      guard observations.count >= minimum else { return nil }
      count = observations.count
      sideCounts = .zero
      for observation in observations { sideCounts[observation.side] += 1 }
      solve(&observations, blocks: blocks, blockSigma: &blockSigma)
    }
  }

  private mutating func observations(
    _ frames: [(luma: SmoothLuma, points: [ContourPoint])], reach: Int
  ) -> ([EdgeObservation], Int) {
    var result: [EdgeObservation] = []
    var numbers: [Int: Int] = [:]
    var contrasts = 0.0
    let zoom = Float(1 + parameters.x)
    let shift = SIMD2(Float(parameters.y), Float(parameters.z))
    let bias = Float(parameters.w)
    for (number, frame) in frames.enumerated() {
      let middle = SIMD2(Float(frame.luma.width - 1), Float(frame.luma.height - 1)) / 2
      let edge = max(8, frame.luma.width / 10)
      for point in frame.points {
        let radius = point.position - middle
        let place = radius * zoom + middle + shift + point.normal * bias
        guard let edgeOffset = EdgeOffset(frame.luma, at: place, normal: point.normal, reach: reach)
        else { continue }
        let normal = SIMD2<Double>(point.normal)
        let key =
          (number << 16 | Int(point.position.y) / edge) << 16 | Int(point.position.x) / edge
        let block = numbers[key] ?? numbers.count
        numbers[key] = block
        let side =
          abs(normal.x) > abs(normal.y) ? (normal.x > 0 ? 0 : 1) : (normal.y > 0 ? 2 : 3)
        result.append(
          EdgeObservation(
            row: SIMD4((SIMD2<Double>(radius) * normal).sum(), normal.x, normal.y, 1),
            offset: Double(edgeOffset.pixels), block: block, side: side))
        contrasts += Double(edgeOffset.contrast)
      }
    }
    contrast = contrasts / Double(max(result.count, 1))
    return (result, numbers.count)
  }

  /// One round: robust weights, the scatter of points and of blocks, and the parameters, in turn.
  private mutating func solve(
    _ observations: inout [EdgeObservation], blocks: Int, blockSigma: inout Double
  ) {
    let before = parameters
    var change = SIMD4<Double>.zero
    for _ in 0..<6 {
      let system = NormalSystem(
        observations, blocks: blocks, scatter: scatter, blockSigma: blockSigma)
      var matrix = system.matrix
      var right = system.right
      // The bias of a sensor is about as large as what its contours scatter by, around none.
      let variance = scatter * scatter + blockSigma * blockSigma
      let biasSigma = max(0.5, variance.squareRoot())
      // Half pixels are what a contour's position is rounded to; they scatter and mean nothing.
      let typical = max(0.01, variance - Self.roundingVariance).squareRoot()
      matrix[3, 3] += 1 / (biasSigma * biasSigma)
      right.w -= before.w / (biasSigma * biasSigma)
      guard let inverse = matrix.inverse else { return }
      change = inverse * right
      covariance = inverse
      for side in system.sides {
        let lever = inverse * side * (Self.sideShare * typical)
        covariance.add(lever, times: 1)
      }
      let own = Self.leverShare * typical / system.lever
      covariance[0, 0] += own * own
      reweigh(&observations, blocks, change, &blockSigma)
    }
    parameters = before + change
  }

  private mutating func reweigh(
    _ observations: inout [EdgeObservation], _ blocks: Int, _ change: SIMD4<Double>,
    _ blockSigma: inout Double
  ) {
    var sums = [SIMD2<Double>](repeating: .zero, count: blocks)
    let residuals = observations.map { $0.offset - ($0.row * change).sum() }
    for (observation, residual) in zip(observations, residuals) {
      sums[observation.block] += SIMD2(observation.weight, observation.weight * residual)
    }
    let inner = zip(observations, residuals).map { observation, residual in
      abs(residual - sums[observation.block].y / max(sums[observation.block].x, 1e-9))
    }
    scatter = max(
      0.25, SampleSpread.sigmaOverDeviation * (inner.median ?? 0))
    var squares: [Double] = []
    var own = 0.0
    for sum in sums where sum.x > 3 {
      squares.append(min(9, sum.y * sum.y / (sum.x * sum.x)))
      own += scatter * scatter / sum.x
    }
    if squares.count > 3 {
      // The median square of a normal distribution is 0.4549 of its variance: 2.198 = 1/0.4549.
      let robust = 2.198 * (squares.median ?? 0)
      let mean = squares.reduce(0, +) / Double(squares.count)
      let variance = 0.5 * (robust + mean) - own / Double(squares.count)
      blockSigma = max(0.15, min(3, max(variance, 0).squareRoot()))
    }
    let cut = 2 * (scatter * scatter + blockSigma * blockSigma).squareRoot()
    for index in observations.indices {
      let ratio = residuals[index] / cut
      let bell = 1 + ratio * ratio
      observations[index].weight = 1 / (bell * bell)
    }
  }
}

/// Where the contours of a depth map fit the edges of its image best, found by trying.
struct AlignmentSearch {
  /// The zooms that are tried: real faults reach 0.95.
  static let zooms: [Float] = (0...16).map { 0.9 + Float($0) * 0.0125 }
  /// The shifts that are tried each way, in 160ths of the width.
  static let shifts: [Float] = (-4...4).map { Float($0) * 0.75 }
  /// At most so many contour points take part.
  static let pointLimit = 400

  /// The best transform: zoom and shift in pixels of the depth map.
  var zoom: Float = 1
  var shift = SIMD2<Float>.zero

  /// Tries all; O(1) in the size of the map.
  init(_ luma: Raster<UInt8>, _ points: [ContourPoint]) {
    let factor = max(1, (luma.width + 80) / 160)
    let image = SmoothLuma(luma, reducedBy: factor)
    guard image.width > 4, image.height > 4, !points.isEmpty else { return }
    let step = (points.count + Self.pointLimit - 1) / Self.pointLimit
    let middle = SIMD2(Float(luma.width - 1), Float(luma.height - 1)) / 2
    let used = stride(from: 0, to: points.count, by: step).map { points[$0] }
    let cap = 6 * image.noise
    let scale = 1 / Float(factor)
    // Plain numbers: this loop runs half a million times, and vectors of two are slow unoptimized.
    let (lastX, lastY) = (Float(image.width - 2), Float(image.height - 2))
    let places = used.map { ($0.position - middle) * scale }
    var best: Float = -1
    image.samples.withUnsafeBufferPointer { samples in
      places.withUnsafeBufferPointer { places in
        used.withUnsafeBufferPointer { used in
          for zoom in Self.zooms {
            for y in Self.shifts {
              for x in Self.shifts {
                // Reduced pixel u holds factor·u … factor·(u + 1) − 1.
                let shift = SIMD2(x, y) * Float(luma.width) / 160
                let originX = (middle.x + shift.x + 0.5) * scale
                let originY = (middle.y + shift.y + 0.5) * scale
                var score: Float = 0
                for index in 0..<places.count {
                  let placeX = places[index].x * zoom + originX
                  let placeY = places[index].y * zoom + originY
                  // What falls outside meets no edge.
                  if placeX < 1 || placeY < 1 || placeX > lastX || placeY > lastY { continue }
                  let i = Int(placeY) &* image.width &+ Int(placeX)
                  let dx = samples[i &+ 1] - samples[i &- 1]
                  let dy = samples[i &+ image.width] - samples[i &- image.width]
                  let change = dx * used[index].normal.x + dy * used[index].normal.y
                  let size = change < 0 ? -change : change
                  score += size < cap ? size : cap
                }
                if score > best {
                  best = score
                  self.zoom = zoom
                  self.shift = shift
                }
              }
            }
          }
        }
      }
    }
  }
}
