import PlumblineImages
import PlumblineIO
import PlumblineModel

/// Folders of photos, sorted by their names.
enum PhotoFolderLayout: RecordingLayout {
  static let name = "photos"
  static let signs = "HEIC and JPEG photos"

  static func recognizes(
    _ folder: any CaptureFolder, names: Set<String>, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Bool {
    folder.topFileNames.contains(where: isPhoto)
  }

  private static func isPhoto(_ name: String) -> Bool {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
    return CaptureReader.photoEndings.contains(name[name.index(after: dot)...].lowercased())
  }

  static func recording(
    from folder: any CaptureFolder, limits: ReadingLimits
  ) throws(CaptureReadingError) -> Recording {
    let photos = folder.topFileNames.filter(isPhoto)
    // This check precedes the sorting, which takes longest.
    try limits.require(photos.count, atMost: limits.sequenceFrames, "frames")
    let names = photos.sorted(by: NaturalOrder.precedes)
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
