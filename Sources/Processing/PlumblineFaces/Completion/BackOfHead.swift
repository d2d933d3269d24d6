import PlumblineGeometry

/// The back of a head and of its neck, from the border of the face.
///
/// Rows go from one side of the border to the other, half a superellipse behind the face. Their depth is that of an
/// outline of the back in the middle of the head, which has the proportions of people between the upper and the lower end of
/// the border.
struct BackOfHead {
  /// The border from its upper to its lower end, in the direction of triangles that close it.
  let firstSide: [UInt32]
  /// The border from its lower to its upper end.
  let secondSide: [UInt32]
  /// The rows of the surface between both ends, each from the first side to the second.
  let rows: [[SIMD3<Double>]]
  /// How far down each row lies, as a share of the way along the border.
  let shares: [Double]

  /// The number of rows, and of vertices of each.
  static let (rowCount, columnCount) = (44, 27)
  /// How far behind a border that stands out, such as an ear's, its rows have the width of the head, as a share of the
  /// way across.
  static let earShare = 0.1

  /// How far behind the border the surface gives way to it, as a share of the way across or down.
  static let relaxedShare = 0.22

  /// Points of the outline from the upper end of the border over the crown, the back and the neck to its lower end: how
  /// far up from the lower end and how far behind the line between both, as shares of that line's length.
  ///
  /// - Source: the mean face of ICT-FaceKit, whose border is 0.29 m long from the hairline to the base of the neck, and
  ///   a head 0.195 m long (U.S. Army, *ANSUR II*, 2012).
  static let outline: [SIMD2<Double>] = [
    [1, 0], [1.039, 0.237], [0.927, 0.440], [0.683, 0.510], [0.418, 0.421], [0.214, 0.381],
    [0.02, 0.330], [-0.036, 0.169], [0, 0],
  ]

  /// Makes the surface; `nil` where the border has no upper and lower end in the middle of the head.
  ///
  /// - Parameters:
  ///   - border: The border, in the direction of triangles that close it.
  ///   - positions: The vertices in the head's frame, meters.
  init?(_ border: [UInt32], _ positions: [SIMD3<Double>]) {
    func point(_ vertex: UInt32) -> SIMD3<Double> { positions[Int(vertex)] }
    let heights = border.map { point($0).y }
    guard border.count > 8, let low = heights.min(), let high = heights.max(), high > low else {
      return nil
    }
    let middle = (low + high) / 2
    func end(isUpper: Bool) -> Int? {
      border.indices.filter { (heights[$0] > middle) == isUpper }
        .min { abs(point(border[$0]).x) < abs(point(border[$1]).x) }
    }
    guard let top = end(isUpper: true), let bottom = end(isUpper: false) else { return nil }
    let turned = Array(border[top...] + border[..<top])
    let lower = (bottom - top + border.count) % border.count
    firstSide = Array(turned[...lower])
    secondSide = Array(turned[lower...]) + [turned[0]]
    let (first, second) = (firstSide.map(point), Array(secondSide.map(point).reversed()))
    let shares = (1..<Self.rowCount).map { Double($0) / Double(Self.rowCount) }
    let spine = Self.spine(from: point(turned[0]), to: point(turned[lower]))
    let sides = [first, second].map { side in
      let own = Self.positions(side, at: shares)
      return (own: own, smooth: Self.smoothed(own))
    }
    let depths = Self.positions(spine, at: shares.map(Self.outlineShare))
    rows = shares.indices.map { row in
      Self.row(
        from: (sides[0].own[row], sides[0].smooth[row]),
        to: (sides[1].own[row], sides[1].smooth[row]), over: depths[row])
    }
    self.shares = shares
  }

  /// A half ellipse between two sides; near them it leaves the border and takes on the smooth width.
  private static func row(
    from first: (own: SIMD3<Double>, smooth: SIMD3<Double>),
    to second: (own: SIMD3<Double>, smooth: SIMD3<Double>), over depth: SIMD3<Double>
  ) -> [SIMD3<Double>] {
    let middle = (first.smooth + second.smooth) / 2
    let back = depth - middle
    return (1..<columnCount).map { column in
      let share = Double(column) / Double(columnCount)
      let angle = Float(share * .pi)
      let side = share < 0.5 ? first : second
      let distance = min(share, 1 - share) / earShare
      let own = Double(exponential(Float(-distance * distance)))
      let arm = side.smooth - middle + (side.own - side.smooth) * own
      return middle + arm * rounded(Double(cosine(angle))) + back * rounded(Double(sine(angle)))
    }
  }

  /// Where on the outline a row lies, as a share of its length.
  ///
  /// The border goes down at the temples before the crown is passed: near its upper end rows stay behind, so that the
  /// crown is round.
  private static func outlineShare(_ share: Double) -> Double {
    let lag = share < 0.5 ? 0.1 : 0.03
    return share - lag * Double(sine(Float(2 * Double.pi * share)))
  }

  /// A share of a half axis to the power of 3/4: heads are fuller than ellipses.
  private static func rounded(_ share: Double) -> Double {
    let root = abs(share).squareRoot()
    return root * root.squareRoot()
  }

  /// The outline between two ends of the border, in the plane that they and the head's depth lie in.
  private static func spine(
    from top: SIMD3<Double>, to bottom: SIMD3<Double>
  ) -> [SIMD3<Double>] {
    let up = top - bottom
    let flat = SIMD3(0, up.y, up.z)
    // A quarter turn of the line between the ends, to the back of the head.
    let behind = SIMD3(0, flat.z, -flat.y)
    let points = outline.map { bottom + up * $0.x + behind * $0.y }
    var spine: [SIMD3<Double>] = []
    for index in 0..<points.count - 1 {
      let (a, b) = (points[max(0, index - 1)], points[index])
      let (c, d) = (points[index + 1], points[min(points.count - 1, index + 2)])
      for step in 0..<12 {
        let t = Double(step) / 12
        // E. Catmull, R. Rom, *A class of local interpolating splines*, 1974.
        let first = (c - a) * t
        let second = (2 * a - 5 * b + 4 * c - d) * (t * t)
        let third = (3 * b - a - 3 * c + d) * (t * t * t)
        spine.append((2 * b + first + second + third) / 2)
      }
    }
    return spine + [points[points.count - 1]]
  }

  /// Positions along a line at shares of its length.
  private static func positions(
    _ line: [SIMD3<Double>], at shares: [Double]
  ) -> [SIMD3<Double>] {
    var lengths = [0.0]
    for index in 1..<line.count {
      lengths.append(lengths[index - 1] + (line[index] - line[index - 1]).norm)
    }
    let whole = lengths[lengths.count - 1]
    var index = 1
    return shares.map { share in
      while index < line.count - 1, lengths[index] < share * whole { index += 1 }
      let length = lengths[index] - lengths[index - 1]
      let part = length > 0 ? (share * whole - lengths[index - 1]) / length : 0
      return line[index - 1] + (line[index] - line[index - 1]) * min(1, max(0, part))
    }
  }

  /// How far along the border each row has its shares, of all vertices of a side.
  static func shares(of side: [SIMD3<Double>]) -> [Double] {
    var lengths = [0.0]
    for index in 1..<side.count {
      lengths.append(lengths[index - 1] + (side[index] - side[index - 1]).norm)
    }
    let whole = lengths[lengths.count - 1]
    return lengths.map { whole > 0 ? $0 / whole : 0 }
  }

  /// A side without what stands out of it for less than some rows, and smooth.
  private static func smoothed(_ side: [SIMD3<Double>]) -> [SIMD3<Double>] {
    func around(_ index: Int, _ reach: Int) -> ClosedRange<Int> {
      max(0, index - reach)...min(side.count - 1, index + reach)
    }
    let narrow = side.indices.map { index -> SIMD3<Double> in
      var point = side[index]
      let widths = around(index, 4).map { abs(side[$0].x) }
      point.x = (point.x < 0 ? -1 : 1) * min(abs(point.x), widths.min() ?? 0)
      return point
    }
    var smooth = narrow
    for _ in 0..<3 {
      let last = smooth
      smooth = last.indices.map { index in
        let range = around(index, 2)
        return range.reduce(SIMD3<Double>.zero) { $0 + last[$1] } / Double(range.count)
      }
    }
    return smooth
  }
}

extension HeadParts {
  /// Adds the back of the head behind a border, sewn to it.
  mutating func addBack(of border: [UInt32]) {
    guard let back = BackOfHead(border, positions) else { return }
    begin(.back)
    let (firstVertex, firstTriangle) = (positions.count, triangles.count)
    let columns = BackOfHead.columnCount
    let rows = back.rows.map { row in
      row.enumerated().map { column, point -> UInt32 in
        let share = Float(column + 1) / Float(columns)
        // Sure at the border, and less with the distance from it.
        let sigma = CompletedHead.backSigmaMeters * (0.2 + 0.8 * (4 * share * (1 - share)))
        return add(point, sigma: sigma)
      }
    }
    func place(_ across: Float, _ down: Double) -> SIMD2<Float> {
      CompletedHead.backRectangle.position(SIMD2(across, Float(down)))
    }
    func corner(_ row: Int, _ column: Int) -> Corner {
      Corner(
        vertex: rows[row][column],
        place: place(Float(column + 1) / Float(columns), back.shares[row]))
    }
    for row in 0..<rows.count - 1 {
      for column in 0..<columns - 2 {
        let (a, b) = (corner(row, column), corner(row + 1, column))
        let (c, d) = (corner(row + 1, column + 1), corner(row, column + 1))
        add(a, b, c)
        add(a, c, d)
      }
    }
    sew(back, corner: corner, place: place, rowCount: rows.count, columnCount: columns - 1)
    let strengths = back.shares.flatMap { down in
      (1..<columns).map { column -> Double in
        let across = Double(column) / Double(columns)
        // Away from the border the outline and the ellipses stay as they are.
        let distance = min(min(across, 1 - across), min(down, 1 - down))
        return 0.5 * max(0, 1 - distance / BackOfHead.relaxedShare)
      }
    }
    relax(
      firstVertex..<positions.count, by: strengths,
      triangles: firstTriangle..<triangles.count)
  }

  /// Sews the border to the rim of the rows: from the upper end down one side and up the other.
  private mutating func sew(
    _ back: BackOfHead, corner: (Int, Int) -> Corner, place: (Float, Double) -> SIMD2<Float>,
    rowCount: Int, columnCount: Int
  ) {
    let half = columnCount / 2
    let (lastRow, lastColumn) = (rowCount - 1, columnCount - 1)
    let first = BackOfHead.shares(of: back.firstSide.map { positions[Int($0)] })
    let second = BackOfHead.shares(of: back.secondSide.map { positions[Int($0)] })
    // What lies across the upper and the lower end has their shares, 0 and 1.
    var rim: [(corner: Corner, share: Double)] = stride(from: half, through: 1, by: -1).map {
      (corner(0, $0), 0)
    }
    rim += (0...lastRow).map { (corner($0, 0), back.shares[$0]) }
    rim += (1...half).map { (corner(lastRow, $0), 1.0) }
    sew(back.firstSide.indices.map { (back.firstSide[$0], first[$0]) }, to: rim) {
      place(0, $0)
    }
    rim = (half...lastColumn - 1).map { (corner(lastRow, $0), 0.0) }
    rim += stride(from: lastRow, through: 0, by: -1).map {
      (corner($0, lastColumn), 1 - back.shares[$0])
    }
    rim += stride(from: lastColumn - 1, through: half, by: -1).map { (corner(0, $0), 1.0) }
    sew(back.secondSide.indices.map { (back.secondSide[$0], second[$0]) }, to: rim) {
      place(1, 1 - $0)
    }
  }

  /// Sews a part of the border to a part of the rim; both go the same way with rising shares.
  private mutating func sew(
    _ border: [(vertex: UInt32, share: Double)], to rim: [(corner: Corner, share: Double)],
    place: (Double) -> SIMD2<Float>
  ) {
    var (outer, inner) = (0, 0)
    func outerCorner(_ index: Int) -> Corner {
      Corner(vertex: border[index].vertex, place: place(border[index].share))
    }
    while outer < border.count - 1 || inner < rim.count - 1 {
      let takesInner =
        inner < rim.count - 1
        && (outer == border.count - 1 || rim[inner + 1].share <= border[outer + 1].share)
      if takesInner {
        add(outerCorner(outer), rim[inner + 1].corner, rim[inner].corner)
        inner += 1
      } else {
        add(outerCorner(outer), outerCorner(outer + 1), rim[inner].corner)
        outer += 1
      }
    }
  }
}
