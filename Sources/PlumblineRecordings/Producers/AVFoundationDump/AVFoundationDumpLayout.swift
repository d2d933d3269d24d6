import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The folders of ``AVFoundationDump``.
enum AVFoundationDumpLayout: RecordingLayout {
  static let name = AVFoundationDump.layout
  static let signs = "DepthMetadata.json, depth_T.png and rgb_T.png"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    AVFoundationDump.recognizes(folder.topFileNames)
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let dump = try AVFoundationDump(folder, limits: limits)
    let frames = dump.frames
    return Recording(
      layout: name,
      frames: frames.map { frame in
        RecordedFrame(
          name: "\(frame.timestamp)", timestampSeconds: Double(frame.timestamp) / 1000)
      },
      boardSquareMeters: dump.boardSquareMeters, findings: dump.findings,
      motion: DumpedMotion.reader(folder, limits: limits)
    ) { index, color throws(CaptureReadingError) in
      try frames[index].capture(from: folder, limits: limits, color: color)
    }
  }
}
