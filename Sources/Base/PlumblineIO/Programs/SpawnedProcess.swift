#if os(Linux) || os(macOS)
  #if canImport(Glibc)
    package import Glibc
  #elseif canImport(Musl)
    package import Musl
  #elseif canImport(Darwin)
    package import Darwin
  #endif
#endif

/// Starts a program as a child process; on iOS every start fails.
///
/// The process leads its own process group: killing the group also kills its children, and
/// Control-C in a terminal does not reach it.
package enum SpawnedProcess {
  /// The targets of the standard input, output and error streams.
  package enum Streams {
    /// The null device.
    case null
    /// These descriptors, which stay open in this process.
    case descriptors(input: CInt, output: CInt, errors: CInt)
  }
}

#if os(Linux) || os(macOS)
  extension SpawnedProcess {
    /// Starts a program; the caller must wait for it with `waitpid`.
    ///
    /// - Parameters:
    ///   - words: The program, which is searched on the path unless it contains a slash, and its
    ///     arguments. No shell interprets them; other users of this machine may see them.
    ///   - streams: Where its standard streams lead.
    ///   - environment: Its variables, `NAME=value`; `nil` for those of this process.
    /// - Returns: The process.
    /// - Throws: `.notStarted`.
    package static func start(
      _ words: [String], _ streams: Streams, environment: [String]?
    ) throws(ProgramFailure) -> pid_t {
      var actions = emptyActions()
      var attributes = emptyAttributes()
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      switch streams {
      case .null:
        for (descriptor, mode) in [(CInt(0), O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
          posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
        }
      case .descriptors(let input, let output, let errors):
        for (descriptor, place) in [(input, CInt(0)), (output, 1), (errors, 2)] {
          posix_spawn_file_actions_adddup2(&actions, descriptor, place)
        }
      }
      posix_spawnattr_setflags(
        &attributes, CShort(POSIX_SPAWN_SETPGROUP) | CShort(POSIX_SPAWN_SETSIGMASK) | closingFlag)
      posix_spawnattr_setpgroup(&attributes, 0)
      // A thread that takes signals by a source blocks them; a child must not inherit that.
      var blockedSignals = sigset_t()
      sigemptyset(&blockedSignals)
      posix_spawnattr_setsigmask(&attributes, &blockedSignals)
      var pointers = copies(words)
      var variables = environment.map { copies($0) } ?? []
      defer { for pointer in pointers + variables { free(pointer) } }
      var process = pid_t()
      let program = words.first ?? ""
      let code =
        environment == nil
        ? posix_spawnp(&process, program, &actions, &attributes, &pointers, environ)
        : posix_spawnp(&process, program, &actions, &attributes, &pointers, &variables)
      guard code == 0 else {
        throw .notStarted(
          program: program, detail: "posix_spawn: \(String(cString: strerror(code)))")
      }
      return process
    }

    /// The words as C strings with a final null pointer; the caller must free them.
    private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
      words.map { word in strdup(word) } + [nil]
    }

    // These types are pointers on Darwin and structures on Linux.
    #if canImport(Darwin)
      private static func emptyActions() -> posix_spawn_file_actions_t? { nil }
      private static func emptyAttributes() -> posix_spawnattr_t? { nil }
      /// A socket is marked to be closed only after it was made; a child that another thread starts
      /// in between would hold it open.
      private static var closingFlag: CShort { CShort(POSIX_SPAWN_CLOEXEC_DEFAULT) }
    #else
      private static func emptyActions() -> posix_spawn_file_actions_t { .init() }
      private static func emptyAttributes() -> posix_spawnattr_t { .init() }
      private static var closingFlag: CShort { 0 }
    #endif
  }
#else
  extension SpawnedProcess {
    /// Starts nothing, since this platform starts no programs (iOS).
    ///
    /// - Throws: `.absent`.
    package static func start(
      _ words: [String], _ streams: Streams, environment: [String]?
    ) throws(ProgramFailure) -> Int32 {
      throw .absent(program: words.first ?? "")
    }
  }
#endif
