/// The error of a number that depends on where the vertices of a surface lie, to first order.
///
/// The number changes by Σ w·δ, where δ is how far a vertex is moved along its normal and w is its weight.
/// What vertices have for themselves adds in squares; what near ones share adds with its signs: the fields of
/// ``SurfaceErrors`` give
/// σ_n²·ΣΣ w_i w_j ρ_ij + σ_p²·ΣΣ (w_i n_i)·(w_j n_j) ρ_ij, summed over cells that are small beside L.
/// - Source: JCGM 100:2008 (GUM), 5.2.2, equation 13.
struct SurfaceSum {
  /// A cell is this part of L, so that the correlation within it is at least 0.7.
  private static let cellShare = 1.0 / 3
  /// More cells than these are joined, eight to one.
  private static let mostCells = 2048

  private let surface: MeasurableMesh
  private var weights: [(vertex: Int32, weight: Double)] = []
  private var extraVariance = 0.0

  init(_ surface: MeasurableMesh) { self.surface = surface }

  /// Adds the weight of a vertex.
  mutating func add(_ weight: Double, at vertex: Int32) {
    if weight != 0 { weights.append((vertex, weight)) }
  }

  /// Adds all weights of another sum over the same surface, times a factor.
  mutating func add(_ other: SurfaceSum, times factor: Double) {
    weights += other.weights.map { ($0.vertex, $0.weight * factor) }
    extraVariance += other.extraVariance * factor * factor
  }

  /// Adds a variance of errors that are independent of all else, such as those of shape.
  mutating func add(variance: Double) { extraVariance += variance }

  /// The number with its ± in parts: `sensor` is what vertices have for themselves, `calibration` what near
  /// ones share, `scale` the share of all lengths.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - unit: Its unit.
  ///   - power: How it grows with lengths: 1 for a length, 2 for an area, 0 for an angle.
  /// - Returns: Where the surface does not say what vertices share, their errors all add, which is the most
  ///   that they can do, and the other parts are unknown. Cost: O(*n* log *n*), and one pass over pairs of
  ///   at most 2,048 cells.
  func value(_ value: Double, _ unit: MeasuredValue.Unit, power: Double) -> MeasuredValue {
    let merged = merged
    guard let errors = surface.errors else {
      var (bound, isKnown) = (0.0, surface.sigmas != nil)
      for (vertex, weight) in merged {
        guard let sigma = sigma(vertex) else {
          isKnown = false
          break
        }
        bound += abs(weight) * sigma
      }
      return MeasuredValue(
        value: value, unit: unit,
        sensor: isKnown ? (bound * bound + extraVariance).squareRoot() : nil, calibration: nil,
        scale: nil)
    }
    var (noise, isKnown) = (extraVariance, surface.sigmas != nil)
    for (vertex, weight) in merged {
      guard let sigma = sigma(vertex) else {
        isKnown = false
        break
      }
      noise += weight * weight * max(0, sigma * sigma - errors.nearVariance)
    }
    return MeasuredValue(
      value: value, unit: unit, sensor: isKnown ? noise.squareRoot() : nil,
      calibration: nearVariance(merged, errors).squareRoot(),
      scale: abs(value) * power * errors.lengthShare)
  }

  private func sigma(_ vertex: Int32) -> Double? {
    guard let sigma = surface.sigmas?[Int(vertex)], sigma.isFinite, sigma >= 0 else { return nil }
    return sigma
  }

  /// The weights, one for each vertex, by vertex.
  private var merged: [(vertex: Int32, weight: Double)] {
    let order = weights.indices.sorted {
      (weights[$0].vertex, $0) < (weights[$1].vertex, $1)
    }
    var merged: [(vertex: Int32, weight: Double)] = []
    merged.reserveCapacity(order.count)
    for index in order {
      let (vertex, weight) = weights[index]
      if let last = merged.last, last.vertex == vertex {
        merged[merged.count - 1].weight += weight
      } else {
        merged.append((vertex, weight))
      }
    }
    return merged
  }

  private struct Cell {
    var along = 0.0
    var vector = SIMD3<Double>.zero
    var size = 0.0
    var place = SIMD3<Double>.zero
  }

  private func nearVariance(
    _ merged: [(vertex: Int32, weight: Double)], _ errors: SurfaceErrors
  ) -> Double {
    guard errors.nearVariance > 0, !merged.isEmpty else { return 0 }
    var side = errors.nearMeters * Self.cellShare
    var cells = cells(merged, side)
    while cells.count > Self.mostCells {
      side *= 2
      cells = self.cells(merged, side)
    }
    let scale = -1 / (errors.nearMeters * errors.nearMeters)
    let along = errors.alongNormalMeters * errors.alongNormalMeters
    let place = errors.ofPlaceMeters * errors.ofPlaceMeters
    var variance = 0.0
    for (index, cell) in cells.enumerated() {
      for at in index..<cells.count {
        let other = cells[at]
        let line = cell.place - other.place
        let exponent = line.dot(line) * scale
        // e⁻²⁰ is 2·10⁻⁹.
        guard exponent > -20 else { continue }
        let product = along * cell.along * other.along + place * cell.vector.dot(other.vector)
        variance += product * SurfaceFunctions.exponential(exponent) * (at == index ? 1 : 2)
      }
    }
    return max(0, variance)
  }

  private func cells(
    _ merged: [(vertex: Int32, weight: Double)], _ side: Double
  ) -> [Cell] {
    // 21 bits each, which wrap: a cell is then joined with one that is 2²¹ sides away.
    func key(_ point: SIMD3<Double>) -> Int64 {
      let places = (point / side).rounded(.down)
      return (0..<3).reduce(Int64(0)) { key, axis in
        let place = Int64(max(-1e15, min(1e15, places[axis])))
        return key << 21 | (place & 0x1F_FFFF)
      }
    }
    let keyed = merged.enumerated()
      .map { (key: key(surface.positions[Int($1.vertex)]), index: $0) }
      .sorted { ($0.key, $0.index) < ($1.key, $1.index) }
    var cells: [Cell] = []
    var last: Int64?
    for (key, index) in keyed {
      let (vertex, weight) = merged[index]
      guard weight != 0 else { continue }
      if key != last { cells.append(Cell()) }
      last = key
      let at = cells.count - 1
      cells[at].along += weight
      cells[at].vector += surface.normals[Int(vertex)] * weight
      cells[at].size += abs(weight)
      cells[at].place += surface.positions[Int(vertex)] * abs(weight)
    }
    for index in cells.indices { cells[index].place /= cells[index].size }
    return cells
  }
}
