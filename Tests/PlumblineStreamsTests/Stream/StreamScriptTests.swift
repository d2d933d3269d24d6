import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineIO
@testable import PlumblineStreams
/// The viewer's decoder in V8, against messages written here.
@Suite struct StreamScriptTests {
  /// The program, where the search path has one.
  static let node: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/node" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func answer(to message: [UInt8]) throws -> JSONValue {
    let folder = FileManager.default.temporaryDirectory.appending(path: "stream-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try Data(message).write(to: input)
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.node))
    process.arguments = [
      PackageRoot.url.appending(path: "Tests/Oracles/stream_values.mjs").path, input.path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONValue(parsing: [UInt8](try Data(contentsOf: output)))
  }

  @Test(
    .enabled(if: node != nil, "no node in PATH"), arguments: 0..<5 as Range<UInt64>,
    StreamMapEncoding.allCases)
  func theViewerReadsWhatSwiftWrites(seed: UInt64, maps: StreamMapEncoding) throws {
    let frame = SampleStreamFrames.frame(seed)
    let message = frame.encoded(StreamEncodingOptions(maps: maps))
    let answer = try answer(to: message)
    #expect(answer["refused"]?.integer == message.count)
    let depth = try #require(frame.capture.depth)
    let parts = try #require(answer["parts"])
    func bits(_ name: String) -> [UInt32]? {
      parts[name]?["bits"]?.numbers?.map { UInt32($0) }
    }
    let values = depth.values.raster.samples
    if let meaning = parts["depth"]?["meaning"]?.elements, !meaning.isEmpty {
      // The line in double precision gives the same singles; null stands for NaN.
      #expect(meaning.map { Float($0.number ?? .nan).bitPattern } == values.map(\.bitPattern))
    } else {
      #expect(bits("depth") == values.map(\.bitPattern))
    }
    #expect(bits("sigma") == depth.sigmaMeters?.samples.map(\.bitPattern))
    #expect(bits("confidence") == depth.confidence?.levels.samples.map { UInt32($0) })
    #expect(bits("matte:hair") == frame.capture.mattes[0].coverage.samples.map { UInt32($0) })
    let color = answer["color"]?.numbers?.map { UInt8($0) }
    let pixels = frame.capture.color?.samples.flatMap { [$0.red, $0.green, $0.blue] }
    #expect(color == frame.capture.colorFile?.bytes ?? pixels)
  }
}
