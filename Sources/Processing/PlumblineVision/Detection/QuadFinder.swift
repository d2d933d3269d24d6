internal import PlumblineModel

/// A four-sided dark shape, its corners clockwise as the image shows them (`y` down).
struct Quad {
  /// Corners in pixels, on the edge between dark and light.
  var corners: [SIMD2<Double>]
  /// The shortest side in pixels.
  var shortestSide: Double
}

/// Finds the dark shapes with four straight sides.
struct QuadFinder {
  /// The minimum length of a side, in pixels; the smallest markers have six cells a side.
  var leastSide = 9.0
  /// The threshold of dark shapes between dark, 0, and bright, 100, in percent.
  var brightPercent = 50

  /// All quads of an image, in the order of their first pixel; O(*n*).
  func quads(in luma: Raster<UInt8>) -> [Quad] {
    guard min(luma.width, luma.height) >= 16 else { return [] }
    var image = BinaryImage(luma, brightPercent: brightPercent)
    var found: [Quad] = []
    // A border goes from pixel center to pixel center: a side of n pixels has n − 1 steps.
    let shortest = Int(3 * leastSide)
    while image.nextBorder(ofAtLeast: shortest, { if let quad = quad($0) { found.append(quad) } }) {
    }
    return found
  }

  /// Fits a quad to a closed border whose points are x, y in the framed image.
  func quad(_ border: UnsafeBufferPointer<UInt16>) -> Quad? {
    let count = border.count / 2
    @inline(__always) func point(_ index: Int) -> SIMD2<Int> {
      SIMD2(Int(border[2 &* index]), Int(border[2 &* index &+ 1]))
    }
    // Twice the area, positive where the dark side is inside.
    var area = 0
    var previous = point(count - 1)
    for index in 0..<count {
      let here = point(index)
      area &+= previous.x &* here.y &- here.x &* previous.y
      previous = here
    }
    guard Double(area) >= leastSide * leastSide else { return nil }
    // The border of a quad is at most as long as that of its bounding box; a ragged shape's is longer.
    guard let indices = cornerIndices(count: count, point) else { return nil }
    return refined(indices, count: count, point)
  }

  /// The indices of four corners on the border.
  ///
  /// Two are the ends of the longest chord from the first point; the others are the points farthest from
  /// what the corners span so far.
  @inline(__always)
  private func cornerIndices(count: Int, _ point: (Int) -> SIMD2<Int>) -> [Int]? {
    @inline(__always) func farthest(from origin: SIMD2<Int>) -> Int {
      var (best, place) = (-1, 0)
      for index in 0..<count {
        let d = point(index) &- origin
        let squared = d.x &* d.x &+ d.y &* d.y
        if squared > best { (best, place) = (squared, index) }
      }
      return place
    }
    let a = farthest(from: point(0))
    let b = farthest(from: point(a))
    let (pa, pb) = (point(a), point(b))
    let chord = pb &- pa
    // The farthest on either side of the chord.
    var (left, right, l, r) = (0, 0, a, a)
    for index in 0..<count {
      let d = point(index) &- pa
      let distance = chord.x &* d.y &- chord.y &* d.x
      if distance > left { (left, l) = (distance, index) }
      if distance < right { (right, r) = (distance, index) }
    }
    let length = Double(chord.x * chord.x + chord.y * chord.y).squareRoot()
    let least = 0.15 * leastSide * length
    if Double(left) > least && Double(-right) > least { return [a, b, l, r].sorted() }
    // The chord is a side: the fourth corner is farthest outside of the triangle over it.
    let c = Double(left) > Double(-right) ? l : r
    let triangle = [a, b, c]
    let center = (point(a) &+ point(b) &+ point(c))
    var (outside, d) = (0.0, -1)
    for side in 0..<3 {
      let (from, to) = (point(triangle[side]), point(triangle[(side + 1) % 3]))
      let edge = to &- from
      let size = Double(edge.x * edge.x + edge.y * edge.y).squareRoot()
      guard size > 0 else { return nil }
      let inner = edge.x * (center.y - 3 * from.y) - edge.y * (center.x - 3 * from.x)
      let sign = inner > 0 ? -1 : 1
      for index in 0..<count {
        let offset = point(index) &- from
        let distance = Double(sign &* (edge.x &* offset.y &- edge.y &* offset.x)) / size
        if distance > outside { (outside, d) = (distance, index) }
      }
    }
    return outside > 0.15 * leastSide && d >= 0 ? [a, b, c, d].sorted() : nil
  }

  /// Fits a line to the border between each two corners, moves it to the edge of the dark and intersects it
  /// with the next one.
  @inline(__always)
  private func refined(
    _ indices: [Int], count: Int, _ point: (Int) -> SIMD2<Int>
  ) -> Quad? {
    var lines: [BorderLine] = []
    lines.reserveCapacity(4)
    for side in 0..<4 {
      let (first, last) = (indices[side], indices[(side + 1) % 4])
      let steps = (last - first + count) % count
      let chord = point(last) &- point(first)
      let squared = chord.x * chord.x + chord.y * chord.y
      guard Double(squared) >= 0.6 * leastSide * leastSide, steps > 2 else { return nil }
      // A side is straight if no step is farther from its chord than a share of the chord plus one pixel.
      let length = Double(squared).squareRoot()
      let bound = (1.2 + 0.04 * length) * length
      // A blurred image has rounded corners, so the line is fitted to the middle of the side.
      let margin = max(1, steps / 8)
      var line = BorderLine()
      for step in 0...steps {
        let here = point((first + step) % count)
        let d = here &- point(first)
        if Double(abs(chord.x &* d.y &- chord.y &* d.x)) > bound { return nil }
        if step >= margin && step <= steps - margin {
          line.add(SIMD2(Double(here.x), Double(here.y)))
        }
      }
      guard line.fit(along: SIMD2(Double(chord.x), Double(chord.y))) else { return nil }
      lines.append(line)
    }
    var corners: [SIMD2<Double>] = []
    corners.reserveCapacity(4)
    for side in 0..<4 {
      guard let corner = lines[(side + 3) % 4].crossing(lines[side]) else { return nil }
      let near = point(indices[side])
      let d = corner - SIMD2(Double(near.x), Double(near.y))
      guard (d * d).sum() < 9 + 0.02 * Double(count) * Double(count) / 16 else { return nil }
      // The frame is one pixel wide.
      corners.append(corner - 1)
    }
    return Self.checked(corners, leastSide: leastSide)
  }

  /// The quad, when it is convex and no side is very short.
  static func checked(_ corners: [SIMD2<Double>], leastSide: Double) -> Quad? {
    var (shortest, longest) = (Double.infinity, 0.0)
    for side in 0..<4 {
      let edge = corners[(side + 1) % 4] - corners[side]
      let next = corners[(side + 2) % 4] - corners[(side + 1) % 4]
      guard edge.x * next.y - edge.y * next.x > 0 else { return nil }
      let length = (edge * edge).sum().squareRoot()
      shortest = min(shortest, length)
      longest = max(longest, length)
    }
    guard shortest >= 0.75 * leastSide, longest < 8 * shortest else { return nil }
    return Quad(corners: corners, shortestSide: shortest)
  }
}

/// A line of least squares through the pixels of one side of a shape.
private struct BorderLine {
  private var count = 0.0
  private var sum = SIMD2<Double>.zero
  private var squares = SIMD2<Double>.zero
  private var product = 0.0
  private var center = SIMD2<Double>.zero
  private var direction = SIMD2<Double>.zero

  @inline(__always)
  mutating func add(_ point: SIMD2<Double>) {
    count += 1
    sum += point
    squares += point * point
    product += point.x * point.y
  }

  /// Makes the line of the sums and moves it half a pixel out of the shape; `false` for a single point.
  mutating func fit(along chord: SIMD2<Double>) -> Bool {
    guard count >= 2 else { return false }
    let mean = sum / count
    let variance = squares / count - mean * mean
    let covariance = product / count - mean.x * mean.y
    // The larger eigenvalue's vector of the 2 × 2 covariance.
    let half = (variance.x - variance.y) / 2
    let root = (half * half + covariance * covariance).squareRoot()
    var axis = half > 0 ? SIMD2(half + root, covariance) : SIMD2(covariance, root - half)
    let length = (axis * axis).sum().squareRoot()
    guard length > 0 else { return false }
    axis /= length
    if (axis * chord).sum() < 0 { axis = -axis }
    direction = axis
    // Border pixels are the outermost dark ones, so the edge is half a pixel farther out. Clockwise
    // around the shape, that is to the left of the direction.
    let reach = 0.5 * max(abs(axis.x), abs(axis.y))
    center = mean + SIMD2(axis.y, -axis.x) * reach
    return true
  }

  func crossing(_ other: BorderLine) -> SIMD2<Double>? {
    let sine = direction.x * other.direction.y - direction.y * other.direction.x
    guard abs(sine) > 0.1 else { return nil }
    let d = other.center - center
    return center + direction * ((d.x * other.direction.y - d.y * other.direction.x) / sine)
  }
}
