import PlumblineIO
package import PlumblineInference

/// Fetches the file of a model in parts, from one address after another, and goes on where it was cut off.
///
/// Each whole part is a file of the store, so that a second attempt begins behind the last one. A file of
/// a wrong checksum is removed, and the next address begins anew.
package struct ModelDownload: Sendable {
  /// A fetched file.
  package struct Result: Sendable {
    /// The whole file.
    package let bytes: [UInt8]
    /// Its SHA-256.
    package let sha256: String
    /// The address that gave its last part.
    package let address: String
  }

  /// The name of the model.
  package let name: String
  /// What is known of the file.
  package let source: ModelSource
  /// The store.
  let store: ModelStore
  /// A server that has the files under the same paths, in place of the official ones.
  package var mirror: String?
  /// Certificates and proxy.
  package var settings = DownloadSettings()
  /// The bytes of one part.
  var partBytes = 16 << 20
  /// How often a part is asked for at each address.
  var attempts = 3
  /// A server that gives next to nothing for so many seconds is left.
  package var stallSeconds = 30
  /// The maximum time for the whole file, in seconds; by default enough for 66 kB/s.
  package var secondsLimit: Int

  /// Prepares; nothing is fetched.
  package init(
    _ source: ModelSource, named name: String, in store: ModelStore, mirror: String? = nil
  ) {
    self.name = name
    self.source = source
    self.store = store
    self.mirror = mirror
    secondsLimit = max(900, (source.byteCount ?? 256 << 20) / 66_000)
  }

  /// The folder of the parts; its name tells what they are parts of.
  var folder: String {
    let key = SHA256Digest.hexadecimal(
      of: Array("\(source.addresses.first ?? "") \(partBytes)".utf8))
    return "\(store.folder)/downloads/\(name)-\(key.prefix(16))"
  }

  /// Fetches what is missing, and tests the checksum where one is known.
  ///
  /// - Parameter report: Receives the bytes that are there after each part, and the reason of each address
  ///   that failed.
  /// - Returns: The file.
  /// - Throws: ``InferenceError`` with the reason of each address. Blocks up to ``secondsLimit``.
  package func result(
    report: (_ received: Int, _ failure: String?) -> Void = { _, _ in }
  ) throws -> Result {
    let end = ContinuousClock.now + .seconds(secondsLimit)
    var parts = try DownloadedParts(folder: folder, partBytes: partBytes, store: store)
    var reasons: [String] = []
    for official in source.addresses {
      let address = mirror.map { ModelSource.address(official, at: $0) } ?? official
      do throws(AddressRequest.Failure) {
        try fetch(from: address, into: &parts, until: end) { report($0, nil) }
        let bytes = try parts.bytes()
        let digest = SHA256Digest.hexadecimal(of: bytes)
        if let known = source.sha256, known != digest {
          try parts.removeAll()
          throw .other("the file has the SHA-256 \(digest), not \(known)")
        }
        return Result(bytes: bytes, sha256: digest, address: address)
      } catch {
        let reason = "\(address): \(error.words)"
        reasons.append(reason)
        report(parts.byteCount, reason)
      }
    }
    throw InferenceError(
      .notInstalled, name, expected: "the file from one of \(source.addresses.count) addresses",
      found: printable(text: reasons.joined(separator: "; ")), need: .file(name))
  }

  /// Removes the parts, once the file is installed.
  package func removeParts() throws {
    var parts = try DownloadedParts(folder: folder, partBytes: partBytes, store: store)
    do throws(AddressRequest.Failure) { try parts.removeAll() } catch {
      throw InferenceError(
        .failed, name, expected: "parts that can be removed", found: error.words)
    }
  }

  /// Asks one address for all that is missing.
  private func fetch(
    from address: String, into parts: inout DownloadedParts,
    until end: ContinuousClock.Instant, report: (Int) -> Void
  ) throws(AddressRequest.Failure) {
    let most = source.byteCount ?? ModelFile.maximumByteCount
    while !parts.isComplete(of: source.byteCount) {
      let first = parts.byteCount
      guard first < most else { throw .other("the file has more than \(most) bytes") }
      let wanted = first..<min(first + partBytes, most)
      let (bytes, isWhole) = try part(wanted, of: address, until: end)
      guard !bytes.isEmpty || !parts.isEmpty else { throw .other("the file is empty") }
      if isWhole {
        try parts.replace(by: bytes)
      } else {
        try parts.append(bytes)
      }
      report(parts.byteCount)
      let isLast = isWhole || bytes.count < partBytes
      if isLast, let known = source.byteCount, parts.byteCount != known {
        let count = parts.byteCount
        if isWhole { try parts.removeAll() } else { try parts.removeLast() }
        throw .other("the server has \(count) bytes of the \(known)")
      }
      if isLast { return }
    }
  }

  /// A part, or the whole file from a server that knows no parts.
  private func part(
    _ wanted: Range<Int>, of address: String, until end: ContinuousClock.Instant
  ) throws(AddressRequest.Failure) -> (bytes: [UInt8], isWhole: Bool) {
    var failure = AddressRequest.Failure.other("no time is left")
    for _ in 0..<attempts {
      let seconds = Int((end - .now).components.seconds)
      guard seconds > 0 else { break }
      var request = AddressRequest(
        address: address, part: wanted, byteLimit: wanted.count, seconds: seconds,
        stallSeconds: stallSeconds, settings: settings)
      do throws(AddressRequest.Failure) {
        let response = try request.response()
        if response.isPart { return (response.bytes, false) }
        // The whole file, which is no longer than one part.
        return (response.bytes, true)
      } catch {
        switch error {
        // A file whose size is not known ends with a whole part.
        case .behindEnd where source.byteCount == nil && wanted.lowerBound > 0: return ([], false)
        case .behindEnd: throw error
        case .tooMuch:
          request = AddressRequest(
            address: address, byteLimit: source.byteCount ?? ModelFile.maximumByteCount,
            seconds: seconds, stallSeconds: stallSeconds, settings: settings)
          return (try request.response().bytes, true)
        case .other: failure = error
        }
      }
    }
    throw failure
  }
}
