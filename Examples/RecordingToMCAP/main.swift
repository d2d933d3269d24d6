// Converts a recording of any app to MCAP, and says what the format could not hold.
//
//   swift run RecordingToMCAP recording.r3d out.mcap
import Foundation
import Plumbline

func convert(_ path: String, to output: String) throws {
  let (recording, name) = try CaptureInput.recording(path: path)
  print("\(name): \(recording.frames.count) frames of \(recording.layout)")

  // Frames are read one at a time, so that memory does not grow with the recording.
  let summary = try RecordingConverter(.mcap).convert(
    recording, indices: Array(recording.frames.indices), path: output, existing: .replace,
    origin: name)
  print("\(summary.frameCount) frames and \(summary.motionCount) motion samples written")
  for frame in summary.skipped { print("left out \(frame.name): \(frame.reason)") }
  for aspect in summary.leftOut { print("left out in all frames: \(aspect.rawValue)") }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: RecordingToMCAP RECORDING OUT.mcap")
  exit(64)
}
do {
  try convert(CommandLine.arguments[1], to: CommandLine.arguments[2])
} catch {
  print("\(error)")
  exit(65)
}
