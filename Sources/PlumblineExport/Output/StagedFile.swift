/// A file that is being written under a temporary name; see ``OutputTransaction``.
public struct StagedFile: ~Copyable {
  let path: String
  let descriptor: Int32
  let operations: FileOperations

  /// Appends bytes; every byte is on its way to the disk when this returns.
  ///
  /// - Throws: `.inputOutput`, such as for a full disk.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    var failure: SystemFailure?
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      do throws(SystemFailure) {
        while !rest.isEmpty {
          let count = try operations.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
          guard count > 0 else { throw .inputOutput }
          rest = rest.dropFirst(count)
        }
      } catch { failure = error }
    }
    if let failure { throw OutputError(.inputOutput, path: path, detail: failure.text) }
  }
}
