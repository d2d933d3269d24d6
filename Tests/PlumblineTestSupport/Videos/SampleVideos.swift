import Foundation
package import PlumblineModel

/// Videos whose every image says its number, made by the program ffmpeg while tests run.
package enum SampleVideos {
  /// An error when no video could be made.
  package struct Failure: Error, CustomStringConvertible {
    /// The error text of ffmpeg.
    package var description: String
  }

  /// The size of the images.
  package static let size = RasterSize(width: 64, height: 48)

  /// The path of ffmpeg; `nil` without it.
  package static let program: String? = {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/ffmpeg" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What a test says when it is skipped.
  package static let absence: String = "no ffmpeg on the path: apt install ffmpeg"

  /// Whether ffmpeg is there and has an encoder, such as `libx265`.
  package static func has(encoder: String) -> Bool {
    guard let list = try? run(["-v", "quiet", "-encoders"]) else { return false }
    return String(decoding: list, as: UTF8.self).contains(" \(encoder) ")
  }

  /// An image that says its number: twelve squares, black for 0 and white for 1, on which a coded
  /// video loses nothing that matters.
  package static func image(_ number: Int) -> Raster<RGB8> {
    Raster(size: size) { x, y in
      let bit = x / 16 + 4 * (y / 16)
      let level: UInt8 = number >> bit & 1 == 1 ? 235 : 20
      return RGB8(red: level, green: level, blue: level)
    }
  }

  /// The number that an image says.
  package static func number(of image: Raster<RGB8>) -> Int {
    let (width, height) = (image.width / 4, image.height / 3)
    return (0..<12).reduce(0) { sum, bit in
      let pixel = image[bit % 4 * width + width / 2, bit / 4 * height + height / 2]
      return sum | (pixel.green > 128 ? 1 << bit : 0)
    }
  }

  /// A video of numbered images.
  ///
  /// - Parameters:
  ///   - count: How many images.
  ///   - options: The options of ffmpeg behind its input, such as `["-c:v", "libx264"]`.
  /// - Returns: The bytes of an MP4 file.
  /// - Throws: ``Failure`` with ffmpeg's words.
  package static func video(_ count: Int, _ options: [String]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    var raw: [UInt8] = []
    for number in 0..<count {
      for pixel in image(number).samples { raw += [pixel.red, pixel.green, pixel.blue] }
    }
    try folder.put(raw, at: "raw")
    let video = folder.file("film.mp4")
    _ = try run(
      [
        "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
        "\(size.width)x\(size.height)",
      ]
        + ["-r", "30", "-i", folder.file("raw"), "-pix_fmt", "yuv420p"] + options + [video])
    return folder.bytes("film.mp4") ?? []
  }

  /// All images of a video as ffmpeg itself reads them, hidden ones too, in the order of their
  /// presentation.
  package static func decoded(_ video: [UInt8], filter: String) throws -> [Raster<RGB8>] {
    let folder = try TemporaryFolder()
    try folder.put(video, at: "film.mp4")
    let bytes = try run(
      ["-v", "error", "-ignore_editlist", "1", "-noautorotate", "-i", folder.file("film.mp4")]
        + ["-vf", filter, "-fps_mode", "passthrough", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"])
    let count = size.pixelCount
    return stride(from: 0, to: bytes.count - 3 * count + 1, by: 3 * count).map { start in
      Raster(
        size: size,
        samples: (0..<count).map { pixel in
          let at = start + 3 * pixel
          return RGB8(red: bytes[at], green: bytes[at + 1], blue: bytes[at + 2])
        })
    }
  }

  /// Runs ffmpeg and returns what it wrote to its output.
  package static func run(_ arguments: [String]) throws -> [UInt8] {
    guard let program else { throw Failure(description: absence) }
    let folder = try TemporaryFolder()
    try folder.put([], at: "out")
    try folder.put([], at: "err")
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-nostdin", "-hide_banner"] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.file("out")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.file("err")))
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: String(decoding: folder.bytes("err") ?? [], as: UTF8.self))
    }
    return folder.bytes("out") ?? []
  }
}
