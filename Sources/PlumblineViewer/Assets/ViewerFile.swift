internal import CViewerAssets

/// A hand-written file of the pages, as the linker placed it in the binary.
public struct ViewerFile: Sendable {
  /// The bytes.
  public let bytes: [UInt8]

  /// Finds a file by its name, such as `cloud.js`; `nil` for a name that is none.
  public init?(named name: String) {
    let asset = plumbline_viewer_file(name)
    guard let start = asset.bytes else { return nil }
    bytes = Array(UnsafeBufferPointer(start: start, count: asset.count))
  }
}
