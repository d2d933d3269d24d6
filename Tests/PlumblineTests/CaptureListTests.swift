import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Which captures paths lead to, and how their outputs are named.
struct CaptureListTests {
  private static let photo: [UInt8] = [0xFF, 0xD8]

  private static func folder(_ files: [String: [UInt8]]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, bytes) in files {
      let place = URL(filePath: folder.file(name)).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try folder.put(bytes, at: name)
    }
    return folder
  }

  private static func names(_ list: CaptureList, in folder: TemporaryFolder) -> [String] {
    list.entries.map { $0.path.replacing(folder.path + "/", with: "") }
  }

  private static func png(_ code: UInt16) -> [UInt8] {
    PNGEncoder().encoded(Raster<UInt16>(size: RasterSize(width: 4, height: 3), repeating: code))
  }

  @Test("A folder of photos gives its photos in natural order, and counts the rest")
  func photos() throws {
    let folder = try Self.folder([
      "b10.jpg": Self.photo, "b9.HEIC": Self.photo, "a.jpeg": Self.photo, "note.txt": [],
      "._a.jpeg": [], "inside/c.jpg": Self.photo, "scan.r3d": [1],
    ])
    let list = CaptureList(paths: [folder.path])
    #expect(Self.names(list, in: folder) == ["a.jpeg", "b9.HEIC", "b10.jpg", "scan.r3d"])
    #expect(list.ignoredFileCount == 2 && list.hasOpenedFolder)
    #expect(list.entries.allSatisfy { $0.error == nil })
    let all = CaptureList(paths: [folder.path + "/"], isRecursive: true)
    #expect(
      Self.names(all, in: folder) == ["a.jpeg", "b9.HEIC", "b10.jpg", "scan.r3d", "inside/c.jpg"])
  }

  @Test("Files stay as they are given, whether they exist or not, and in that order")
  func files() throws {
    let folder = try Self.folder(["b.jpg": Self.photo])
    let paths = [folder.file("z.jpg"), folder.file("b.jpg"), folder.file("b.jpg")]
    let list = CaptureList(paths: paths)
    #expect(list.entries.map(\.path) == paths && !list.hasOpenedFolder)
  }

  @Test("A recording is one capture")
  func recordings() throws {
    let dump = try Self.folder(RecordedFiles.dump([1, 2]).files)
    #expect(CaptureList(paths: [dump.path]).entries.map(\.path) == [dump.path])
    let loose = try Self.folder([
      "a_depth.png": Self.png(900), "a.jpg": Self.photo, "b_depth.png": Self.png(901),
      "b.jpg": Self.photo, "preview.jpg": Self.photo,
    ])
    #expect(CaptureList(paths: [loose.path]).entries.map(\.path) == [loose.path])
  }

  @Test("Maps that were extracted beside or below photos do not hide them")
  func extractedParts() throws {
    for place in ["a/depth.png", "a_depth.png", "parts/x/depth.png"] {
      let folder = try Self.folder([
        "a.heic": Self.photo, "b.heic": Self.photo, "c.heic": Self.photo, "d.heic": Self.photo,
        place: Self.png(900),
      ])
      let list = CaptureList(paths: [folder.path])
      #expect(
        Self.names(list, in: folder) == ["a.heic", "b.heic", "c.heic", "d.heic"], "\(place)")
    }
    // Maps in a folder of their own, named as the photos, are a recording.
    let recording = try Self.folder([
      "1.jpg": Self.photo, "2.jpg": Self.photo, "depths/1_depth.png": Self.png(900),
      "depths/2_depth.png": Self.png(901),
    ])
    #expect(CaptureList(paths: [recording.path]).entries.map(\.path) == [recording.path])
  }

  @Test("A folder of which two folders are recordings is none itself, when folders are looked into")
  func collections() throws {
    var files: [String: [UInt8]] = ["photos/p.jpg": Self.photo, ".hidden/h.jpg": Self.photo]
    for (name, bytes) in RecordedFiles.dump([1]).files { files["one/\(name)"] = bytes }
    files["two/a_depth.png"] = Self.png(900)
    files["three/b_depth.png"] = Self.png(900)
    let folder = try Self.folder(files)
    let list = CaptureList(paths: [folder.path], isRecursive: true)
    #expect(Self.names(list, in: folder) == ["one", "photos/p.jpg", "three", "two"])
  }

  @Test("A folder without captures says what a recording would need")
  func nothing() throws {
    let empty = try TemporaryFolder()
    let texts = try Self.folder(["note.txt": []])
    for path in [empty.path, texts.path] {
      for isRecursive in [false, true] {
        let list = CaptureList(paths: [path], isRecursive: isRecursive)
        #expect(list.entries.map(\.path) == [path])
        #expect(list.entries.first?.error is CaptureReadingError)
      }
    }
  }

  @Test("A link to a folder is not followed, so that no loop is entered")
  func loops() throws {
    let folder = try Self.folder(["a.jpg": Self.photo, "in/b.jpg": Self.photo])
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("in/loop"), withDestinationPath: folder.path)
    let list = CaptureList(paths: [folder.path], isRecursive: true)
    #expect(Self.names(list, in: folder) == ["a.jpg", "in/b.jpg"])
  }

  @Test("Names of outputs are safe, and distinct in any case and with any accents")
  func outputNames() {
    let paths = [
      "x/IMG.heic", "y/img.HEIC", "IMG-2.jpg", "..", "/", "x/.hidden.jpg", "e\u{301}.jpg",
      "\u{E9}.jpg", "a:b?.jpg", "\u{1B}[31m.jpg", String(repeating: "ä", count: 300) + ".jpg",
    ]
    let names = OutputFolderNames.names(for: paths)
    #expect(names.count == paths.count)
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    for name in names {
      #expect(!name.hasPrefix(".") && !name.contains("/") && !name.isEmpty, "\(name)")
      #expect(name.utf8.count <= 200 && printable(text: name) == name, "\(name)")
    }
    #expect(names[0] == "IMG" && names[8] == "a_b_")
    // The names depend on the paths alone.
    #expect(OutputFolderNames.names(for: paths) == names)
  }
}
