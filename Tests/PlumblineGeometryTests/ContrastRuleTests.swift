import PlumblineGeometry
import PlumblineModel
import Testing

/// Why a proximity rule needs meters: what a well-known sample does instead, and where it fails.
///
/// The rule of “Implement Depth Estimation on iOS Using a FCRN Model”: the map is stretched from its
/// least to its maximum value onto 0…1, values of at least ½ become 1, the others 0, and something
/// is near where their mean is above 0.35. See `Documentation/proximity.md`.
@Suite struct ContrastRuleTests {
  static func contrastRuleSaysNear(_ depth: DepthMap) -> Bool {
    let values = depth.meters.samples.filter { $0 > 0 }
    guard let least = values.min(), let maximum = values.max() else { return false }
    let ones = values.filter { ($0 - least) / (maximum - least) >= 0.5 }
    return Double(ones.count) / Double(values.count) > 0.35
  }

  static func nearest(_ depth: DepthMap) -> Double? {
    ProximityReading(depth, focalLength: [64, 64]).nearestMeters
  }

  /// The left half at one depth, the right half at another.
  static func halves(_ left: Float, _ right: Float) -> DepthMap {
    DepthMap(
      meters: Raster(size: RasterSize(width: 64, height: 48)) { x, _ in x < 32 ? left : right })
  }

  @Test func itHasNoScale() throws {
    // The same room, ten times as large: nothing is near in it, and the rule cannot tell.
    let (small, large) = (Self.halves(0.3, 0.6), Self.halves(3, 6))
    #expect(Self.contrastRuleSaysNear(small) == Self.contrastRuleSaysNear(large))
    #expect(try #require(Self.nearest(small)) < 0.31)
    #expect(try #require(Self.nearest(large)) > 2.9)
  }

  @Test func oneFarPixelTurnsItOver() throws {
    var depth = Self.halves(0.3, 0.6)
    let before = Self.contrastRuleSaysNear(depth)
    depth.meters[63, 47] = 40
    #expect(Self.contrastRuleSaysNear(depth) != before)
    #expect(try #require(Self.nearest(depth)) < 0.31)
  }

  @Test func aWallBeforeTheLensIsNotNearToIt() throws {
    let wall = Self.halves(0.1, 0.1)
    #expect(!Self.contrastRuleSaysNear(wall))
    #expect(try #require(Self.nearest(wall)) < 0.11)
  }

  @Test func itTakesMetersForNearness() {
    // More of the image far away makes it say “near”: the network gives meters, not nearness.
    let size = RasterSize(width: 64, height: 48)
    let mostlyFar = DepthMap(meters: Raster(size: size) { x, _ in x < 8 ? 0.3 : 5 })
    let mostlyNear = DepthMap(meters: Raster(size: size) { x, _ in x < 56 ? 0.3 : 5 })
    #expect(Self.contrastRuleSaysNear(mostlyFar))
    #expect(!Self.contrastRuleSaysNear(mostlyNear))
  }
}
