import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct FaceLightTests {
  /// Normals toward the camera, and a lamp from one side with some light from everywhere.
  private func lit(seed: UInt64) -> (normals: [PackedPoint], light: [Float]) {
    var generator = SeededGenerator(seed: seed)
    let lamp = SIMD3(0.7, -0.4, -0.6).unit
    var normals: [PackedPoint] = []
    var light: [Float] = []
    while normals.count < 3000 {
      let drawn = SIMD3(
        2 * generator.uniform() - 1, 2 * generator.uniform() - 1, 2 * generator.uniform() - 1)
      guard drawn.norm > 0.1, drawn.norm < 1, drawn.unit.z < -0.2 else { continue }
      let normal = drawn.unit
      normals.append(PackedPoint(x: Float(normal.x), y: Float(normal.y), z: Float(normal.z)))
      light.append(Float(0.35 + 0.65 * max(0, (normal * lamp).sum())))
    }
    return (normals, light)
  }

  /// The spread of numbers as a share of their mean.
  private func spread(_ values: [Float]) -> Float {
    let mean = values.reduce(0, +) / Float(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Float(values.count)).squareRoot() / mean
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func theLightOfOneColorIsTakenAway(seed: UInt64) throws {
    let (normals, light) = lit(seed: seed)
    let skin = light.map { Optional(SIMD3<Float>(0.5, 0.3, 0.2) * $0) }
    let found = try #require(FaceLight.fitted(toSkin: skin, normals: normals))
    #expect(found.vertexCount == 3000 && found.explainedShare > 0.95)
    #expect(found.ratio > 1.5 && found.ratio < 4, "\(found.ratio)")
    let after = zip(light, found.gains(normals: normals)).map { $0 * $1.y }
    // Order 2 has nearly all of a lamp's light, but for the kink at its shadow's edge.
    #expect(spread(after) < 0.25 * spread(light), "\(spread(after)) of \(spread(light))")
  }

  /// A fifth of the skin is a beard: its darkness is not taken for a shadow.
  @Test func whatIsDarkForItselfStaysDark() throws {
    let (normals, light) = lit(seed: 4)
    let isBeard = normals.map { $0.y > 0.45 }
    let skin = zip(light, isBeard).map { Optional(SIMD3<Float>(repeating: $0 * ($1 ? 0.15 : 0.5))) }
    let share = Double(isBeard.count { $0 }) / 3000
    #expect(share > 0.1 && share < 0.35, "\(share)")
    let gains = try #require(FaceLight.fitted(toSkin: skin, normals: normals)).gains(
      normals: normals)
    func mean(_ beard: Bool) -> Float {
      let values = skin.indices.filter { isBeard[$0] == beard }.map {
        (skin[$0]?.y ?? 0) * gains[$0].y
      }
      return values.reduce(0, +) / Float(values.count)
    }
    // 0.3 in truth; the limits of the gains alone would allow 0.85.
    #expect(mean(true) / mean(false) < 0.55, "\(mean(true) / mean(false))")
  }

  @Test func tooLittleSkinSaysNothing() {
    let (normals, light) = lit(seed: 5)
    var skin = light.map { Optional(SIMD3<Float>(repeating: $0)) }
    for index in FaceLight.leastCount - 1..<skin.count { skin[index] = nil }
    #expect(FaceLight.fitted(toSkin: skin, normals: normals) == nil)
    let dark = light.map { _ in Optional(SIMD3<Float>.zero) }
    #expect(FaceLight.fitted(toSkin: dark, normals: normals) == nil)
  }

  @Test func gainsStayWithinTheirLimits() throws {
    let (normals, light) = lit(seed: 6)
    let skin = light.map { Optional(SIMD3<Float>(repeating: $0 * $0 * $0)) }
    let found = try #require(FaceLight.fitted(toSkin: skin, normals: normals))
    let away = normals.map { PackedPoint(x: -$0.x, y: -$0.y, z: -$0.z) }
    for gain in found.gains(normals: normals + away) {
      #expect(gain.min() >= 1 / FaceLight.limits.upperBound - 1e-5)
      #expect(gain.max() <= 1 / FaceLight.limits.lowerBound + 1e-5)
    }
  }
}
