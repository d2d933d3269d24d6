package import Foundation

/// Where this checkout lies, found from this source file.
package enum PackageRoot {
  /// The folder that holds `Package.swift`.
  package static let url = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Files of real devices, which lie beside the checkout on some machines and never inside it.
///
/// `PLUMBLINE_DATA` names the folder; without it `../shared/data` beside the checkout, or beside
/// one of the two folders around it, is tried. Tests that need it carry
/// `.enabled(if: RealData.isPresent, "…")`, so that a checkout without it skips visibly.
package enum RealData {
  /// The folder, or `nil` where there is none.
  package static let folder: URL? = {
    if let named = ProcessInfo.processInfo.environment["PLUMBLINE_DATA"] {
      let url = URL(filePath: named, directoryHint: .isDirectory)
      return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
    var around = PackageRoot.url.standardizedFileURL
    for _ in 0..<3 {
      around.deleteLastPathComponent()
      let url = around.appending(path: "shared/data", directoryHint: .isDirectory)
      if FileManager.default.fileExists(atPath: url.path) { return url }
    }
    return nil
  }()

  /// Whether the folder exists.
  package static var isPresent: Bool { folder != nil }

  /// What a test says when it is skipped.
  package static let absence: String = "no real data: set PLUMBLINE_DATA or place ../shared/data"

  /// The place of one file, such as `photos/pug.heic`; throws when there is no folder.
  package static func url(_ path: String) throws -> URL {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return folder.appending(path: path)
  }

  /// All bytes of one file, such as `photos/pug.heic`.
  package static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url(path)))
  }

  /// Every regular file under a folder, sorted by path, so that runs repeat.
  package static func files(under path: String) throws -> [URL] {
    let root = try url(path)
    let walker = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    var files: [URL] = []
    while let file = walker?.nextObject() as? URL {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        files.append(file)
      }
    }
    return files.sorted { $0.path < $1.path }
  }
}
