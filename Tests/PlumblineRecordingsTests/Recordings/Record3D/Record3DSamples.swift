import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineRecordings
/// Archives of Record3D as tests write and change them.
enum Record3DSamples {
  static let frames = SampleCaptures.frames(12)

  static func archive(_ captures: [Capture]) throws -> [UInt8] {
    let output = MemoryOutput()
    var writer = Record3DRecordingWriter(
      file: try output.makeFile("a.r3d"), header: RecordingHeader(origin: "a test"))
    for (index, capture) in captures.enumerated() { try writer.append(capture, name: "\(index)") }
    writer.append(motion: SampleCaptures.motion(frames: 3))
    try writer.finish()
    return try output.folder.bytes(of: "a.r3d")
  }

  /// The files of an archive as a folder, where tests can change them.
  static func folder(_ captures: [Capture]) throws -> MemoryFolder {
    let archive = try ZIPArchive(MemoryBytes(archive(captures)))
    var folder = MemoryFolder()
    for name in archive.fileNames { folder.files[name] = try archive.bytes(of: name) }
    return folder
  }

  static func depth(_ capture: Capture) throws -> Raster<Float> {
    guard case .depth(let map) = try #require(capture.depth).values else {
      throw CaptureReadingError(.missing, expected: "a depth map", found: "another kind")
    }
    return map.meters
  }
}
