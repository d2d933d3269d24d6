import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Recordings of the app Stray Scanner: a video of the color camera, numbered depth maps, and lists.
enum StrayScannerLayout: RecordingLayout {
  static let name = "Stray Scanner"
  static let signs = "odometry.csv with rgb.mp4, camera_matrix.csv or depth/000000.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool { prefix(names) != nil }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    try recording(from: folder, limits: limits, decoding: FFmpegDecoding())
  }

  /// The same with another decoder.
  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits, decoding: any VideoDecoding
  ) throws(CaptureReadingError) -> Recording {
    let names = Set(folder.fileNames)
    let prefix = prefix(names) ?? ""
    let recording = try StrayRecording(folder, prefix: prefix, limits: limits, decoding: decoding)
    let frames = recording.frames
    let motionName = prefix + "imu.csv"
    var motion: Recording.MotionReader?
    if names.contains(motionName) {
      motion = { () throws(CaptureReadingError) in
        do throws(CaptureReadingError) {
          return try StrayMotion.samples(try folder.bytes(of: motionName), limits: limits)
        } catch {
          throw error.inside(motionName)
        }
      }
    }
    return Recording(
      layout: name,
      frames: frames.map {
        RecordedFrame(
          name: StrayRecording.name($0.row.frame), timestampSeconds: $0.row.timestampSeconds)
      }, worldAxes: .yUp, findings: recording.findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      try frames[index].capture(of: recording, color: color)
    }
  }

  /// What stands before its files: nothing, or the one folder that an archive adds.
  private static func prefix(_ names: Set<String>) -> String? {
    let prefixes = names.filter { $0.hasSuffix("odometry.csv") }.map { $0.dropLast(12) }
      .filter { prefix in
        (prefix.isEmpty || prefix.hasSuffix("/")) && pathParts(String(prefix)).count <= 2
          && ["rgb.mp4", "camera_matrix.csv", "depth/000000.png", "depth/000000.npy"]
            .contains { names.contains("\(prefix)\($0)") }
      }
    return prefixes.contains("")
      ? "" : prefixes.count == 1 ? prefixes.first.map { String($0) } : nil
  }
}
