import CPlumbline
import Foundation
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// The tasks of `plumbline_run` held against the commands of the same names: settings, documents, files.
@Suite(.serialized) struct CommandTests {
  /// Runs the built program, and returns what it printed.
  private static func output(_ arguments: [String]) throws -> [UInt8] {
    let process = Process()
    let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    process.executableURL = folder.appending(path: "plumbline")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](bytes)
  }

  /// The long options of a command.
  private static func options(of command: String) throws -> Set<String> {
    let help = try JSONValue(parsing: output([command, "--experimental-dump-help"]))
    let arguments = try #require(help["command"]?["arguments"]?.elements)
    let names = arguments.flatMap { $0["names"]?.elements ?? [] }
    return Set(names.filter { $0["kind"]?.string == "long" }.compactMap { $0["name"]?.string })
  }

  /// How captures are read, which all tasks about captures take.
  private static let reading: Set<String> = [
    "frame", "depth-unit", "metric", "known-distance", "calibration", "catalog", "device",
    "threads", "memory",
  ]
  /// What the command prints and where, which C has arguments for, or no use of.
  private static let printing: Set<String> = [
    "help", "version", "output", "json", "quiet", "no-color",
  ]
  /// A camera in place of a recording.
  private static let live: Set<String> = [
    "camera", "depth-fps", "drops", "fault", "fps", "jitter", "scene", "seconds", "seed", "size",
    "source",
    "thermal",
  ]

  @Test(
    "Settings are the command's options, but for those that are named here",
    arguments: [
      ("cloud", "x.ply", []), ("convert", "x.mcap", []),
      ("correct", "x", ["explain", "focal-from-pair"]),
      ("estimate", "x", live.union(["frames"])), ("filter", "x", []),
      ("fuse", "x.glb", live.union(["no-open", "port", "resume", "view"])), ("mesh", "x.glb", []),
      ("measure", "x.png", []),
      ("stereo", "x", []), ("verify", "x", ["device", "os", "share"]),
    ] as [(String, String, Set<String>)])
  func settings(task: String, output: String, left: Set<String>) throws {
    let settings = task == "measure" ? #"{"point": "1,1", "": 1}"# : #"{"": 1}"#
    let failure = #expect(throws: CInterface.Failure.self) {
      try CInterface.run(task, ["/nowhere"], to: output, settings)
    }
    let known = Set((failure?.expected ?? "").split(separator: ", ").map(String.init))
    let options = try Self.options(of: task)
    #expect(known.subtracting(options).isSubset(of: Self.reading))
    #expect(options.subtracting(known).subtracting(Self.printing) == left)
  }

  @Test("Documents and files are the command's, to the byte")
  func results() throws {
    let folder = try TemporaryFolder()
    let recording = folder.file("in.mcap")
    try SampleFiles.writeRecording(4, to: recording)
    let room = TrialSurface.room(
      [[0, 0], [4, 0], [4, 3], [0, 3]], height: 2.4, spacing: 0.2
    ).placed { [$0.x, $0.z, -$0.y] }
    try folder.put(
      room.ply(comments: ["unit meter", "frame world: y up"], sigma: 0.003), at: "room.ply")
    let photo = SampleFiles.bundled[0]
    let calls:
      [(task: String, input: String, output: String, settings: String, options: [String])] = [
        (
          "convert", recording, "c.mcap", #"{"every": 2, "depth-only": true}"#,
          ["--every", "2", "--depth-only"]
        ),
        (
          "correct", photo, "corrected", #"{"rectify": "color,depth"}"#,
          ["--rectify", "color,depth"]
        ),
        ("correct", recording, "r.mcap", "{}", []),
        (
          "filter", photo, "filtered", #"{"preset": "preview", "depth-range": "0.1:3"}"#,
          ["--preset", "preview", "--depth-range", "0.1:3"]
        ),
        ("filter", recording, "f.mcap", #"{"preset": "fusion"}"#, ["--preset", "fusion"]),
        ("mesh", photo, "m.ply", #"{"upright": true, "edge": 4}"#, ["--upright", "--edge", "4"]),
        (
          "measure", photo, "m.png",
          #"{"distance": ["depth:100,100:depth:200,220"], "plane": "200,200,80x60"}"#,
          ["--distance", "depth:100,100:depth:200,220", "--plane", "200,200,80x60"]
        ),
        (
          "measure", recording, "r.png", #"{"repeat": true, "point": "depth:20,20"}"#,
          ["--repeat", "--point", "depth:20,20"]
        ),
        (
          "measure", folder.file("room.ply"), "plan.svg",
          #"{"floor-plan": true, "section-height": 1, "distance": "0,0,0:4,0,0", "area": "all"}"#,
          [
            "--floor-plan", "--section-height", "1", "--distance", "0,0,0:4,0,0", "--area", "all",
          ]
        ),
        (
          "fuse", recording, "s.ply", #"{"voxel": 0.02, "no-loops": true}"#,
          ["--voxel", "0.02", "--no-loops"]
        ),
      ]
    for call in calls {
      let place = folder.file("outputs")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      let output = place + "/" + call.output
      let printed = try Self.output([call.task, call.input, "-o", output, "--json"] + call.options)
      let written = try Self.contents(place)
      try FileManager.default.removeItem(atPath: place)
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      let document = try CInterface.run(call.task, [call.input], to: output, call.settings)
      #expect(document == String(decoding: printed, as: UTF8.self), "\(call.task)")
      #expect(try !written.isEmpty && Self.contents(place) == written, "\(call.task)")
      try FileManager.default.removeItem(atPath: place)
    }
  }

  /// The bytes of all files of a folder and its folders, by their paths.
  private static func contents(_ path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      let file = path + "/" + name
      guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      files[name] = try Data(contentsOf: URL(filePath: file))
    }
    return files
  }
}
