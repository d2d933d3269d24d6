import PlumblineImages
import PlumblineIO
internal import PlumblineModel
import PlumblineRecordings

/// Several networks in one file, as MediaPipe's `.task` files are: a ZIP archive of TFLite models.
///
/// - Source: Google, *MediaPipe Model Maker* and the files themselves, whose entries are stored.
package struct ModelBundle: Sendable {
  /// The name of the file, for errors.
  package let name: String
  /// The names of its parts in ascending order.
  package let partNames: [String]
  private let archive: ZIPArchive
  private let limits: ReadingLimits

  /// The most parts that a bundle may have; MediaPipe's have four.
  package static let maximumPartCount = 64
  /// The most bytes that a part may have; MediaPipe's largest for faces has 2.6 MB.
  package static let maximumPartByteCount = 64 << 20

  /// Whether a file starts as such files do.
  ///
  /// MediaPipe's start with up to three zeros, which bring the networks behind them to whole words.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    ZIPArchive.recognizes(bytes.prefix(7).drop { $0 == 0 })
  }

  /// Reads the directory of a bundle.
  ///
  /// - Throws: `.malformed` for another file, one that was cut off, or one over the limits.
  package init(_ file: ModelFile) throws(InferenceError) {
    var limits = ReadingLimits()
    limits.archiveEntries = Self.maximumPartCount
    limits.fileBytes = Self.maximumPartByteCount
    limits.archiveInflatedBytes = Self.maximumPartByteCount
    limits.archiveBytes = 4 * Self.maximumPartByteCount
    guard Self.recognizes(file.bytes) else {
      throw InferenceError(
        .malformed, file.name, expected: "a bundle of networks, which is a ZIP archive",
        found: file.bytes.isEmpty ? "an empty file" : "another file")
    }
    do throws(CaptureReadingError) {
      archive = try ZIPArchive(MemoryBytes(file.bytes), limits: limits)
    } catch {
      throw InferenceError(
        .malformed, file.name, expected: "a bundle of networks", found: error.description)
    }
    // Without its directory nothing says that the parts are all there.
    guard archive.findings.isEmpty else {
      throw InferenceError(
        .malformed, file.name, expected: "a whole archive",
        found: archive.findings.map(\.message).joined(separator: "; "))
    }
    name = file.name
    partNames = archive.fileNames
    self.limits = limits
  }

  /// One network of the bundle, its checksum in the archive tested and its tables checked.
  ///
  /// - Throws: `.malformed` for a part that is not there, damaged, or no TFLite model. Cost: the part is
  ///   copied once.
  package func network(named part: String) throws(InferenceError) -> ModelFile {
    let bytes: [UInt8]
    do throws(CaptureReadingError) { bytes = try archive.bytes(of: part) } catch {
      throw InferenceError(
        .malformed, name, expected: "the network \(printable(text: part))",
        found: error.description)
    }
    do throws(InferenceError) { _ = try TFLiteModel(bytes) } catch {
      throw error.inside("\(name)/\(printable(text: part))")
    }
    return ModelFile(name: part, bytes: bytes)
  }
}
