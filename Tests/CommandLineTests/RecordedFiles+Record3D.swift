import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport

extension RecordedFiles {
  /// Captures with poses and confidence as an archive of Record3D, `a.r3d` in a folder of its own.
  static func archive(_ captures: [Capture]) throws -> TemporaryFolder {
    let output = MemoryOutput()
    var writer = Record3DRecordingWriter(
      file: try output.makeFile("a.r3d"), header: RecordingHeader(origin: "a test"))
    for (index, capture) in captures.enumerated() { try writer.append(capture, name: "\(index)") }
    try writer.finish()
    let folder = try TemporaryFolder()
    try folder.put(output.folder.bytes(of: "a.r3d"), at: "a.r3d")
    return folder
  }
}
