import Foundation
import Plumbline

/// Writes photos for `peers/photos.py`, which asks on standard input; each answer is a line of JSON.
///
///     photo PATH                JPEG or HEIC, read into memory
///     time WORK COUNT           nanoseconds of COUNT calls, one by one
///     save WORK PATH            what the work gives, as a file
///
/// - `strip`: the depth taken out, all else copied;
/// - `replace`: the photo's own depth written anew, all else copied;
/// - `heic QUALITY`, `jpeg QUALITY`: the decoded photo coded anew with everything.
@main
struct PhotoBenchmark {
  static func main() {
    var state = State()
    while let line = readLine() {
      do { print(try state.answer(line.split(separator: " ").map(String.init))) } catch {
        print("{\"error\": \"\(String(describing: error).replacing("\"", with: "'"))\"}")
      }
      fflush(nil)
    }
  }
}

private struct State {
  private var bytes: [UInt8] = []
  private var contents: PhotoContents?

  mutating func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("photo", 2):
      bytes = try InputFile(path: words[1]).bytes
      contents = try PhotoContents(reading: bytes, reader: CaptureReader())
      return "{\"bytes\": \(bytes.count), \"depth\": \(contents?.depth != nil)}"
    case ("time", 4):
      guard let quality = Int(words[2]), let count = Int(words[3]) else { throw Refusal(words) }
      let clock = ContinuousClock()
      var times: [String] = []
      for _ in 0..<count {
        let start = clock.now
        _ = try run(words[1], quality)
        let elapsed = (clock.now - start).components
        times.append(String(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000))
      }
      return "{\"nanoseconds\": [\(times.joined(separator: ", "))]}"
    case ("save", 4):
      guard let quality = Int(words[2]) else { throw Refusal(words) }
      let file = try run(words[1], quality)
      try Data(file).write(to: URL(filePath: words[3]))
      return "{\"bytes\": \(file.count)}"
    default: throw Refusal(words)
    }
  }

  private func run(_ work: String, _ quality: Int) throws -> [UInt8] {
    guard let contents else { throw Refusal(["no photo"]) }
    let options = PhotoWritingOptions(colorQuality: quality)
    var edit = PhotoEdit()
    switch work {
    case "strip": edit.depth = .remove
    case "replace":
      guard let depth = contents.depth else { throw Refusal(["no depth"]) }
      edit.depth = .replace(depth)
    case "heic": return try HEIFPhotoWriter().bytes(of: contents, options: options)
    case "jpeg": return try JPEGPhotoWriter().bytes(of: contents, options: options)
    default: throw Refusal([work])
    }
    return JPEGFile.recognizes(bytes)
      ? try JPEGPhotoWriter().edited(bytes, edit, options: options)
      : try HEIFPhotoWriter().edited(bytes, edit, options: options)
  }
}

/// What cannot be answered.
struct Refusal: Error, CustomStringConvertible {
  var words: [String]
  init(_ words: [String]) { self.words = words }
  var description: String { "refused: \(words.joined(separator: " "))" }
}
