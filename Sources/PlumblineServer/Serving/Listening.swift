#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import NIOCore
internal import NIOPosix

/// Opens the sockets of a server.
struct Listening {
  let pipeline: ConnectionPipeline
  let group: MultiThreadedEventLoopGroup

  /// How often another port is tried where the system's choice for one address is taken at the other.
  private static let attempts = 8

  /// Loopback is both 127.0.0.1 and ::1, so that no other program of this machine can pose as this
  /// server at the one that `localhost` happens to mean.
  func listen(_ settings: ServerSettings) async throws(ServerError) -> [any Channel] {
    guard settings.isLoopback else { return [try await bind(settings.host, settings.port)] }
    for _ in 0..<Self.attempts {
      let first = try await bind("127.0.0.1", settings.port)
      let port = first.localAddress?.port ?? settings.port
      do {
        return [first, try await channel("::1", port)]
      } catch let error as IOError where [EADDRINUSE, EACCES].contains(error.errnoCode) {
        try? await first.close()
        guard settings.port == 0 else {
          throw .notListening(host: "::1", port: port, detail: detail(error))
        }
      } catch {
        // A machine without IPv6.
        return [first]
      }
    }
    throw .notListening(host: "::1", port: 0, detail: "no port is free at both 127.0.0.1 and ::1")
  }

  private func bind(_ host: String, _ port: Int) async throws(ServerError) -> any Channel {
    do {
      return try await channel(host, port)
    } catch {
      throw .notListening(host: host, port: port, detail: detail(error))
    }
  }

  private func channel(_ host: String, _ port: Int) async throws -> any Channel {
    let pipeline = pipeline
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { pipeline.configure($0) }
      .bind(host: host, port: port).get()
  }

  private func detail(_ error: any Error) -> String {
    if let error = error as? SocketAddressError.UnknownHost { return error.errorDescription }
    guard let error = error as? IOError else { return "\(error)" }
    return String(cString: strerror(error.errnoCode))
  }
}
