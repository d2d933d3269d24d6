import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// A photo in Display P3, and what its colors become in every kind of file that is made of it, as Little CMS
/// sees it.
@Suite(
  .enabled(
    if: PythonPeer.has("PIL") && SampleVideos.program != nil,
    "\(PythonPeer.absence("PIL")), or \(SampleVideos.absence)"))
struct WideColorTests {
  /// Codes of Display P3; sRGB holds all but the first.
  private static let colors = [
    RGB8(red: 255, green: 0, blue: 0), RGB8(red: 200, green: 100, blue: 60),
    RGB8(red: 70, green: 150, blue: 90), RGB8(red: 120, green: 120, blue: 130),
  ]
  private static let places = ["0.25,0.25", "0.75,0.25", "0.25,0.75", "0.75,0.75"]
  private static let space = PhotoColorSpace(primaries: 12, transfer: 13)

  /// A photo of four fields with depth and a camera.
  private static func photo() throws -> [UInt8] {
    let size = RasterSize(width: 160, height: 120)
    let image = Raster(size: size) { x, y in colors[(x < 80 ? 0 : 1) + (y < 60 ? 0 : 2)] }
    var contents = PhotoContents(color: image)
    contents.metadata.colorSpace = space
    contents.depth = PhotoDepth(
      codes: .uint8(Raster(size: RasterSize(width: 80, height: 60)) { x, y in UInt8(x + y) }),
      quantization: LinearQuantization(
        minimumCode: 0, maximumCode: 255, minimumValue: 1, maximumValue: 2), quantity: .disparity)
    contents.depth?.accuracy = .absolute
    contents.depth?.calibration = CameraCalibration(
      intrinsics: PinholeIntrinsics(
        focalLength: [140, 140], principalPoint: [79.5, 59.5], size: size))
    return try JPEGPhotoWriter().bytes(
      of: contents, options: PhotoWritingOptions(colorQuality: 100))
  }

  /// What Little CMS finds in a file: what it says of its colors, and the colors as codes of Display P3.
  private static func found(_ path: String, _ folder: TemporaryFolder) throws -> (String, [[Int]]) {
    try folder.put(#require(space.iccProfile), at: "p3.icc")
    let answer = try PythonPeer.run(
      "wide_colors.py", path, folder.file("p3.icc"), places[0], places[1], places[2], places[3])
    let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    return (
      lines.first.map(String.init) ?? "",
      lines.dropFirst().map { $0.split(separator: " ").compactMap { Int($0) } }
    )
  }

  /// Runs a verb on the photo.
  private static func make(_ arguments: [String], _ folder: TemporaryFolder) throws {
    try folder.put(photo(), at: "p3.jpg")
    let run = try CommandRun(arguments.map { $0 == "P3" ? folder.file("p3.jpg") : $0 })
    #expect(run.status == 0, "\(run.message)")
  }

  private static func expect(
    _ found: [[Int]], within tolerance: Int, alsoRed: Bool, _ name: String
  ) {
    #expect(found.count == 4, "\(name)")
    for (index, color) in colors.enumerated() where index < found.count && (index > 0 || alsoRed) {
      let wanted = [Int(color.red), Int(color.green), Int(color.blue)]
      let worst = zip(found[index], wanted).map { abs($0 - $1) }.max() ?? 255
      #expect(worst <= tolerance, "\(name): \(found[index]) for \(wanted)")
    }
  }

  @Test(
    "Photos and images that can carry a profile carry it",
    arguments: [
      ["write", "P3", "--rotate", "upright", "--crop", "0,0,158x118", "--quality", "100"],
      ["effect", "isolate", "P3", "--from", "1", "--to", "0", "--quality", "100"],
    ], ["jpg", "heic", "png"])
  func carried(arguments: [String], ending: String) throws {
    guard ending != "png" || arguments[0] == "effect" else { return }
    guard ending != "heic" || PythonPeer.has("pillow_heif") else { return }
    let folder = try TemporaryFolder()
    let output = folder.file("out.\(ending)")
    try Self.make(arguments + ["-o", output], folder)
    let (said, found) = try Self.found(output, folder)
    #expect(said == "profile")
    // JPEG's own loss is one code, HEVC's at its best two.
    Self.expect(
      found, within: ending == "png" ? 1 : ending == "jpg" ? 2 : 4, alsoRed: true, output)
  }

  @Test(
    "Loops say their colors, or are converted",
    arguments: [("mp4", "codes smpte432 iec61966-2-1"), ("webp", "profile"), ("gif", "none")])
  func loops(ending: String, says: String) throws {
    let folder = try TemporaryFolder()
    let output = folder.file("loop.\(ending)")
    try Self.make(
      ["effect", "wiggle", "P3", "--amount", "2", "--frames", "4", "-o", output], folder)
    let (said, found) = try Self.found(output, folder)
    #expect(said == says)
    // One code each of JPEG and of luma and chroma in video range; WebP's quality of 80 and GIF's
    // palette cost more.
    let tolerance = ["mp4": 4, "webp": 8, "gif": 6][ending] ?? 1
    Self.expect(found, within: tolerance, alsoRed: ending != "gif", output)
  }

  @Test("What says nothing of its colors is in sRGB")
  func converted() throws {
    let folder = try TemporaryFolder()
    try Self.make(["extract", "P3", "-o", folder.file("parts")], folder)
    let (said, found) = try Self.found(folder.file("parts/color.jpg"), folder)
    #expect(said == "none")
    Self.expect(found, within: 3, alsoRed: false, "color.jpg")
    // The same numbers in points.
    try Self.make(["cloud", "P3", "-o", folder.file("cloud.ply")], folder)
    let cloud = try #require(folder.bytes("cloud.ply"))
    let wanted = Self.inSRGB(Self.colors[1])
    let points = try Self.pointColors(cloud)
    let near = points.count { color in zip(color, wanted).allSatisfy { abs($0 - $1) <= 2 } }
    #expect(near > points.count / 8, "\(near) of \(points.count) are \(wanted)")
  }

  @Test("A loop whose images are all the same carries its profile too")
  func stillLoop() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("loop.webp")
    try Self.make(
      ["effect", "wiggle", "P3", "--amount", "0", "--frames", "4", "-o", output], folder)
    let (said, found) = try Self.found(output, folder)
    #expect(said == "profile")
    // WebP's quality of 80.
    Self.expect(found, within: 8, alsoRed: true, output)
  }

  /// A recording with poses whose JPEG images are in Display P3.
  private static func recording(in folder: TemporaryFolder) throws -> String {
    let depth = Raster<UInt16>(size: RasterSize(width: 80, height: 60)) { x, y in
      UInt16(1500 + x + y)
    }
    var frames: [String] = []
    for part in ["images", "depths"] {
      try FileManager.default.createDirectory(
        atPath: folder.file("scan/\(part)"), withIntermediateDirectories: true)
    }
    for index in 0..<3 {
      try folder.put(photo(), at: "scan/images/\(index).jpg")
      try folder.put(PNGEncoder().encoded(depth), at: "scan/depths/\(index).png")
      frames.append(
        """
        {"file_path":"images/\(index).jpg","depth_file_path":"depths/\(index).png",\
        "transform_matrix":[[1,0,0,0.0\(index)],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}
        """)
    }
    let text = """
      {"camera_model":"OPENCV","fl_x":140,"fl_y":140,"cx":79.5,"cy":59.5,"w":160,"h":120,\
      "frames":[\(frames.joined(separator: ","))]}
      """
    try folder.put(Array(text.utf8), at: "scan/transforms.json")
    return folder.file("scan")
  }

  /// Where each format keeps its first image, what that says of its colors, and the codes that it may lose.
  struct Format: Sendable {
    let name, image, says: String
    /// JPEG encoded anew loses two codes, videos four; what is only copied, or PNG, one or two.
    let tolerance: Int
  }

  @Test(
    "Recordings are in sRGB in every format, and copied JPEGs keep their profile",
    arguments: [
      Format(name: "mcap", image: "out.mcap", says: "profile", tolerance: 2),
      Format(name: "r3d", image: "out.r3d!rgbd/0.jpg", says: "profile", tolerance: 2),
      Format(
        name: "rgbd-json", image: "out/frame-000000_0000000000000.jpg", says: "profile",
        tolerance: 2),
      Format(
        name: "stray", image: "out/rgb.mp4", says: "codes bt709 iec61966-2-1", tolerance: 4),
      Format(name: "tum", image: "out/rgb/000000.png", says: "none", tolerance: 2),
      Format(name: "open3d", image: "out/color/000000.jpg", says: "none", tolerance: 3),
      Format(name: "nerfstudio", image: "out/images/frame_00001.png", says: "none", tolerance: 2),
      Format(name: "colmap", image: "out/images/frame_00001.png", says: "none", tolerance: 2),
      Format(
        name: "colmap-binary", image: "out/images/frame_00001.png", says: "none", tolerance: 2),
    ])
  func recordings(format: Format) throws {
    guard format.name != "mcap" || PythonPeer.has("mcap") else { return }
    let folder = try TemporaryFolder()
    let output = format.image.prefix { $0 != "/" && $0 != "!" }
    let run = try CommandRun([
      "convert", Self.recording(in: folder), "-o", folder.file(String(output)), "--format",
      format.name, "--fps", "30",
    ])
    #expect(run.status == 0, "\(run.message)")
    let (said, found) = try Self.found(folder.file(format.image), folder)
    #expect(said == format.says)
    Self.expect(
      found, within: format.tolerance, alsoRed: said == "profile", format.name)
  }

  @Test("A corrected image is in sRGB")
  func corrected() throws {
    let folder = try TemporaryFolder()
    let run = try CommandRun([
      "correct", Self.recording(in: folder), "--frame", "0", "-o", folder.file("out"),
    ])
    #expect(run.status == 0, "\(run.message)")
    let (said, found) = try Self.found(folder.file("out/color.png"), folder)
    #expect(said == "none")
    Self.expect(found, within: 2, alsoRed: false, "color.png")
  }

  @Test("A background in sRGB has its own colors beside a subject in Display P3")
  func background() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("out.png")
    try Self.make(
      [
        "effect", "background", "P3", "--mask", "depth", "--threshold", "0.999", "--color",
        "c86e50", "-o", output,
      ], folder)
    let (_, found) = try Self.found(output, folder)
    // c86e50 in Display P3, by the matrices below.
    let wanted = Self.inP3(RGB8(red: 0xC8, green: 0x6E, blue: 0x50))
    let worst = zip(found[0], wanted).map { abs($0 - $1) }.max() ?? 255
    #expect(worst <= 1, "\(found[0]) for \(wanted)")
  }

  // MARK: The sums themselves

  /// Light of a code by sRGB's curve, which Display P3 has too (IEC 61966-2-1).
  private static func light(_ code: UInt8) -> Double {
    let x = Double(code) / 255
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
  }

  private static func code(_ light: Double) -> Int {
    let y = min(max(light, 0), 1)
    return Int((255 * (y <= 0.0031308 ? 12.92 * y : 1.055 * pow(y, 1 / 2.4) - 0.055)).rounded())
  }

  /// Display P3 to sRGB: XYZ of the one by its primaries, and back by the other's, under D65.
  private static func inSRGB(_ color: RGB8) -> [Int] {
    let c = [light(color.red), light(color.green), light(color.blue)]
    return [
      [1.2249401762805598, -0.22494017628055996, 0.0],
      [-0.042056954709688163, 1.0420569547096881, 0.0],
      [-0.019637554590334432, -0.078636045550631889, 1.0982736001409663],
    ].map { row in code(zip(row, c).map { $0 * $1 }.reduce(0, +)) }
  }

  private static func inP3(_ color: RGB8) -> [Int] {
    let c = [light(color.red), light(color.green), light(color.blue)]
    return [
      [0.8224619687143623, 0.17753803128563775, 0.0],
      [0.033194198850961616, 0.96680580114903838, 0.0],
      [0.017082630600309713, 0.072397440781573949, 0.91051992861811634],
    ].map { row in code(zip(row, c).map { $0 * $1 }.reduce(0, +)) }
  }

  /// The colors of a binary PLY's vertices.
  private static func pointColors(_ bytes: [UInt8]) throws -> [[Int]] {
    let end = try #require(bytes.firstRange(of: Array("end_header\n".utf8)))
    let header = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
    let sizes = ["double": 8, "uchar": 1, "uint8": 1, "ushort": 2]
    var (stride, red, count, isVertex) = (0, -1, 0, false)
    for line in header.map({ $0.split(separator: " ") }) {
      if line.first == "element" {
        isVertex = line[1] == "vertex"
        if isVertex { count = Int(line[2]) ?? 0 }
      } else if line.first == "property", isVertex {
        if line.last == "red" { red = stride }
        stride += sizes[String(line[1])] ?? 4
      }
    }
    try #require(red >= 0 && count > 0)
    return (0..<count).map { index in
      let place = end.upperBound + index * stride + red
      return bytes[place..<place + 3].map { Int($0) }
    }
  }
}
