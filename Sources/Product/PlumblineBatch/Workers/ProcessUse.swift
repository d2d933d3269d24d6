#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// What this process has used so far.
struct ProcessUse {
  /// Seconds of processor time, with those of ended children.
  let processorSeconds: Double
  /// The most memory that was held, in bytes, since ``forgetPeak()`` where the system can forget it.
  let peakBytes: Int

  /// Reads the system's counters; O(1).
  init() {
    var own = rusage()
    var children = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_SELF.rawValue, &own)
      getrusage(RUSAGE_CHILDREN.rawValue, &children)
    #else
      getrusage(CInt(RUSAGE_SELF), &own)
      getrusage(CInt(RUSAGE_CHILDREN), &children)
    #endif
    processorSeconds = [own.ru_utime, own.ru_stime, children.ru_utime, children.ru_stime]
      .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    #if canImport(Darwin)
      peakBytes = own.ru_maxrss
    #else
      peakBytes = own.ru_maxrss * 1024
    #endif
  }

  /// Lets the peak begin anew at the memory that is held now (Linux); nothing elsewhere.
  static func forgetPeak() {
    #if os(Linux)
      let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { return }
      _ = write(file, "5", 1)
      close(file)
    #endif
  }

  /// The memory that another process of this user holds, in bytes; `nil` where the system does not say.
  static func memory(of process: Int32) -> Int? {
    #if os(Linux)
      let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 128)
      let count = read(file, &bytes, bytes.count)
      guard count > 0 else { return nil }
      // Pages of the whole space, then those that are in memory.
      let fields = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ")
      guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
      return pages * sysconf(CInt(_SC_PAGESIZE))
    #else
      return nil
    #endif
  }
}

/// Limits that the system enforces on a worker, set before it sees a capture.
package struct WorkerBounds: Sendable, Hashable {
  /// The most bytes of a file that it writes; `nil` for no limit.
  package var fileBytes: Int?
  /// The most bytes of data that it allocates (Linux); `nil` for no limit.
  package var dataBytes: Int?

  /// Describes limits.
  package init(fileBytes: Int? = nil, dataBytes: Int? = nil) {
    self.fileBytes = fileBytes
    self.dataBytes = dataBytes
  }

  /// Sets them for this process for good; a limit that is lower already stays.
  package func set() {
    #if canImport(Glibc)
      let (core, file) = (RLIMIT_CORE.rawValue, RLIMIT_FSIZE.rawValue)
    #else
      let (core, file) = (RLIMIT_CORE, RLIMIT_FSIZE)
    #endif
    Self.lower(CInt(core), to: 0)
    if let fileBytes { Self.lower(CInt(file), to: fileBytes) }
    #if canImport(Glibc)
      if let dataBytes { Self.lower(CInt(RLIMIT_DATA.rawValue), to: dataBytes) }
    #elseif canImport(Musl)
      if let dataBytes { Self.lower(RLIMIT_DATA, to: dataBytes) }
    #endif
  }

  private static func lower(_ resource: CInt, to most: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let value = min(limit.rlim_max, rlim_t(most))
    limit = rlimit(rlim_cur: value, rlim_max: value)
    setrlimit(resource, &limit)
  }
}
