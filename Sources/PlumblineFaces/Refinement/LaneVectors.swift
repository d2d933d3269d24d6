internal import CKernels

/// Eight vectors side by side, so that one pass over a matrix serves them all: `values[8·i + lane]`.
struct LaneVectors: Sendable {
  /// The length of each vector.
  let count: Int
  private(set) var values: [Float]

  /// Vectors that a kernel fills.
  init(count: Int, _ fill: (UnsafeMutablePointer<Float>) -> Void) {
    self.count = count
    values = [Float](unsafeUninitializedCapacity: 8 * count) { buffer, filled in
      if let place = buffer.baseAddress { fill(place) }
      filled = 8 * count
    }
  }

  /// Vectors from their numbers.
  ///
  /// - Precondition: There are eight for each position.
  init(_ values: [Float]) {
    precondition(values.count % 8 == 0, "\(values.count) numbers are not eight vectors")
    count = values.count / 8
    self.values = values
  }

  /// The number of one vector at a position.
  subscript(place: Int, lane: Int) -> Float { values[8 * place + lane] }

  /// Each place of all vectors times its scale.
  func scaled(by scales: [Float]) -> LaneVectors {
    LaneVectors(count: count) { plb_face_scale(values, scales, Int32(count), $0) }
  }

  /// Adds other vectors, each position times its scale.
  mutating func add(_ other: LaneVectors, scaledBy scales: [Float]) {
    plb_face_add_scaled(other.values, scales, Int32(count), &values)
  }

  /// Adds other vectors, each times its factor.
  mutating func add(_ other: LaneVectors, times factors: SIMD8<Float>) {
    withFactors(factors) { plb_face_add(other.values, $0, Int32(count), &values) }
  }

  /// Multiplies each vector by its factor and adds another one.
  mutating func multiply(by factors: SIMD8<Float>, adding other: LaneVectors) {
    withFactors(factors) { plb_face_turn(other.values, $0, Int32(count), &values) }
  }

  /// The products of each pair of vectors.
  func dots(_ other: LaneVectors) -> SIMD8<Double> {
    var sums = [Double](repeating: 0, count: 8)
    plb_face_dots(values, other.values, Int32(count), &sums)
    return SIMD8(sums)
  }

  private func withFactors(_ factors: SIMD8<Float>, _ body: ([Float]) -> Void) {
    body((0..<8).map { factors[$0] })
  }
}
