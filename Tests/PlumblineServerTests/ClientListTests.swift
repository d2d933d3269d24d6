import NIOEmbedded
import PlumblineIO
import Testing

@testable import PlumblineServer

@Suite("What a client may know of the others")
struct ClientListTests {
  @Test("Who asks from elsewhere sees and ends itself alone")
  func elsewhere() throws {
    let secrets = AccessSecrets(idleSeconds: 600)
    let registry = ConnectionRegistry(ServerSettings())
    let list = ClientList(secrets: secrets, registry: registry, fingerprint: nil)
    for _ in 0..<2 { _ = secrets.login(from: "192.0.2.7", known: nil) }
    let numbers = [1, 2].map { session in
      let number = registry.admit(EmbeddedChannel()) ?? 0
      registry.set(number, kind: .browser, isWebSocket: false, session: session)
      return number
    }
    let camera = try #require(registry.admit(EmbeddedChannel()))
    registry.set(camera, kind: .camera, isWebSocket: true, session: nil)

    func names(_ asker: ClientList.Asker) throws -> [String?] {
      let document = try JSONValue(parsing: list.document(for: asker))
      #expect(document["isComplete"]?.bool == asker.isHere)
      return document["clients"]?.elements?.map { $0["name"]?.string } ?? []
    }
    let here = ClientList.Asker(connection: numbers[0], session: 1, isHere: true)
    let other = ClientList.Asker(connection: numbers[1], session: 2, isHere: false)
    let program = ClientList.Asker(connection: camera, session: nil, isHere: false)
    #expect(try names(here) == ["s1", "s2", "c\(camera)"])
    #expect(try names(other) == ["s2"])
    #expect(try names(program) == ["c\(camera)"])
    for name in [ClientList.Name.session(1), .connection(camera), .session(9)] {
      #expect(!list.end(name, for: other))
    }
    #expect(secrets.sessions.map(\.number) == [1, 2])
    #expect(list.end(.session(2), for: other))
    #expect(secrets.sessions.map(\.number) == [1])
    #expect(list.end(.session(1), for: here) && secrets.sessions.isEmpty)
  }
}
