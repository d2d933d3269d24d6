import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Bare maps that are put into photos which are turned.
@Suite struct AttachedMapTests {
  /// A gray photo of 64×48 stored pixels.
  private static func photo(
    _ orientation: ImageOrientation, size: RasterSize = RasterSize(width: 64, height: 48)
  ) throws -> [UInt8] {
    var exif = PhotoExif()
    exif.orientation = orientation
    let gray = Raster(size: size, repeating: RGB8(red: 90, green: 90, blue: 90))
    return try ApplePhotoWriter().bytes(of: ApplePhoto(color: gray, exif: exif))
  }

  private static func map(_ size: RasterSize) -> Raster<Float> {
    Raster(size: size) { x, y in 0.5 + Float(3 * x + 7 * y) / 300 }
  }

  /// The disparities of the photo that was written, in 1/m.
  private static func disparities(_ path: String) throws -> Raster<Float> {
    let depth = try #require(
      try CaptureReader(color: .none).capture(from: InputFile(path: path).bytes).depth)
    guard case .disparity(let map) = depth.values else { throw CocoaError(.coderInvalidValue) }
    return map.inverseMeters
  }

  @Test(
    "A map as the pixels are stored, or as the photo is shown, gets the right turn",
    arguments: ImageOrientation.allCases)
  func turned(orientation: ImageOrientation) throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.photo(orientation), at: "photo.jpg")
    let stored = Self.map(RasterSize(width: 64, height: 48))
    let shown = stored.oriented(by: orientation)
    try folder.put(NPYWriter().bytes(stored), at: "stored.npy")
    try folder.put(NPYWriter().bytes(shown), at: "shown.npy")
    for (name, options) in [
      ("stored", []), ("stored", ["--lying", "stored"]), ("shown", ["--lying", "shown"]),
    ] {
      let run = try CommandRun(
        [
          "write", folder.file("photo.jpg"), "--attach", folder.file("\(name).npy"), "-o",
          folder.file("out.jpg"), "--force", "--depth-bits", "16",
        ] + options)
      #expect(run.status == 0, "\(name) \(options): \(run.message)")
      let found = try Self.disparities(folder.file("out.jpg"))
      #expect(found.size == stored.size)
      // Half a step of 16 bits over 0.4 to 2 1/m is 1.2e-5 1/m: 6e-5 m at the farthest, 2.2 m.
      let worst = zip(found.packed.samples, stored.packed.samples).map { abs(1 / $0 - $1) }.max()
      #expect((worst ?? 1) < 7e-5, "\(name) \(options): \(worst ?? 1)")
      // Only a half turn and mirrors leave both readings open, which is said.
      let isOpen = options.isEmpty && orientation != .up && !orientation.swapsAxes
      #expect(run.text.contains("--lying shown") == isOpen, "\(run.text)")
    }
  }

  @Test("A map of another shape is refused with both shapes that fit")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.put(Self.photo(.right), at: "photo.jpg")
    try folder.put(NPYWriter().bytes(Self.map(RasterSize(width: 64, height: 50))), at: "odd.npy")
    try folder.put(NPYWriter().bytes(Self.map(RasterSize(width: 64, height: 48))), at: "map.npy")
    let odd = try CommandRun(
      "write", folder.file("photo.jpg"), "--attach", folder.file("odd.npy"), "-o",
      folder.file("out.jpg"))
    #expect(odd.status == 65)
    #expect(
      odd.message.contains("64×48 as its pixels are stored, or 48×64 as it is shown, found 64×50"),
      "\(odd.message)")
    let wrong = try CommandRun(
      "write", folder.file("photo.jpg"), "--attach", folder.file("map.npy"), "--lying", "shown",
      "-o", folder.file("out.jpg"))
    #expect(wrong.status == 65 && wrong.message.contains("48×64 as it is shown, found 64×48"))
    #expect(folder.bytes("out.jpg") == nil)
  }
}
