/// A file that is being written under a temporary name; see ``OutputTransaction``.
public struct StagedFile: ~Copyable {
  package let path: String
  package let descriptor: Int32
  let operations: FileOperations

  /// Appends bytes; every byte is on its way to the disk when this returns.
  ///
  /// - Throws: `.inputOutput`, such as for a full disk.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    do throws(SystemFailure) { try operations.writeAll(bytes[...], to: descriptor) } catch {
      throw OutputError(.inputOutput, path: path, detail: error.text)
    }
  }
}
