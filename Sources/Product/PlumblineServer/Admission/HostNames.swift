internal import NIOCore

/// The names by which a server may be requested.
struct HostNames: Sendable {
  /// In lower case, IPv6 addresses in brackets.
  let all: Set<String>
  /// The one for links.
  let printed: String
  /// The addresses and the other names, for a certificate.
  let addresses: [String]
  let names: [String]
  /// Those of both by which a kept certificate is checked: without this machine's own IPv6 addresses,
  /// many of which change every day (RFC 8981).
  let lasting: [String]

  init(_ settings: ServerSettings) {
    let isAny = ["0.0.0.0", "::"].contains(settings.host)
    // Numbers cannot be pointed elsewhere by anybody, so all of this machine's own are allowed.
    let own = isAny ? Self.ownAddresses() : []
    let given = settings.hostNames.filter { ServerSettings.isHostName($0) }
    var addresses = ["127.0.0.1", "::1"] + own + given.filter { Self.isAddress($0) }
    var names = ["localhost"] + given.filter { !Self.isAddress($0) }
    if !settings.isLoopback, !isAny {
      if Self.isAddress(settings.host) {
        addresses.append(settings.host)
      } else {
        names.append(settings.host)
      }
    }
    // This machine's own addresses hold those of loopback.
    self.addresses = Self.distinct(addresses)
    self.names = Self.distinct(names)
    let passing = Set(own.filter { $0.contains(":") && $0 != "::1" }).subtracting(given)
    lasting = (self.addresses.filter { !passing.contains($0) } + self.names).map { $0.lowercased() }
    all = Set((addresses.map { Self.written($0) } + names).map { $0.lowercased() })
    let reachable = own.first { !$0.contains(":") && !$0.hasPrefix("127.") } ?? own.first
    printed = isAny ? reachable ?? "127.0.0.1" : settings.isLoopback ? "127.0.0.1" : settings.host
  }

  private static func distinct(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0.lowercased()).inserted }
  }

  /// A host as it stands in an address: IPv6 in brackets.
  static func written(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  static func isAddress(_ host: String) -> Bool {
    (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Those that come from this network alone (`fe80::`) need a zone and are left out.
  private static func ownAddresses() -> [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap { $0.address?.ipAddress }.filter { !$0.hasPrefix("fe80") }
  }
}
