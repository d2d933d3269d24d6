import PlumblineFormats

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A decoder worker for tests: sound, unless the coded bytes hold `plumbline-fault:NAME;`.
///
/// Then it does what a decoder might that was taken over by a picture.
@main
enum DecoderFaults {
  static func main() {
    #if os(Linux)
      DecoderWorker.serve { coded, pixels in
        if let name = fault(in: coded) { commit(name, pixels) }
      }
    #endif
  }

  #if os(Linux)
    private static func fault(in coded: [UInt8]) -> String? {
      let sign = Array("plumbline-fault:".utf8)
      guard coded.count > sign.count else { return nil }
      for start in 0..<coded.count - sign.count
      where coded[start] == sign[0] && coded[start...].starts(with: sign) {
        let name = coded[(start + sign.count)...].prefix { $0 != UInt8(ascii: ";") }
        return String(decoding: name, as: UTF8.self)
      }
      return nil
    }

    private static func commit(_ fault: String, _ pixels: UnsafeMutableRawBufferPointer) {
      var address = sockaddr()
      switch fault {
      case "abort": abort()
      case "trap": preconditionFailure("a fault on purpose")
      case "hang": while true { sched_yield() }
      case "exit": _exit(7)
      // What the filter forbids.
      case "open": _ = open("/etc/hostname", O_RDONLY)
      case "openForWriting": _ = open("/tmp/plumbline-fault", O_WRONLY | O_CREAT, 0o600)
      case "stat":
        var facts = stat()
        _ = stat("/etc/hostname", &facts)
      case "unlink": _ = unlink("/tmp/plumbline-fault-absent")
      case "socket": _ = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      case "localSocket": _ = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
      case "connect": _ = connect(0, &address, socklen_t(MemoryLayout<sockaddr>.size))
      case "exec": _ = execl()
      case "fork": _ = fork()
      case "kill": _ = kill(getppid(), 0)
      case "runnableMemory":
        _ = mmap(nil, 4_096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      case "runnableLater":
        let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        _ = mprotect(page, 4_096, PROT_READ | PROT_EXEC)
      case "limits":
        var most = rlimit(rlim_cur: .max, rlim_max: .max)
        _ = setrlimit(__rlimit_resource_t(9), &most)
      // What the other side must not believe.
      case "garbage": DecoderWorker.send((0..<200).map { UInt8($0) })
      case "long": DecoderWorker.send([UInt8](repeating: 0, count: 70_000))
      case "bigField": DecoderWorker.send([33, 0, 255, 255, 255, 255, 1, 2, 3])
      case "silentSuccess": DecoderWorker.send([33, 0, 0, 0, 0, 0])
      case "unknownField":
        DecoderWorker.send([33, 0, 0, 0, 0, 0, 0, 200, 3, 0, 0, 0, 1, 2, 3])
      case "largeSamples":
        pixels.initializeMemory(as: UInt8.self, repeating: 0xFF)
        DecoderWorker.send([33, 0, 0, 0, 0, 0])
      case "memory":
        // More than it may have: refused, not given.
        let size = 16 << 30
        let got = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        _exit(got == MAP_FAILED ? 42 : 43)
      default: return
      }
      // Whoever gets here was not stopped.
      _exit(99)
    }

    private static func execl() -> CInt {
      let path = strdup("/bin/true")
      var words: [UnsafeMutablePointer<CChar>?] = [path, nil]
      return execv("/bin/true", &words)
    }
  #endif
}
