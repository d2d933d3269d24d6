import CPlumbline
import Foundation
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Synchronization
import Testing

/// Recordings and work on files by the C functions.
@Suite struct RunFunctionTests {
  /// What a progress function heard, and after how many calls it ends the work.
  private final class Listener: Sendable {
    let calls = Mutex<[(stage: String, done: Int64, total: Int64)]>([])
    let limit: Int

    init(limit: Int = .max) { self.limit = limit }

    static let function: plumbline_progress = { context, stage, done, total in
      guard let context, let stage else { return false }
      let listener = Unmanaged<Listener>.fromOpaque(context).takeUnretainedValue()
      return listener.calls.withLock { calls in
        calls.append((String(cString: stage), done, total))
        return calls.count < listener.limit
      }
    }
  }

  private static func run(
    _ task: String, _ input: String, to output: String?, _ settings: String? = nil,
    _ listener: Listener
  ) throws -> String {
    try withExtendedLifetime(listener) {
      try CInterface.run(
        task, [input], to: output, settings, progress: Listener.function,
        context: Unmanaged.passUnretained(listener).toOpaque())
    }
  }

  @Test("A recording's frames are those of the library, in any order, and outlive it")
  func frames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("small.mcap")
    try SampleFiles.writeRecording(4, to: path)
    #expect(plumbline_is_recording(path, nil) == 1)
    #expect(plumbline_is_recording(SampleFiles.bundled[0], nil) == 0)
    let recording = try CInterface.calling { plumbline_recording_open(path, nil, $0) }
    #expect(plumbline_recording_count(recording) == 4)
    try checkOpening(path)
    let (expected, name) = try CaptureInput.recording(path: path)
    #expect(
      try CInterface.text { plumbline_recording_info(recording, $0) }
        == JSONWriter().text(RecordingInfo(expected, name: name).document))
    let frames = try [3, 0, 2].map { index in
      OpenedCapture(try CInterface.calling { plumbline_recording_frame(recording, index, $0) })
    }
    for index: Int64 in [-1, 4, .max] {
      let failure = #expect(throws: CInterface.Failure.self) {
        OpenedCapture(try CInterface.calling { plumbline_recording_frame(recording, index, $0) })
      }
      #expect(failure?.expected == "0 to 3")
    }
    plumbline_recording_free(recording)
    var analyzer = CaptureAnalyzer(color: .none)
    analyzer.readsCompanions = false
    for (frame, index) in zip(frames, [3, 0, 2]) {
      let analysis = try analyzer.analyze(expected, named: name, at: index)
      #expect(try frame.verdict == JSONWriter().text(analysis.document()))
      var seconds = 0.0
      #expect(plumbline_capture_time(frame.handle, &seconds))
      #expect(seconds == analysis.capture.timestampSeconds)
      var rows = [Double](repeating: 0, count: 16)
      let hasPose = plumbline_capture_pose(frame.handle, &rows)
      #expect(hasPose == (analysis.capture.worldFromCamera != nil))
      if hasPose { #expect(rows == analysis.capture.worldFromCamera?.homogeneousRowMajor) }
    }
  }

  /// One function opens either, and a named frame is a capture.
  private func checkOpening(_ path: String) throws {
    func opened(_ path: String, _ settings: String?) throws -> (OpaquePointer?, OpaquePointer?) {
      var (capture, recording): (OpaquePointer?, OpaquePointer?)
      _ = try CInterface.calling {
        plumbline_open(path, settings, &capture, &recording, $0) ? true : nil
      }
      return (capture, recording)
    }
    let whole = try opened(path, #"{"threads": 1}"#)
    #expect(whole.0 == nil && plumbline_recording_count(whole.1) == 4)
    plumbline_recording_free(whole.1)
    for (path, settings) in [(path, #"{"frame": 2}"#), (SampleFiles.bundled[0], nil)] {
      let one = try opened(path, settings)
      #expect(one.1 == nil)
      let verdict = try OpenedCapture(try #require(one.0)).verdict
      let expected = try OpenedCapture(path, settings).verdict
      #expect(verdict == expected)
    }
    let failure = #expect(throws: CInterface.Failure.self) {
      try opened(SampleFiles.bundled[0], #"{"frame": 2}"#)
    }
    #expect(failure?.place == "settings/frame")
    #expect(!plumbline_open(path, nil, nil, nil, nil))
  }

  @Test("A mesh is measured as the library measures it, and its pixels and frames are refused")
  func mesh() throws {
    let folder = try TemporaryFolder()
    let box = TrialSurface.box([0.4, 0.3, 0.2], spacing: 0.05).joined()
    let comments = ["unit meter", "frame world: y up"]
    try folder.put(box.ply(comments: comments, sigma: 0.003), at: "box.ply")
    let path = folder.file("box.ply")
    let document = try CInterface.run(
      "measure", [path], to: nil, #"{"volume": "all", "area": "all", "section": "y=0.1"}"#)
    let cloud = try MeasurableCloudReader().cloud(of: InputFile(path: path))
    let plane = try #require(SectionPlane(point: [0, 0.1, 0], normal: [0, 1, 0]))
    let result = CloudMeasurer(cloud).measure([.volume(.all), .area(.all), .section(plane)])
    #expect(document == JSONWriter().text(result.document(of: cloud)))
    for (settings, output, place) in [
      (#"{"point": "1,2"}"#, nil, "settings"), (#"{"area": "1,2,3x4"}"#, nil, "settings/area"),
      (#"{"volume": "all", "repeat": true}"#, nil, "settings/repeat"),
      (#"{"volume": "all", "known-distance": "1,1=1"}"#, nil, "settings/known-distance"),
      (#"{"volume": "all", "calibration": "c.json"}"#, nil, "settings/calibration"),
      (#"{"volume": "all", "frame": 1}"#, nil, "settings/frame"),
      (#"{"volume": "all"}"#, "image.png", "output"),
      (#"{"floor-plan": true}"#, "plan.png", "output"),
    ] as [(String, String?, String)] {
      let failure = #expect(throws: CInterface.Failure.self) {
        try CInterface.run("measure", [path], to: output.map(folder.file), settings)
      }
      #expect(
        failure?.category == PLUMBLINE_USAGE.rawValue, "\(settings): \(failure?.message ?? "")")
      #expect(failure?.place == place, "\(settings): \(failure?.place ?? "")")
    }
    #expect(try folder.names() == ["box.ply"])
  }

  @Test("A conversion writes what the library writes, and tells its progress in order")
  func convert() throws {
    let folder = try TemporaryFolder()
    try SampleFiles.writeRecording(5, to: folder.file("in.mcap"))
    let listener = Listener()
    let document = try Self.run(
      "convert", folder.file("in.mcap"), to: folder.file("out.mcap"), #"{"every": 2}"#, listener)
    #expect(document.contains("\"schema\": \"plumbline.convert/1\""))
    #expect(listener.calls.withLock { $0.map(\.done) } == [0, 1, 2])
    #expect(listener.calls.withLock { $0.allSatisfy { $0.total == 3 && $0.stage == "frames" } })
    let (recording, name) = try CaptureInput.recording(path: folder.file("in.mcap"))
    _ = try RecordingConverter(.mcap).convert(
      recording, indices: [0, 2, 4], path: folder.file("expected.mcap"), origin: name)
    #expect(folder.bytes("out.mcap") == folder.bytes("expected.mcap"))
  }

  @Test(
    "Work that is ended leaves no output",
    arguments: [
      ("convert", "out.mcap"), ("filter", "out.mcap"), ("correct", "out.mcap"),
      ("cloud", "out.ply"), ("fuse", "out.glb"),
    ])
  func cancelled(task: String, output: String) throws {
    let folder = try TemporaryFolder()
    try SampleFiles.writeRecording(5, to: folder.file("in.mcap"))
    let before = try folder.names()
    for limit in 1...2 {
      let listener = Listener(limit: limit)
      let failure = #expect(throws: CInterface.Failure.self) {
        try Self.run(
          task, folder.file("in.mcap"), to: folder.file(output),
          task == "cloud" ? #"{"all": true}"# : nil, listener)
      }
      #expect(failure?.category == PLUMBLINE_CANCELLED.rawValue, "\(failure?.message ?? "")")
      #expect(listener.calls.withLock { $0.count } == limit)
      #expect(try folder.names() == before, "\(task) ended after \(limit)")
    }
  }

  @Test("What a task does not know or lacks is refused before anything is written")
  func refused() throws {
    let folder = try TemporaryFolder()
    try SampleFiles.writeRecording(2, to: folder.file("in.mcap"))
    let before = try folder.names()
    let input = folder.file("in.mcap")
    let calls:
      [(task: String, inputs: [String], output: String?, settings: String?, place: String)] = [
        ("check", [input], nil, nil, "task"), ("convert", [], "out.mcap", nil, "inputs"),
        ("convert", [input, input], "out.mcap", nil, "inputs"),
        ("convert", [input], nil, nil, "output"),
        ("convert", [input], "out", nil, "settings/format"),
        ("convert", [input], "out.mcap", #"{"fsp": 30}"#, "settings/fsp"),
        ("convert", [input], "out.mcap", #"{"frame": 1}"#, "settings/frame"),
        (
          "convert", [input], "out.mcap", #"{"rectify": true, "correct": true}"#, "settings/rectify"
        ),
        ("cloud", [input], "out.doc", nil, "output"),
        ("cloud", [input], "out.ply", #"{"voxel": 0.1}"#, "settings/voxel"),
        ("fuse", [input], "out.xyzw", nil, "output"),
        ("fuse", [input], "out.glb", #"{"head": true, "room": true}"#, "settings/head"),
        ("estimate", [input], "out", #"{"known-distance": "1,1=1"}"#, "settings/known-distance"),
        ("estimate", [input], "out", #"{"card": "card.json"}"#, "settings/card"),
        ("verify", [input], nil, nil, "settings/square"),
        ("stereo", [], nil, nil, "inputs"),
        ("stereo", [input], nil, #"{"focal": "995±"}"#, "settings/focal"),
        ("stereo", [input], nil, #"{"disparity-range": "0:x:9"}"#, "settings/disparity-range"),
        ("stereo", [input], nil, #"{"paths": 6}"#, "settings/paths"),
        ("measure", [input], nil, nil, "settings/point"),
        ("measure", [input], nil, #"{"point": "1,2,3"}"#, "settings"),
        ("measure", [input], nil, #"{"point": ["1,2,3", "4,5"]}"#, "settings"),
        ("measure", [input], nil, #"{"floor-plan": true}"#, "settings/floor-plan"),
        ("measure", [input], "a.svg", #"{"point": "1,2"}"#, "output"),
        (
          "measure", [input], nil, #"{"point": "1,2", "section-height": 1}"#,
          "settings/section-height"
        ),
      ]
    for call in calls {
      let failure = #expect(throws: CInterface.Failure.self) {
        try CInterface.run(call.task, call.inputs, to: call.output.map(folder.file), call.settings)
      }
      #expect(failure?.category == PLUMBLINE_USAGE.rawValue, "\(call): \(failure?.message ?? "")")
      #expect(failure?.place == call.place, "\(call): \(failure?.place ?? "")")
      #expect(try folder.names() == before)
    }
  }

  @Test("Outputs that exist stay, unless they may be replaced; inputs stay in any case")
  func existing() throws {
    let folder = try TemporaryFolder()
    try folder.put(try SampleCapture.small(), at: "small.jpg")
    let output = folder.file("out.ply")
    let document = try CInterface.run("cloud", [folder.file("small.jpg")], to: output)
    #expect(document.contains("\"points\": \(64 * 48)"))
    let first = folder.bytes("out.ply")
    let failure = #expect(throws: CInterface.Failure.self) {
      try CInterface.run("cloud", [folder.file("small.jpg")], to: output)
    }
    #expect(failure?.category == PLUMBLINE_CANNOT_CREATE.rawValue)
    _ = try CInterface.run("cloud", [folder.file("small.jpg")], to: output, #"{"force": true}"#)
    #expect(folder.bytes("out.ply") == first)
    try SampleFiles.writeRecording(2, to: folder.file("in.mcap"))
    let input = folder.bytes("in.mcap")
    #expect(throws: CInterface.Failure.self) {
      try CInterface.run(
        "convert", [folder.file("in.mcap")], to: folder.file("in.mcap"), #"{"force": true}"#)
    }
    #expect(folder.bytes("in.mcap") == input)
  }

  @Test("Many threads get the same memory of one handle, and the same bits of handles of their own")
  func threads() throws {
    let path = SampleFiles.bundled[0]
    let shared = try OpenedCapture(path)
    let address = UInt(bitPattern: shared.handle)
    let seen = Mutex<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      guard let handle = OpaquePointer(bitPattern: address) else { return }
      for name in ["points", "depth", "color", "points.color"].shuffled() {
        var array = plumbline_array()
        let isThere = plumbline_capture_array(handle, name, &array, nil)
        seen.withLock { _ = $0.insert("\(name) \(isThere) \(UInt(bitPattern: array.values))") }
      }
      let own = try? OpenedCapture(path, #"{"threads": 1}"#)
      let depth = try? own?.elements("depth", UInt32.self)
      seen.withLock { _ = $0.insert("own \(depth?.hashValue ?? index)") }
    }
    #expect(seen.withLock { $0.count } == 5)
  }
}
