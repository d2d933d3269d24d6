package import Foundation
package import PlumblineIO
import PlumblineRecordings
/// A real folder as readers of sequences see it, for tests of the formats alone.
package struct DiskFolder: CaptureFolder {
  private let url: URL
  /// The paths of its files, those of folders inside too, in ascending order of their bytes.
  package let fileNames: [String]

  /// Lists a folder.
  package init(_ url: URL) throws {
    self.url = url
    fileNames = try FileManager.default.subpathsOfDirectory(atPath: url.path)
      .filter { name in
        var isFolder: ObjCBool = false
        let path = url.appending(path: name).path
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
          && !isFolder.boolValue
      }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All bytes of a file.
  package func bytes(of fileName: String) throws(CaptureReadingError) -> [UInt8] {
    guard let data = try? Data(contentsOf: url.appending(path: fileName)) else {
      throw CaptureReadingError(.missing, expected: "the file \(fileName)", found: "none")
    }
    return [UInt8](data)
  }
}
