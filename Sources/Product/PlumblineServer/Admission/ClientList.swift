import PlumblineCapture
import PlumblineIO

/// The connected clients, as `/api/clients` lists them, and the end of one of them.
///
/// A client is a login with all its connections; without a login, a WebSocket, or all other connections
/// of one address.
struct ClientList: Sendable {
  /// What a client is called in a path: `s` and the number of a login, `c` and that of a connection.
  enum Name: Hashable, Sendable {
    case session(Int)
    case connection(Int)

    init?(_ text: some StringProtocol) {
      guard let number = Int(text.dropFirst()), number > 0, text.dropFirst().first != "+" else {
        return nil
      }
      switch text.first {
      case "s": self = .session(number)
      case "c": self = .connection(number)
      default: return nil
      }
    }

    var text: String {
      switch self {
      case .session(let number): "s\(number)"
      case .connection(let number): "c\(number)"
      }
    }
  }

  /// The requester: one at this machine sees and ends all clients, others only themselves.
  struct Asker: Sendable {
    var connection: Int
    var session: Int?
    var isHere: Bool
  }

  private struct Client {
    var name: Name
    var address: String
    var kind: ClientKind
    var since: ContinuousClock.Instant
    var connections: [Int]
    /// Whether it is all the connections of an address that are no WebSockets.
    var isOfRequests = false
  }

  let secrets: AccessSecrets?
  let registry: ConnectionRegistry
  let fingerprint: CertificateFingerprint?

  /// The document, `plumbline.clients/1`.
  func document(for asker: Asker) -> [UInt8] {
    let now = ContinuousClock.now
    let rows = clients(for: asker).map { client in
      JSONValue.object([
        ("name", .string(client.name.text)), ("address", .string(printable(text: client.address))),
        ("kind", .string(client.kind.rawValue)),
        ("sinceSeconds", .number((now - client.since).seconds.rounded(.down))),
        ("connections", .integer(client.connections.count)),
        ("isThis", .bool(isSelf(asker, client))),
      ])
    }
    let document = JSONValue.object([
      ("schema", "plumbline.clients/1"), ("isComplete", .bool(asker.isHere)),
      ("fingerprint", .string(fingerprint?.hexadecimal)), ("clients", .array(rows)),
    ])
    return JSONWriter(layout: .compact).bytes(document)
  }

  /// Ends a client: its login, and its connections.
  ///
  /// - Returns: Whether the asker may, and there was one.
  func end(_ name: Name, for asker: Asker) -> Bool {
    guard let client = clients(for: asker).first(where: { $0.name == name }) else { return false }
    if case .session(let number) = name { _ = secrets?.end(number) }
    registry.end(client.connections)
    return true
  }

  private func isSelf(_ asker: Asker, _ client: Client) -> Bool {
    if let session = asker.session { return client.name == .session(session) }
    return client.connections.contains(asker.connection)
  }

  private func clients(for asker: Asker) -> [Client] {
    let connections = registry.clients
    var clients = (secrets?.sessions ?? []).map { session in
      let own = connections.filter { $0.session == session.number }
      return Client(
        name: .session(session.number), address: session.address,
        // What it watches says more than that it is a page.
        kind: own.contains { $0.kind == .viewer } ? .viewer : .browser, since: session.since,
        connections: own.map(\.number))
    }
    let known = Set(clients.map(\.name))
    for one in connections {
      if let session = one.session, known.contains(.session(session)) { continue }
      let isShared = !one.isWebSocket
      if isShared,
        let index = clients.firstIndex(where: {
          $0.isOfRequests && $0.address == one.address && $0.kind == one.kind
        })
      {
        clients[index].connections.append(one.number)
      } else {
        clients.append(
          Client(
            name: .connection(one.number), address: one.address, kind: one.kind,
            since: one.since, connections: [one.number], isOfRequests: isShared))
      }
    }
    return asker.isHere ? clients : clients.filter { isSelf(asker, $0) }
  }
}

/// The kind of a client, as the list of connected clients names it.
public enum ClientKind: String, Sendable {
  /// A page that watches a live stream.
  case viewer
  /// A camera that sends its captures.
  case camera = "publisher"
  /// Anything else that holds the token, or talks by a WebSocket of its own.
  case program
  /// A page that is viewed, by single requests.
  case browser
}
