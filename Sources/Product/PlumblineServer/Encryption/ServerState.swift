import PlumblineIO

/// What servers of one user keep between their starts: a certificate, and word of when everything that
/// was given out became void.
public struct ServerState: Hashable, Sendable {
  /// The folder that holds it; only its user may put files into it.
  public let folder: String

  private static let stampByteLimit = 64
  private var stampPath: String { folder + "/revoked" }

  /// Names a folder; nothing is made yet.
  public init(folder: String) { self.folder = folder }

  /// The folder that an environment names: `plumbline` in `XDG_STATE_HOME`, else
  /// `.local/state/plumbline` in `HOME`.
  ///
  /// - Returns: `nil` where neither is set to an absolute path.
  /// - Source: freedesktop.org, *XDG Base Directory Specification*.
  public init?(environment: [String: String]) {
    func path(_ key: String) -> String? {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard
      let folder = path("XDG_STATE_HOME").map({ $0 + "/plumbline" })
        ?? path("HOME").map({ $0 + "/.local/state/plumbline" })
    else { return nil }
    self.folder = folder
  }

  /// A word that changes with each ``revoke()``; `nil` before the first one.
  ///
  /// A file that others could have written says nothing.
  public var revocation: String? {
    (try? PrivateFile.read(stampPath, byteLimit: Self.stampByteLimit)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Makes everything void that was given out: servers that run draw a new token when they see it, and
  /// the next one with TLS makes a new certificate.
  ///
  /// - Throws: ``ServerError/state(detail:)``.
  public func revoke() throws(ServerError) {
    let certificate = KeptCertificate.path(in: folder)
    do throws(PrivateFile.Fault) {
      try PrivateFile.write(Array(AccessToken().text.utf8), to: stampPath, in: folder)
    } catch {
      throw .state(detail: error.detail)
    }
    do throws(SystemFailure) { try FileOperations.system.remove(certificate) } catch {
      if !error.isMissing { throw .state(detail: "\(certificate): \(error.text)") }
    }
  }
}
