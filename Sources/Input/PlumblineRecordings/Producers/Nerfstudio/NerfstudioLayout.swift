import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Data sets of nerfstudio and its relatives: `transforms.json`; see
/// `Documentation/formats/nerfstudio.md`.
enum NerfstudioLayout: RecordingLayout {
  static let name = "nerfstudio"
  static let signs = "transforms.json"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    folder.pathOfFolder(withFileAtDepth: 0) { $0 == "transforms.json" } != nil
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    guard
      let path = folder.pathOfFolder(withFileAtDepth: 0, where: { $0 == "transforms.json" })
    else { throw CaptureReadingError(.missing, path: [name], expected: signs, found: "none") }
    let scene = Subfolder(folder, path: path)
    let set: NerfstudioSet
    do throws(CaptureReadingError) {
      set = try NerfstudioSet(
        try scene.bytes(of: "transforms.json")[...], files: Set(scene.fileNames), limits: limits)
    } catch {
      throw error.inside("transforms.json")
    }
    let frames = set.frames
    let names = Recording.frameNames(ofPaths: frames.map(\.name))
    return Recording(
      layout: name,
      frames: zip(names, frames).map {
        RecordedFrame(name: $0, timestampSeconds: $1.frame.timestampSeconds)
      },
      worldAxes: set.worldAxes, findings: set.findings
    ) { index, color throws(CaptureReadingError) in
      try frames[index].frame.capture(from: scene, limits: limits, color: color)
    }
  }
}
