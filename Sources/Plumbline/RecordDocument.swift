public import PlumblineCapture
public import PlumblineIO
import PlumblineModel
import PlumblineStreams

extension RecordingSession.Outcome {
  /// The document `plumbline.record/1`.
  ///
  /// - Parameters:
  ///   - source: What was recorded, as on the command line.
  ///   - output: The path of the recording.
  /// - Returns: The document; unknown numbers are `null`.
  public func document(source: String, output: String) -> JSONValue {
    let drops = statistics.drops.sorted { $0.key.rawValue < $1.key.rawValue }
    return [
      "schema": "plumbline.record/1", "source": .string(source),
      "output": statistics.writtenFrames > 0 ? .string(output) : .null,
      "ending": .string(ending.name), "message": .string(ending.message),
      "frames": .integer(statistics.writtenFrames),
      "storedFrames": .integer(statistics.storedFrames),
      "seconds": .number(statistics.seconds),
      "framesPerSecond": .number(statistics.meanFramesPerSecond),
      "droppedFrames": .integer(statistics.droppedFrames),
      "drops": .object(drops.map { ($0.key.rawValue, .integer($0.value)) }),
      "refusedFrames": .integer(statistics.refusedFrames),
      "firstRefusal": .string(firstRefusal?.description),
      "motionSamples": .integer(statistics.motionSamples),
      "lostMotionSamples": .integer(statistics.lostMotionSamples),
      "bytes": .integer(statistics.byteCount),
      "thermal": .string(statistics.thermal.rawValue),
      "warmest": .string(statistics.warmest.rawValue),
      "depthRate": .string(statistics.depthRate?.description),
    ]
  }
}

extension RecordingSession.Ending {
  /// A stable name for documents.
  public var name: String {
    switch self {
    case .sourceEnded: "sourceEnded"
    case .limit: "limit"
    case .stopped: "stopped"
    case .tooWarm: "tooWarm"
    case .cameraFailed: "cameraFailed"
    case .writingFailed: "writingFailed"
    }
  }

  /// What a person should read of it; `nil` where the name says all.
  public var message: String? {
    switch self {
    case .sourceEnded, .limit, .stopped: nil
    case .tooWarm(let change): change.description
    case .cameraFailed(let error): error.description
    case .writingFailed(let error): error.description
    }
  }
}
