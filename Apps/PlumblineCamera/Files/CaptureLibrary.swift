import Foundation
import UIKit

/// The files in the app's Documents folder, which the Files app shows too.
enum CaptureLibrary {
  /// What the screens write.
  private static let extensions: Set<String> = [
    "mcap", "partial", "heic", "jpg", "mov", "glb", "obj", "ply", "json",
  ]

  /// The folder.
  static var folder: URL { .documentsDirectory }

  /// Its files, the newest name first.
  static var files: [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (found ?? [])
      .filter { Self.extensions.contains($0.pathExtension) }
      .sorted { $0.lastPathComponent > $1.lastPathComponent }
  }

  /// The room that the system would make for something important; `nil` where it does not say.
  static var freeBytes: Int64? {
    let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
    return values?.volumeAvailableCapacityForImportantUsage
  }

  /// The time now as names have it, such as `2026-11-22T034512Z`.
  static var time: String {
    Date.now.formatted(Date.ISO8601FormatStyle(timeSeparator: .omitted))
  }

  /// A name by the time, such as `2026-11-22T034512Z.mcap`.
  static func newName(extension: String) -> String { time + "." + `extension` }

  /// Writes a file of a shot.
  ///
  /// - Returns: Why not; `nil` when it is there.
  static func store(_ bytes: [UInt8], name: String) -> String? {
    do {
      try Data(bytes).write(to: folder.appending(path: name), options: .atomic)
      return nil
    } catch { return error.localizedDescription }
  }

  /// Moves a file of a shot into the folder, such as the movie of a Live Photo.
  ///
  /// - Returns: Why not; `nil` when it is there.
  static func move(from path: String, name: String) -> String? {
    do {
      try FileManager.default.moveItem(
        at: URL(fileURLWithPath: path), to: folder.appending(path: name))
      return nil
    } catch { return error.localizedDescription }
  }

  /// Removes a file.
  ///
  /// - Returns: Why not; `nil` when it is gone.
  static func remove(_ url: URL) -> String? {
    do { try FileManager.default.removeItem(at: url) } catch { return error.localizedDescription }
    return nil
  }
}
