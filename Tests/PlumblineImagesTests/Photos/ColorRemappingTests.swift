import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
/// Colors from one space to another.
@Suite struct ColorRemappingTests {
  private static let wide = PhotoColorSpace(primaries: 12, transfer: 13)

  @Test("Known colors of Display P3 have the codes that the matrices of both spaces give in sRGB")
  func known() throws {
    let source = try #require(DisplayColors(Self.wide))
    let sRGB = try #require(DisplayColors.sRGB)
    let remapping = try #require(ColorRemapping(from: source, to: sRGB))
    // By CSS Color 4's sample code; the first has no place in sRGB.
    for (p3, srgb) in [
      ((255, 0, 0), (255, 0, 0)), ((255, 255, 255), (255, 255, 255)), ((0, 0, 0), (0, 0, 0)),
      ((128, 128, 128), (128, 128, 128)), ((200, 100, 60), (215, 94, 47)),
    ] {
      let color = remapping.applied(
        to: RGB8(red: UInt8(p3.0), green: UInt8(p3.1), blue: UInt8(p3.2)))
      let found = [color.red, color.green, color.blue].map { Int($0) }
      let worst = zip(found, [srgb.0, srgb.1, srgb.2]).map { abs($0 - $1) }.max() ?? 255
      #expect(worst <= 1, "\(p3): \(found) for \(srgb)")
    }
  }

  @Test("There and back is the same light within what 8 bits between can hold")
  func back() throws {
    let sRGB = try #require(DisplayColors.sRGB)
    let source = try #require(DisplayColors(Self.wide))
    let out = try #require(ColorRemapping(from: sRGB, to: source))
    let back = try #require(ColorRemapping(from: source, to: sRGB))
    let size = RasterSize(width: 64, height: 64)
    var generator = SeededGenerator(seed: 11)
    let image = Raster(size: size) { _, _ in
      let bits = generator.next()
      return RGB8(
        red: UInt8(bits & 255), green: UInt8(bits >> 8 & 255), blue: UInt8(bits >> 16 & 255))
    }
    let again = back.applied(to: out.applied(to: image))
    let light = sRGB.curves[0]
    for (a, b) in zip(image.packed.samples, again.packed.samples) {
      let worst =
        [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)].map {
          abs(light[Int($0.0)] - light[Int($0.1)])
        }.max() ?? 0
      // Half a code between is 0.0043 of light at the most, which the matrix multiplies by 1.45; half
      // a code at the end comes on top. In dark channels that is several codes.
      #expect(worst <= 0.011, "\(a) \(b)")
    }
  }

  @Test("A profile of this project reads as the codes that it was made of")
  func profiles() throws {
    for space in [Self.wide, .sRGB, PhotoColorSpace(primaries: 9, transfer: 1)] {
      let profile = try #require(space.iccProfile)
      let read = try #require(DisplayColors(icc: profile))
      let same = try #require(DisplayColors(space))
      #expect(ColorRemapping(from: read, to: same) == nil)
      #expect(PhotoColors(profile: space.iccProfile).coded == space)
    }
    #expect(PhotoColors(profile: PhotoColorSpace.sRGB.iccProfile).profile == nil)
    #expect(PhotoColors(profile: [1, 2, 3]).isUnreadable)
    #expect(PhotoColors(profile: nil).coded == .sRGB)
  }

  @Test(
    "Real photos' profiles are Display P3",
    .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)),
    arguments: ["photos/pug.heic", "photos/truedepth_iphone14.heic"])
  func real(path: String) throws {
    let file = try HEIFFile(bytes: RealData.bytes(path))
    let profile = try #require(file.iccProfile(of: file.primaryItemID))
    #expect(PhotoColors(profile: profile).coded == Self.wide)
  }

  @Test("Damaged profiles are refused or read, never a trap")
  func hostile() throws {
    let profile = try #require(Self.wide.iccProfile)
    for seed: UInt64 in 0..<3_000 {
      _ = DisplayColors(icc: ByteDamage.flipped(profile, seed: seed))
    }
    for length in profile.indices { _ = DisplayColors(icc: Array(profile[..<length])) }
    // A curve that claims more entries than there are.
    var curve = profile
    if let place = curve.firstRange(of: Array("para".utf8))?.lowerBound {
      curve.replaceSubrange(
        place..<place + 12, with: Array("curv".utf8) + [0, 0, 0, 0, 255, 255, 255, 255])
    }
    #expect(DisplayColors(icc: curve) == nil)
  }
}
