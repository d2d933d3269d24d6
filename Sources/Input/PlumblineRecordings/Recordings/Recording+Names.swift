import PlumblineIO
package import PlumblineModel

extension Recording {
  /// Frames of which only the names are known.
  package static func frames(named names: [String]) -> [RecordedFrame] {
    names.map { RecordedFrame(name: $0) }
  }

  /// The names of files without their endings, as frames are called and their outputs' folders.
  ///
  /// A name that is another frame's too, or that a folder has for itself or the one above it, keeps
  /// its ending: outputs must neither meet nor leave their folder.
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

  /// Frames under whose names outputs can lie, whatever a layout calls them.
  ///
  /// Some names are another's with an ending more (`a.jpg` and `a.jpg.jpg`), come from a list inside a
  /// file, which may call an image `..`, or are paths. Names that can stand stay as they are; parts
  /// of a path are joined by `_`, and what is then another's name gets a number. O(*n*).
  static func distinctlyNamed(_ frames: [RecordedFrame]) -> [RecordedFrame] {
    var taken: Set<String> = []
    var next: [String: Int] = [:]
    return frames.map { frame in
      let isFolder = ["", ".", ".."].contains(frame.name)
      let base = isFolder ? "frame" : pathParts(frame.name).joined(separator: "_")
      var distinct = frame
      distinct.name = base
      while !taken.insert(distinct.name).inserted {
        // The count of each name, since a list may call all of its images the same.
        next[base, default: 1] += 1
        distinct.name = "\(base)-\(next[base, default: 1])"
      }
      return distinct
    }
  }

  /// Short unique names for frames by the paths of their files: the last part where no two are
  /// alike, else all parts with `_` between them.
  package static func frameNames(ofPaths paths: [String]) -> [String] {
    let files = paths.map { String(pathParts($0).last ?? "") }
    if Set(files.map { $0.lowercased() }).count == files.count { return frameNames(ofFiles: files) }
    let joined = paths.map { pathParts($0).joined(separator: "_") }
    if Set(joined.map { $0.lowercased() }).count == joined.count {
      return frameNames(ofFiles: joined)
    }
    return paths.indices.map { "frame\($0 + 1)" }
  }

  /// Names of frames under which outputs can lie: one that is empty, another's too, or would leave its folder
  /// gives way to the frame's number.
  static func uniqueNames(_ names: [String]) -> [String] {
    let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    let isUsable = { (name: String) in
      counts[name.lowercased()] == 1 && !["", ".", ".."].contains(name) && name.utf8.count <= 200
        && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(UInt8(ascii: "\\"))
        && printable(text: name) == name
    }
    if names.allSatisfy(isUsable) { return names }
    // One number among names could be another frame's name, so that all get one.
    return names.indices.map { $0.digits(atLeast: 6) }
  }

  /// How many files of which kind, such as `12 .png, 2 .json`.
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

  /// What a folder holds, for someone whose folder was not recognized, with what in it cannot be read.
  package static func summary(of folder: any CaptureFolder) -> String {
    ([summary(of: folder.fileNames)] + folder.findings.map(\.message)).joined(separator: "; ")
  }
}
