import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The folders of ``StandardCyborgFolder``.
enum StandardCyborgLayout: RecordingLayout {
  static let name = StandardCyborgFrame.layout
  static let signs = "PLY files with depths, one a frame"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    try StandardCyborgFolder(folder, limits: limits) != nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard let frames = try StandardCyborgFolder(folder, limits: limits) else {
      throw CaptureReadingError(
        .missing, path: [name], expected: "PLY files with depths", found: "none")
    }
    let names = frames.fileNames
    let colorFiles = frames.colorFiles
    let motion = StandardCyborgMotion.reader(folder, limits: limits)
    return Recording(
      layout: name,
      frames: zip(Recording.frameNames(ofFiles: names), frames.timestampsSeconds).map {
        RecordedFrame(name: $0, timestampSeconds: $1)
      },
      // Core Motion's reference frame stands upright; the frames themselves have no poses.
      worldAxes: motion == nil ? .unknown : .zUp, findings: frames.findings, motion: motion
    ) { index, color throws(CaptureReadingError) in
      let name = names[index]
      var capture: Capture
      do throws(CaptureReadingError) {
        capture = try StandardCyborgFrame(try folder.bytes(of: name)[...], limits: limits)
          .capture(color: colorFiles[name] == nil ? color : .none)
      } catch {
        throw error.inside(name)
      }
      if let colorFile = colorFiles[name] {
        try ColorFile(name: colorFile, folder: folder, limits: limits, request: color)
          .add(to: &capture)
      }
      return capture
    }
  }
}
