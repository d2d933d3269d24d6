import PlumblineModel

/// How a board that should be flat bulges: the height of each corner, seen by all views together.
///
/// Paper on a wall leaves its plane by half a millimeter; near the camera that is more than a corner's
/// noise, and all views share it.
public struct BoardRelief: Hashable, Sendable {
  /// The height of each corner along the board's `z`, away from who looks at it, by its number.
  ///
  /// In meters; NaN for corners that fewer than 3 views show. The best plane of all heights is 0.
  public var heightMeters: [Double]
  /// One standard deviation of each height in meters, if corner errors were independent; NaN alike.
  public var sigmaMeters: [Double]
}

extension ReprojectionProblem {
  /// The fewest views that a corner's height is taken from.
  static let leastSightings = 3

  /// Moves each corner along the board's `z` to where its views see it, the best plane kept.
  ///
  /// - Returns: The largest move in meters.
  mutating func refineRelief() -> Double {
    let (squares, products, sightings) = heightEquations
    let known = sightings.indices.filter { sightings[$0] >= Self.leastSightings && squares[$0] > 0 }
    var moves = [Double](repeating: 0, count: sightings.count)
    var places = [SIMD2<Double>](repeating: .zero, count: sightings.count)
    var heights = [Double](repeating: 0, count: sightings.count)
    for view in views {
      for (id, point) in zip(view.ids, view.points) {
        places[id] = SIMD2(point.x, point.y)
        heights[id] = point.z
      }
    }
    for id in known { moves[id] = products[id] / squares[id] }
    // Poses already stand for the plane.
    var normal = SymmetricMatrix(count: 3)
    var right = [0.0, 0, 0]
    for id in known {
      let row = [1, places[id].x, places[id].y]
      for i in 0..<3 {
        right[i] += row[i] * (heights[id] + moves[id])
        for j in 0..<3 { normal[i, j] += row[i] * row[j] }
      }
    }
    guard let plane = normal.cholesky?.solve(right) else { return 0 }
    var largest = 0.0
    for id in known {
      moves[id] -= plane[0] + plane[1] * places[id].x + plane[2] * places[id].y
      largest = max(largest, abs(moves[id]))
    }
    for view in views.indices {
      for (place, id) in views[view].ids.enumerated() { views[view].points[place].z += moves[id] }
    }
    reliefCount = max(0, known.count - 3)
    return largest
  }

  /// The heights as they are, with their deviations for a spread of one coordinate in pixels.
  func relief(scale: Double) -> BoardRelief {
    let (squares, _, sightings) = heightEquations
    var relief = BoardRelief(
      heightMeters: [Double](repeating: .nan, count: sightings.count),
      sigmaMeters: [Double](repeating: .nan, count: sightings.count))
    for view in views {
      for (id, point) in zip(view.ids, view.points)
      where sightings[id] >= Self.leastSightings && squares[id] > 0 {
        relief.heightMeters[id] = point.z
        relief.sigmaMeters[id] = scale / squares[id].squareRoot()
      }
    }
    return relief
  }

  /// For each corner `Σ w·|j|²`, `Σ w·j·r` and the number of views, `j` being pixels per meter.
  private var heightEquations: (squares: [Double], products: [Double], sightings: [Int]) {
    let count = (views.flatMap(\.ids).max() ?? -1) + 1
    var squares = [Double](repeating: 0, count: count)
    var products = squares
    var sightings = [Int](repeating: 0, count: count)
    for (view, pose) in zip(views, poses) {
      for (place, id) in view.ids.enumerated() where view.weights[place] > 0 {
        guard let point = camera.projectWithDerivatives(pose * view.points[place]) else { continue }
        let axis = pose.rotation.z
        let slope = SIMD2(
          (point.columnByPoint * axis).sum(), (point.rowByPoint * axis).sum())
        let residual = view.pixels[place] - point.pixel
        squares[id] += view.weights[place] * (slope * slope).sum()
        products[id] += view.weights[place] * (slope * residual).sum()
        sightings[id] += 1
      }
    }
    return (squares, products, sightings)
  }
}
