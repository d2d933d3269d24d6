import PlumblineModel

extension Recording {
  /// Frames of which only the names are known.
  static func frames(named names: [String]) -> [RecordedFrame] {
    names.map { RecordedFrame(name: $0) }
  }

  /// The names of files without their endings, as frames are called and their outputs' folders.
  ///
  /// A name that is another frame's too, or that a folder has for itself or the one above it, keeps
  /// its ending: outputs must neither meet nor leave their folder.
  static func frameNames(ofFiles files: [String]) -> [String] {
    let stems = files.map { file in
      file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }
    let counts = Dictionary(stems.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
    let names = zip(files, stems).map { file, stem in
      let isFree = counts[stem.lowercased()] == 1 && !["", ".", ".."].contains(stem)
      return isFree ? stem : file
    }
    return distinctNames(names)
  }

  /// Names as they are where they can stand as they are; others get a number.
  ///
  /// Some are another's name with an ending more (`a.jpg` and `a.jpg.jpg`), or come from a list
  /// inside a file, which may call an image `..`. O(*n*).
  private static func distinctNames(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    var next: [String: Int] = [:]
    return names.map { name in
      let isFolder = ["", ".", ".."].contains(name)
      let base = isFolder ? "frame" : name
      var distinct = base
      while !taken.insert(distinct).inserted {
        // The count of each name, since a list may call all of its images the same.
        next[base, default: 1] += 1
        distinct = "\(base)-\(next[base, default: 1])"
      }
      return distinct
    }
  }

  /// How many files of which kind, such as `12 .png, 2 .json`.
  static func summary(of names: [String]) -> String {
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
}
