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
    let kept = parts.isEmpty ? "" : "; \(parts.byteCount) bytes are kept for the next attempt"
    throw InferenceError(
      .notInstalled, name,
      expected: source.addresses.count == 1
        ? "the file from its address" : "the file from one of \(source.addresses.count) addresses",
      found: printable(text: reasons.joined(separator: "; ")) + kept, need: .file(name))
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
      guard first < most else { throw .otherFile("the file has more than \(most) bytes") }
      let wanted = first..<min(first + partBytes, most)
      let isWhole = try attempt(until: end) { seconds throws(AddressRequest.Failure) in
        try request(wanted, of: address, seconds: seconds, into: &parts, report: report)
      }
      guard !parts.isEmpty else { throw .other("the file is empty") }
      let isLast = isWhole || parts.byteCount < wanted.upperBound
      if isLast, let known = source.byteCount, parts.byteCount != known {
        let count = parts.byteCount
        if isWhole { try parts.removeAll() } else { try parts.removeLast() }
        throw .otherFile("the server has \(count) bytes of the \(known)")
      }
      if isLast { return }
    }
  }

  /// Makes an attempt again where it failed for a reason that may pass.
  private func attempt(
    until end: ContinuousClock.Instant,
    _ work: (_ seconds: Int) throws(AddressRequest.Failure) -> Bool
  ) throws(AddressRequest.Failure) -> Bool {
    var failure = AddressRequest.Failure.other("no time is left")
    for _ in 0..<attempts {
      let seconds = Int((end - .now).components.seconds)
      guard seconds > 0 else { break }
      do throws(AddressRequest.Failure) { return try work(seconds) } catch {
        guard case .other = error else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// Fetches one part, or the whole file from a server that knows no parts, which is written part by part too.
  ///
  /// - Returns: Whether the whole file came.
  private func request(
    _ wanted: Range<Int>, of address: String, seconds: Int, into parts: inout DownloadedParts,
    report: (Int) -> Void
  ) throws(AddressRequest.Failure) -> Bool {
    let request = AddressRequest(
      address: address, part: wanted, seconds: seconds, stallSeconds: stallSeconds,
      settings: settings)
    var isWhole = false
    var index = 0
    var received = 0
    // A part counts once the server has ended well.
    var part: [UInt8] = []
    do throws(AddressRequest.Failure) {
      try request.fetch(pieceBytes: partBytes) { head throws(AddressRequest.Failure) in
        try check(head, wanted)
        isWhole = !head.isPart
      } receive: { piece throws(AddressRequest.Failure) in
        received += piece.count
        guard received <= (isWhole ? source.byteCount ?? ModelFile.maximumByteCount : wanted.count)
        else { throw .otherFile("the server sends more bytes than were asked for") }
        guard isWhole else {
          part += piece
          return
        }
        try parts.put(piece, at: index)
        index += 1
        report(parts.byteCount)
      }
    } catch {
      // A file whose size is not known ends with a whole part.
      if case .behindEnd = error, source.byteCount == nil, wanted.lowerBound > 0 { return false }
      if case .otherFile = error, isWhole { try parts.removeAll() }
      throw error
    }
    if isWhole {
      try parts.removeAll(from: index)
    } else {
      try parts.append(part)
      report(parts.byteCount)
    }
    return isWhole
  }

  /// Compares what a server says of its file with what is known, before the bytes come.
  private func check(
    _ head: ResponseHead, _ wanted: Range<Int>
  ) throws(AddressRequest.Failure) {
    if let known = source.byteCount, let count = head.fileBytes, count != known {
      throw .otherFile(
        count < known
          ? "the server has \(count) bytes of the \(known)"
          : "the server has \(count) bytes, more than the \(known) of the file")
    }
    if let count = head.fileBytes, count > ModelFile.maximumByteCount {
      throw .otherFile("the server has \(count) bytes, more than any file that is read")
    }
    if head.isPart, let first = head.first, first != wanted.lowerBound {
      throw .other("the server sends a part from byte \(first), not \(wanted.lowerBound)")
    }
  }
}
