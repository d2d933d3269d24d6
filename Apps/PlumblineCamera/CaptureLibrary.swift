import Foundation
import UIKit

/// The files in the app's Documents folder, which the Files app shows too.
enum CaptureLibrary {
  /// The folder.
  static var folder: URL { .documentsDirectory }

  /// Its files, the newest name first.
  static var files: [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (found ?? [])
      .filter { ["mcap", "partial", "heic"].contains($0.pathExtension) }
      .sorted { $0.lastPathComponent > $1.lastPathComponent }
  }

  /// The room that the system would make for something important; `nil` where it does not say.
  static var freeBytes: Int64? {
    let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
    return values?.volumeAvailableCapacityForImportantUsage
  }

  /// A name by the time, such as `2026-11-22T034512Z.mcap`.
  static func newName(extension: String) -> String {
    Date.now.formatted(Date.ISO8601FormatStyle(timeSeparator: .omitted)) + "." + `extension`
  }

  /// Writes the files of one photo.
  ///
  /// - Returns: What came of it, in words.
  static func store(_ photos: [[UInt8]], extension: String) -> String {
    let name = newName(extension: `extension`)
    do {
      for (index, photo) in photos.enumerated() {
        let url = folder.appending(path: index == 0 ? name : "\(index + 1)-" + name)
        try Data(photo).write(to: url, options: .atomic)
      }
    } catch { return error.localizedDescription }
    return photos.count == 1 ? "\(name) is stored" : "\(name) is stored, \(photos.count) files"
  }

  /// Removes a file.
  ///
  /// - Returns: Why not; `nil` when it is gone.
  static func remove(_ url: URL) -> String? {
    do { try FileManager.default.removeItem(at: url) } catch { return error.localizedDescription }
    return nil
  }
}
