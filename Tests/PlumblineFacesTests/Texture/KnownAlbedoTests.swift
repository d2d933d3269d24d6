import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

/// Light taken from heads whose skin is known at each vertex.
@Suite struct KnownAlbedoTests {
  /// What is known of a lit head.
  private struct LitHead {
    /// Toward the lamp.
    var lamp: SIMD3<Double>
    var albedo: [SIMD3<Float>]
    var seen: [SIMD3<Float>?]
    var normals: [PackedPoint]
    var isBeard: [Bool]
  }

  /// A head of formulas with redder cheeks, blotches, and a beard where asked for, under a lamp and an even sky.
  ///
  /// - Parameters:
  ///   - seed: Of the head, the lamp and the blotches.
  ///   - shadow: Whether the nose's side away from the lamp throws a shadow over a part of the cheek.
  ///   - beard: Whether chin and jaw have one.
  /// - Returns: The head.
  /// - Throws: What the model of formulas throws.
  private func lit(seed: UInt64, shadow: Bool, beard: Bool) throws -> LitHead {
    let model = try SyntheticFaces.model()
    let head = SimulatedHead(model, seed: seed, settings: SyntheticFaces.exact)
    let mesh = head.truth
    let normals = mesh.normals ?? mesh.areaWeightedNormals
    var generator = SeededGenerator(seed: seed &* 7919)
    let side = generator.uniform() < 0.5 ? -1.0 : 1.0
    let toCamera = SIMD3<Double>(0, 0, -1)
    let lamp = (toCamera + SIMD3(side * (0.5 + 0.4 * generator.uniform()), -0.4, 0)).unit
    let inHead = model.mean.map(\.vector)
    var albedo: [SIMD3<Float>] = []
    var seen: [SIMD3<Float>?] = []
    let isBeard = inHead.map { beard && $0.y < -0.055 && abs($0.x) < 0.05 }
    for vertex in inHead.indices {
      let point = inHead[vertex]
      let cheek = exponential(
        Float(-((abs(point.x) - 0.035) * (abs(point.x) - 0.035) + point.y * point.y) / 0.0004))
      let blotch = 1 + 0.03 * Float(generator.gaussian())
      var skin = SIMD3<Float>(0.45, 0.28 - 0.05 * cheek, 0.2 - 0.04 * cheek) * blotch
      if isBeard[vertex] { skin = SIMD3(0.1, 0.08, 0.07) }
      albedo.append(skin)
      let normal = normals[vertex].vector
      var amount = 0.4 + 0.9 * max(0, (normal * lamp).sum())
      let isShadowed =
        shadow && point.x * side < -0.012 && point.x * side > -0.03 && point.y < 0.02
        && point.y > -0.04
      if isShadowed { amount = 0.4 }
      let facing = -normal.z
      seen.append(facing > SkinEvidence.leastFacing ? skin * Float(amount) : nil)
    }
    return LitHead(lamp: lamp, albedo: albedo, seen: seen, normals: normals, isBeard: isBeard)
  }

  /// The RMS of the ratio between colors and albedo, as a share of it, after one factor for all; without `without`.
  private func error(_ colors: [SIMD3<Float>?], _ head: LitHead, without: [Bool]) -> Float {
    let ratios = colors.indices.compactMap { index -> Float? in
      guard !without[index], let color = colors[index] else { return nil }
      return color.y / head.albedo[index].y
    }
    let mean = ratios.reduce(0, +) / Float(ratios.count)
    let square = ratios.reduce(0) { $0 + ($1 / mean - 1) * ($1 / mean - 1) }
    return (square / Float(ratios.count)).squareRoot()
  }

  private func freed(_ head: LitHead) throws -> (light: FaceLight, colors: [SIMD3<Float>?]) {
    let light = try #require(FaceLight.fitted(toSkin: head.seen, normals: head.normals))
    let gains = light.gains(normals: head.normals)
    return (light, zip(head.seen, gains).map { color, gain in color.map { $0 * gain } })
  }

  /// The mean normal of the twentieth of the skin that the fit says is lit most.
  private func brightest(_ light: FaceLight, _ head: LitHead) -> SIMD3<Double> {
    let used = head.seen.indices.filter { head.seen[$0] != nil }
    let values = used.map { vertex -> (Double, SIMD3<Double>) in
      let n = head.normals[vertex].vector
      let row = [
        1, n.x, n.y, n.z, n.x * n.y, n.y * n.z, n.x * n.z, n.x * n.x - n.y * n.y,
        3 * n.z * n.z - 1,
      ]
      return (zip(row, light.coefficients[1]).reduce(0) { $0 + $1.0 * $1.1 }, n)
    }.sorted { $0.0 > $1.0 }
    return values.prefix(values.count / 20).reduce(SIMD3<Double>.zero) { $0 + $1.1 }.unit
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func theColorsComeNearToTheSkins(seed: UInt64) throws {
    for (shadow, factor) in [(false, Float(2.5)), (true, 1.4)] {
      let head = try lit(seed: seed, shadow: shadow, beard: false)
      let (light, colors) = try freed(head)
      let none = head.isBeard
      let (before, after) = (
        error(head.seen, head, without: none), error(colors, head, without: none)
      )
      #expect(before > 0.12 && after * factor < before, "\(shadow): \(before) to \(after)")
      // Skin is lit most where it faces the lamp.
      let cosine = (brightest(light, head) * head.lamp).sum()
      // cos 25°.
      #expect(cosine > 0.906, "\(shadow): \(cosine)")
    }
  }

  /// A beard's own darkness stays: against the skin it becomes by at most two fifths lighter than it is.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func whatIsUnevenForItselfStays(seed: UInt64) throws {
    let head = try lit(seed: seed, shadow: false, beard: true)
    let (_, colors) = try freed(head)
    func mean(_ values: [SIMD3<Float>?], beard: Bool) -> Float {
      let own = values.indices.compactMap { head.isBeard[$0] == beard ? values[$0]?.y : nil }
      return own.reduce(0, +) / Float(max(1, own.count))
    }
    let shown = head.seen.indices.map { head.seen[$0] == nil ? nil : head.albedo[$0] }
    let truth = mean(shown, beard: true) / mean(shown, beard: false)
    let found = mean(colors, beard: true) / mean(colors, beard: false)
    #expect(truth > 0.1 && truth < 0.45, "\(truth)")
    #expect(found < 1.4 * truth && found > 0.6 * truth, "\(found) of \(truth)")
    // Cheeks stay as much redder than the forehead.
    let cheeks = colors.indices.filter { (head.albedo[$0].y / head.albedo[$0].x) < 0.55 }
    for vertex in cheeks {
      guard let color = colors[vertex] else { continue }
      let ratio = color.y / color.x / (head.albedo[vertex].y / head.albedo[vertex].x)
      #expect(abs(ratio - 1) < 0.12, "\(ratio)")
    }
  }
}
