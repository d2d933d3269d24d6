package import PlumblineInference
import PlumblineIO

/// Fetches a wheel by a program of its own process, `curl` or else `wget`.
///
/// Nothing is linked for it, and proxies and certificates are those that the system's programs know.
/// See `Documentation/decisions/0023-networks-are-run-by-openvino-loaded-when-asked.md`.
package struct WheelDownload: Sendable {
  /// The wheel.
  package let wheel: PackageWheel
  /// An index as `pip` uses it, such as `https://pypi.org/simple`; `nil` for PyPI itself.
  package let index: String?
  /// Certificates and proxy, for `curl`.
  package var settings = DownloadSettings()

  /// The most bytes that are read; the runtime's wheel has 59 MB.
  static let maximumByteCount = 256 << 20
  /// The time that page and wheel may take together: 59 MB at 66 kB/s.
  static let secondsLimit = 900

  /// Takes a wheel.
  package init(_ wheel: PackageWheel, index: String? = nil) {
    self.wheel = wheel
    self.index = index.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// Takes a runtime's wheel for this machine.
  ///
  /// - Throws: ``InferenceError`` where there is none.
  package static func runtime(
    _ runtime: InstalledRuntime = .openVINO, index: String? = nil
  ) throws(InferenceError) -> WheelDownload {
    guard let wheel = runtime.wheelForThisMachine else {
      throw InferenceError(
        .unsupported, runtime.title, expected: "Linux on x86_64 or aarch64",
        found: "another machine")
    }
    return WheelDownload(wheel, index: index)
  }

  /// Fetches the wheel and tests its checksum; nothing touches the disk.
  ///
  /// - Returns: The bytes.
  /// - Throws: ``InferenceError`` with what to do.
  package func bytes() throws(InferenceError) -> [UInt8] {
    let end = ContinuousClock.now + .seconds(Self.secondsLimit)
    var place = wheel.url ?? ""
    if let index {
      let base = "\(index)/\(wheel.project)/"
      place = try link(in: fetch(base, byteLimit: 16 << 20, until: end), base: base)
    }
    let bytes = try fetch(place, byteLimit: Self.maximumByteCount, until: end)
    let digest = SHA256Digest.hexadecimal(of: bytes)
    guard digest == wheel.sha256 else {
      throw InferenceError(
        .mismatch, wheel.fileName, expected: "SHA-256 \(wheel.sha256)",
        found: "\(digest) of \(bytes.count) bytes; nothing was installed")
    }
    return bytes
  }

  /// The link of an index page that leads to the wheel.
  ///
  /// - Source: PEP 503, *Simple Repository API*.
  func link(in page: [UInt8], base: String) throws(InferenceError) -> String {
    let text = String(decoding: page, as: UTF8.self)
    for part in text.split(separator: "href=\"").dropFirst() {
      let reference = part.prefix { $0 != "\"" && $0 != "#" }
      guard reference.hasSuffix("/" + wheel.fileName) || reference == wheel.fileName else {
        continue
      }
      return Self.resolved(String(reference), base: base)
    }
    throw InferenceError(
      .notInstalled, wheel.fileName, expected: "a link to it on the index's page", found: "none")
  }

  /// A reference from a page as a whole address.
  static func resolved(_ reference: String, base: String) -> String {
    if reference.hasPrefix("http://") || reference.hasPrefix("https://") { return reference }
    let parts = base.split(separator: "/", omittingEmptySubsequences: false)
    // Scheme, nothing, host.
    let host = parts.prefix(3).joined(separator: "/")
    if reference.hasPrefix("/") { return host + reference }
    var path = Array(parts.dropFirst(3).dropLast())
    for step in reference.split(separator: "/") {
      if step == ".." { _ = path.popLast() } else if step != "." { path.append(step) }
    }
    return host + "/" + path.joined(separator: "/")
  }

  private func fetch(
    _ place: String, byteLimit: Int, until end: ContinuousClock.Instant
  ) throws(InferenceError) -> [UInt8] {
    guard place.hasPrefix("https://") || place.hasPrefix("http://"),
      place.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
    else {
      throw InferenceError(
        .mismatch, "the index", expected: "an address that begins with https://",
        found: printable(text: Self.withoutSecrets(place)))
    }
    // The address goes in by standard input: an index's may hold a password, and arguments can be read
    // by others.
    let programs: [(name: String, arguments: [String], input: String)] = [
      (
        "curl",
        [
          "--fail", "--silent", "--show-error", "--location", "--retry", "2",
          "--connect-timeout", "30", "--config", "-",
        ],
        (["url = \"\(place)\""] + settings.lines).joined(separator: "\n") + "\n"
      ),
      ("wget", ["--quiet", "--timeout=60", "--tries=3", "-O", "-", "-i", "-"], place + "\n"),
    ]
    var failure: ProgramFailure?
    for program in programs {
      do throws(ProgramFailure) {
        return try ProgramAnswer(
          of: program.name, program.arguments, input: Array(program.input.utf8),
          seconds: max(1, Int((end - .now).components.seconds)), byteLimit: byteLimit
        ).bytes
      } catch {
        if case .absent = error { continue }
        failure = error
        break
      }
    }
    throw InferenceError(
      .notInstalled, wheel.fileName,
      expected: "a download from \(printable(text: Self.withoutSecrets(place)))",
      found: failure?.detail ?? "neither curl nor wget on the path", need: .wheel(wheel))
  }

  /// An address without a name and password before its host.
  static func withoutSecrets(_ place: String) -> String {
    guard let scheme = place.firstRange(of: "://") else { return place }
    let rest = place[scheme.upperBound...]
    let host = rest.prefix { $0 != "/" }
    guard let at = host.lastIndex(of: "@") else { return place }
    return String(place[..<scheme.upperBound] + rest[rest.index(after: at)...])
  }
}
