import PlumblineModel

/// Folders of photos, in the order of their names.
enum PhotoFolderLayout: RecordingLayout {
  static let name = "photos"
  static let signs = "HEIC and JPEG photos"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    !photoFiles(folder).isEmpty
  }

  private static func photoFiles(_ folder: any CaptureFolder) -> [String] {
    let endings = ["heic", "heif", "hif", "jpg", "jpeg"]
    return folder.topFileNames.filter { name in
      guard let dot = name.lastIndex(of: ".") else { return false }
      return endings.contains(name[name.index(after: dot)...].lowercased())
    }.sorted(by: NaturalOrder.precedes)
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let names = photoFiles(folder)
    try limits.require(names.count, atMost: limits.sequenceFrames, "frames")
    var findings = [
      Finding(
        .sequenceTimeUnknown, .note,
        "photos are in the order of their names, numbers compared as numbers",
        evidence: "\(names.count) photos")
    ]
    let others = folder.fileNames.count - names.count
    if others > 0 {
      findings.append(
        Finding(
          .sequenceOtherFiles, .note, "\(others) other files are left aside",
          evidence: Recording.summary(of: folder.fileNames)))
    }
    return Recording(layout: name, frames: Recording.frames(named: names), findings: findings) {
      index, color throws(CaptureReadingError) in
      do throws(CaptureReadingError) {
        return try CaptureReader(limits: limits, color: color, threads: 1)
          .capture(from: try folder.bytes(of: names[index]))
      } catch {
        throw error.inside(names[index])
      }
    }
  }
}
