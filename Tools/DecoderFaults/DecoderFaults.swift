import PlumblineImages
import PlumblineInference

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A decoder worker for tests, sound unless the coded bytes hold `plumbline-fault:NAME;`.
///
/// With the argument `network` it is the worker of a network, and the bytes are those of the model, or
/// the numbers of the first input. Where they hold that, it does what a decoder or a runtime might that was taken over by an image or a model.
@main
enum DecoderFaults {
  static func main() {
    #if os(Linux)
      if CommandLine.arguments.last == "network" {
        NetworkWorker.serve(
          inspectModel: { model in
            if let name = fault(in: Array(model.prefix(4_096))) { commit(name, nothing) }
          },
          inspectInput: { values in
            let bytes = values.map { UInt8(exactly: $0) ?? 0 }
            if let name = fault(in: bytes) { commit(name, nothing) }
          })
      }
      DecoderWorker.serve { coded, pixels in
        if let name = fault(in: coded) { commit(name, pixels) }
      }
    #endif
  }

  #if os(Linux)
    private static var nothing: UnsafeMutableRawBufferPointer { .init(start: nil, count: 0) }

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
      case "openProgram": _ = open("/bin/true", O_RDONLY)
      case "systemFile":
        // To a network's worker it is not there.
        if open("/proc/self/maps", O_RDONLY) < 0, errno == ENOENT { _exit(45) }
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
      case "memory":
        // More than it may have: refused, not given.
        let size = 1 << 40
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        let got = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        _exit(got == MAP_FAILED ? 42 : 43)
      default: return answer(fault, pixels)
      }
      // Code that gets here was not stopped.
      _exit(99)
    }

    /// Says what the other side must not believe; a name that is no fault is none.
    private static func answer(_ fault: String, _ pixels: UnsafeMutableRawBufferPointer) {
      switch fault {
      case "garbage": WorkerChannel.send((0..<200).map { UInt8($0) })
      case "long": WorkerChannel.send([UInt8](repeating: 0, count: 70_000))
      case "bigField": WorkerChannel.send([33, 0, 255, 255, 255, 255, 1, 2, 3])
      // Of a network: an output of other dimensions, one that does not fit, and never enough room.
      case "otherShape": sendShape([1, 1, 5, 4])
      case "largeShape": sendShape([1, 1, 1 << 40, 1 << 40])
      case "negativeShape": sendShape([1, 1, -4, -5])
      // While it is loaded: an input "a" of one open dimension.
      case "openInput":
        let shape: [UInt8] = [70, 0, 8, 0, 0, 0] + Array(repeating: 0xFF, count: 8)
        WorkerChannel.send([33, 0, 0, 0, 0, 0, 36, 0, 21, 0, 0, 0, 65, 0, 1, 0, 0, 0, 97] + shape)
      case "moreRoom": WorkerChannel.send([38, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0])
      case "littleRoom":
        for _ in 0..<2 { WorkerChannel.send([38, 0, 8, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0]) }
      case "silentSuccess": WorkerChannel.send([33, 0, 0, 0, 0, 0])
      case "unknownField":
        WorkerChannel.send([33, 0, 0, 0, 0, 0, 0, 200, 3, 0, 0, 0, 1, 2, 3])
      case "largeSamples":
        pixels.initializeMemory(as: UInt8.self, repeating: 0xFF)
        WorkerChannel.send([33, 0, 0, 0, 0, 0])
      default: return
      }
      // Code that gets here was not stopped.
      _exit(99)
    }

    private static func sendShape(_ lengths: [Int64]) {
      var message: [UInt8] = [33, 0, 0, 0, 0, 0, 70, 0, UInt8(8 * lengths.count), 0, 0, 0]
      for length in lengths {
        withUnsafeBytes(of: length.littleEndian) { message.append(contentsOf: $0) }
      }
      WorkerChannel.send(message)
    }

    private static func execl() -> CInt {
      let path = strdup("/bin/true")
      var words: [UnsafeMutablePointer<CChar>?] = [path, nil]
      return execv("/bin/true", &words)
    }
  #endif
}
