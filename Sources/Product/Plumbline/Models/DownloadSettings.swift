/// How a download leaves this machine: the certificates that are trusted and the proxy on the way.
///
/// Programs that are started here get no environment of the caller, so what it says is handed over by name.
package struct DownloadSettings: Sendable, Hashable {
  /// A file with certificates (PEM) in place of the system's; `nil` for the system's.
  package var certificates: String?
  /// A proxy, such as `http://proxy.example:3128`; `nil` for none.
  ///
  /// This machine itself is reached without it.
  package var proxy: String?

  /// Creates settings.
  package init(certificates: String? = nil, proxy: String? = nil) {
    self.certificates = certificates
    self.proxy = proxy
  }

  /// The settings of an environment, by the variables that `curl` knows.
  ///
  /// - Parameter variable: The value of a variable; `nil` where it is not set.
  /// - Returns: The settings; values with control characters are ignored, as no path or address has them.
  package static func of(environment variable: (String) -> String?) -> DownloadSettings {
    func first(_ names: [String]) -> String? {
      names.compactMap(variable).first { value in
        !value.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      }
    }
    return DownloadSettings(
      certificates: first(["CURL_CA_BUNDLE", "SSL_CERT_FILE"]),
      proxy: first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]))
  }

  /// The lines of a configuration of `curl`.
  var lines: [String] {
    var lines: [String] = []
    if let certificates { lines.append("cacert = \"\(Self.escaped(certificates))\"") }
    if let proxy {
      lines += ["proxy = \"\(Self.escaped(proxy))\"", "noproxy = \"127.0.0.1,localhost\""]
    }
    return lines
  }

  /// A text inside quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
