import ArgumentParser
import Plumbline

/// The options of commands that take poses from a file.
struct PoseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the poses of this file in place of the recording's own.",
      discussion: """
        What fuse --write-poses wrote, or lines of timestamp tx ty tz qx qy qz qw in meters. Frames \
        without a pose there are left out.
        """,
      valueName: "FILE"), completion: .file(extensions: ["json", "txt", "tum"]))
  var poses: String?

  @Flag(
    name: .customLong("keep-unposed"),
    help: "Keep the frames that --poses has no pose of, without one.")
  var keepsUnposed = false

  mutating func validate() throws {
    if keepsUnposed, poses == nil {
      throw ValidationError("--keep-unposed is about the frames that --poses does not know.")
    }
  }

  /// The recording with the poses of the file; `nil` without `--poses`.
  func posed(_ recording: Recording) throws -> PosedRecording? {
    guard let poses else { return nil }
    let read = try RecordingPoses(path: poses)
    if read.otherWorldCount > 0 {
      StandardError.print(
        "plumbline: \(read.otherWorldCount.counting("pose")) of other surfaces than the first are not used: "
          + "their places in its world are not known")
    }
    return try recording.posed(by: read)
  }

  /// The frames that are written, and a line about the others.
  func posed(_ indices: [Int], of posed: PosedRecording) throws -> [Int] {
    let known = Set(posed.posedIndices)
    let written = indices.filter(known.contains)
    let missing = indices.count - written.count
    if missing > 0 {
      StandardError.print(
        "plumbline: \(missing) of \(indices.count.counting("frame")) have no pose in "
          + "\(printable(text: poses ?? "")) and are "
          + (keepsUnposed ? "written without one" : "left out; --keep-unposed keeps them"))
    }
    guard !written.isEmpty || keepsUnposed else {
      throw PosesFileError(
        path: poses ?? "", expected: "poses of the chosen frames", found: "none of them")
    }
    return keepsUnposed ? indices : written
  }
}
