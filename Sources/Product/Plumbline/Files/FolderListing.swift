import PlumblineIO
import PlumblineImages
import PlumblineModel

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What lies in a folder on the disk: the files that can be read, and what is ignored.
struct FolderListing {
  /// Folders inside folders that are looked into; the deepest layout, ARKitScenes, has three.
  static let maximumDepth = 4

  /// The paths of its regular files, in ascending order of their bytes.
  private(set) var fileNames: [String] = []
  /// The folders directly in it, in the same order; no links to folders.
  private(set) var folderNames: [String] = []
  private var leftAside: [LeftAsideEntry: [String]] = [:]
  private var entryCount = 0
  /// What links must not lead out of; `nil` where they may lead anywhere.
  private let bounds: FolderBounds?

  /// Lists a folder.
  ///
  /// Nothing is opened but folders, and only links are examined one by one, so that a pipe cannot
  /// block and the limit holds before much was done.
  ///
  /// - Throws: ``InputError``; `.tooManyFiles` as soon as more entries were met than
  ///   ``ReadingLimits/folderFiles``. Cost: the names, and one look at each link.
  init(path: String, limits: ReadingLimits, bounds: FolderBounds? = nil) throws(InputError) {
    self.bounds = bounds
    guard let folder = opendir(path) else {
      let error = InputFile.failure(path)
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
        throw .notAFolder(path: path)
      }
      throw error
    }
    defer { closedir(folder) }
    guard Self.isEntered(folder) else {
      throw .unreadable(path: path, reason: "no permission to enter it", isPermission: true)
    }
    let root = (path: path, limit: limits.folderFiles)
    try list(folder, at: path, prefix: "", depth: 0, root: root)
    // In the order of bytes, which strings themselves do not have: they compare characters.
    fileNames.sort { strcmp($0, $1) < 0 }
    folderNames.sort { strcmp($0, $1) < 0 }
  }

  /// The finding about ignored entries; `nil` where everything can be read.
  ///
  /// Pipes, devices and links to folders are no frames; any other ignored entry may be one.
  var finding: Finding? {
    let kinds = LeftAsideEntry.allCases.compactMap { kind in
      leftAside[kind].map { (kind: kind, names: $0.sorted { strcmp($0, $1) < 0 }) }
    }
    guard !kinds.isEmpty else { return nil }
    let words = kinds.map { kind, names in
      let shown = names.prefix(3).map { "“\($0.prefix(80))”" }.joined(separator: ", ")
      return "\(kind.words(for: names.count)) (\(shown)\(names.count > 3 ? ", …" : ""))"
    }
    let count = kinds.reduce(0) { $0 + $1.names.count }
    return Finding(
      .sequenceUnreadEntries, kinds.contains { $0.kind.mayBeFrame } ? .caution : .note,
      "\(count) of the folder's entries cannot be read: \(words.joined(separator: ", "))",
      evidence: kinds[0].names[0])
  }

  /// Adds the entries of an open folder; `root` is what the user named, and how much it may hold.
  private mutating func list(
    _ folder: OpaqueFolder, at path: String, prefix: String, depth: Int,
    root: (path: String, limit: Int)
  ) throws(InputError) {
    while let entry = readdir(folder) {
      let type = Int32(entry.pointee.d_type)
      let (name, spelling) = Self.name(of: entry)
      if spelling == "." || spelling == ".." { continue }
      entryCount += 1
      guard entryCount <= root.limit else {
        throw .tooManyFiles(path: root.path, limit: root.limit)
      }
      guard let name else {
        leave(.notUTF8, prefix + spelling)
        continue
      }
      switch Self.kind(type, name, in: folder) {
      case .file where type != Int32(DT_REG) && bounds?.holds(path + "/" + name) == false:
        leave(.outwardLink, prefix + name)
      case .file: fileNames.append(prefix + name)
      case .leftAside(let kind): leave(kind, prefix + name)
      case .folder where depth == Self.maximumDepth: leave(.deepFolder, prefix + name)
      case .folder:
        if depth == 0 { folderNames.append(name) }
        let inside = path + "/" + name
        guard let subfolder = opendir(inside) else {
          // One that was removed since is no more there than if it had never been.
          if errno != ENOENT { leave(.forbidden, prefix + name) }
          continue
        }
        defer { closedir(subfolder) }
        guard Self.isEntered(subfolder) else {
          leave(.forbidden, prefix + name)
          continue
        }
        try list(
          subfolder, at: inside, prefix: prefix + name + "/", depth: depth + 1, root: root)
      }
    }
  }

  private mutating func leave(_ kind: LeftAsideEntry, _ name: String) {
    leftAside[kind, default: []].append(printable(text: name))
  }
}

extension FolderListing {
  #if canImport(Darwin)
    fileprivate typealias OpaqueFolder = UnsafeMutablePointer<DIR>
  #else
    fileprivate typealias OpaqueFolder = OpaquePointer
  #endif

  private enum Kind {
    case file, folder
    case leftAside(LeftAsideEntry)

    init(_ mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFIFO: self = .leftAside(.pipe)
      case S_IFSOCK: self = .leftAside(.socket)
      default: self = .leftAside(.device)
      }
    }
  }

  /// The name where it is UTF-8, and one to show in any case.
  private static func name(
    of entry: UnsafeMutablePointer<dirent>
  ) -> (name: String?, spelling: String) {
    withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: 1) { start in
        if let name = String(validatingCString: start) { return (name, name) }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(strlen(start)))
        return (nil, printable(bytes))
      }
    }
  }

  /// What an entry is: as the folder says, which most file systems do, else by a look at it.
  private static func kind(_ type: Int32, _ name: String, in folder: OpaqueFolder) -> Kind {
    switch type {
    case Int32(DT_REG): return .file
    case Int32(DT_DIR): return .folder
    case Int32(DT_FIFO): return .leftAside(.pipe)
    case Int32(DT_SOCK): return .leftAside(.socket)
    case Int32(DT_CHR), Int32(DT_BLK): return .leftAside(.device)
    default: break
    }
    var status = stat()
    if type != Int32(DT_LNK) {
      guard fstatat(dirfd(folder), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        return .leftAside(.forbidden)
      }
      if status.st_mode & S_IFMT != S_IFLNK { return Kind(status.st_mode) }
    }
    guard fstatat(dirfd(folder), name, &status, 0) == 0 else {
      return .leftAside(errno == EACCES ? .forbidden : .brokenLink)
    }
    // A loop of links could be entered forever.
    if case .folder = Kind(status.st_mode) { return .leftAside(.folderLink) }
    return Kind(status.st_mode)
  }

  /// Whether what a folder lists can be reached: one that may be read but not entered has names and
  /// nothing behind them.
  private static func isEntered(_ folder: OpaqueFolder) -> Bool {
    var status = stat()
    return fstatat(dirfd(folder), ".", &status, 0) == 0 || errno != EACCES
  }
}

/// A kind of entry of a folder that no reader of recordings can use.
enum LeftAsideEntry: CaseIterable {
  case notUTF8, brokenLink, outwardLink, forbidden, deepFolder, folderLink, pipe, socket, device

  /// Whether a frame may be behind it.
  var mayBeFrame: Bool {
    switch self {
    case .notUTF8, .brokenLink, .outwardLink, .forbidden, .deepFolder, .folderLink: true
    case .pipe, .socket, .device: false
    }
  }

  /// So many of them, in words.
  func words(for count: Int) -> String {
    switch self {
    case .notUTF8:
      count == 1 ? "1 name that is not UTF-8" : "\(count) names that are not UTF-8"
    case .brokenLink:
      count == 1 ? "1 link that leads nowhere" : "\(count) links that lead nowhere"
    case .outwardLink:
      count == 1
        ? "1 link that leads out of the folder" : "\(count) links that lead out of the folder"
    case .forbidden: "\(count) without permission"
    case .deepFolder: "\(count.counting("folder")) below the \(FolderListing.maximumDepth)th level"
    case .folderLink:
      count == 1 ? "1 link to a folder" : "\(count) links to folders"
    case .pipe: count.counting("pipe")
    case .socket: count.counting("socket")
    case .device: count.counting("device")
    }
  }
}
