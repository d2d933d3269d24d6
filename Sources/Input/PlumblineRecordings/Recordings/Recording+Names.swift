import PlumblineIO
package import PlumblineModel

extension Recording {
  /// Frames of which only the names are known.
  package static func frames(named names: [String]) -> [RecordedFrame] {
    names.map { RecordedFrame(name: $0) }
  }

  /// Names for frames and their output folders: the file names without their endings.
  ///
  /// A name keeps its ending if it equals another frame's name or is `.` or `..`: outputs must
  /// neither collide nor leave their folder.
  package static func frameNames(ofFiles files: [String]) -> [String] {
    let stems = files.map { file in
      file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }
    let counts = Dictionary(stems.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    return zip(files, stems).map { file, stem in
      let isFree = counts[stem.lowercased()] == 1 && !["", ".", ".."].contains(stem)
      return isFree ? stem : file
    }
  }

  /// Renames frames where necessary, so that their names can be used for outputs.
  ///
  /// Names can differ from each other only by an ending (`a.jpg` and `a.jpg.jpg`), can come from a
  /// list inside a file, which may name an image `..`, or can be paths. Valid names stay unchanged.
  /// The parts of a path are joined with `_`, and a name that then equals another one gets a
  /// number. O(*n*).
  static func distinctlyNamed(_ frames: [RecordedFrame]) -> [RecordedFrame] {
    var taken: Set<String> = []
    var next: [String: Int] = [:]
    return frames.map { frame in
      let isFolder = ["", ".", ".."].contains(frame.name)
      let base = isFolder ? "frame" : pathParts(frame.name).joined(separator: "_")
      var distinct = frame
      distinct.name = base
      while !taken.insert(distinct.name).inserted {
        // A count for each name, since a list may give all of its images the same name.
        next[base, default: 1] += 1
        distinct.name = "\(base)-\(next[base, default: 1])"
      }
      return distinct
    }
  }

  /// Short unique names for frames from the paths of their files: the last parts if they are
  /// unique, else all parts joined with `_` if these are unique, else `frame1`, `frame2`, ….
  package static func frameNames(ofPaths paths: [String]) -> [String] {
    let files = paths.map { String(pathParts($0).last ?? "") }
    if Set(files.map { $0.lowercased() }).count == files.count { return frameNames(ofFiles: files) }
    let joined = paths.map { pathParts($0).joined(separator: "_") }
    if Set(joined.map { $0.lowercased() }).count == joined.count {
      return frameNames(ofFiles: joined)
    }
    return paths.indices.map { "frame\($0 + 1)" }
  }

  /// Names of frames that can be used for outputs.
  ///
  /// If any name is empty, duplicate or not usable as a folder name, all frames are named by
  /// number.
  static func uniqueNames(_ names: [String]) -> [String] {
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    let isUsable = { (name: String) in
      counts[name.lowercased()] == 1 && !["", ".", ".."].contains(name) && name.utf8.count <= 200
        && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(UInt8(ascii: "\\"))
        && printable(text: name) == name
    }
    if names.allSatisfy(isUsable) { return names }
    // One number could equal another frame's name, so all frames get numbers.
    return names.indices.map { $0.digits(atLeast: 6) }
  }

  /// The number of files of each kind, such as `12 .png, 2 .json`.
  package static func summary(of names: [String]) -> String {
    guard !names.isEmpty else { return "a folder without files" }
    var counts: [String: Int] = [:]
    for name in names {
      let dot = name.lastIndex(of: ".")
      counts[dot.map { name[$0...].lowercased() } ?? "without an ending", default: 0] += 1
    }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let words = sorted.prefix(6).map { "\($0.value) \(printable(text: $0.key.prefix(20)))" }
    return words.joined(separator: ", ") + (sorted.count > 6 ? ", …" : "")
  }

  /// The contents of a folder that was not recognized, for messages, with its unreadable entries.
  package static func summary(of folder: any CaptureFolder) -> String {
    ([summary(of: folder.fileNames)] + folder.findings.map(\.message)).joined(separator: "; ")
  }
}
