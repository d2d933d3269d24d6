import CPlumbline
import Foundation
import Plumbline
import PlumblineC
import PlumblineTestSupport

/// The functions of plumbline.h as a program in C calls them, by the header's own declarations.
enum CInterface {
  /// What a failed call stored.
  struct Failure: Error, Equatable {
    var category: UInt32
    var message: String
    var file: String?
    var place: String?
    var expected: String?
    var found: String?
    var json: String

    /// Copies an error and frees it.
    init?(taking error: OpaquePointer?) {
      guard let error else { return nil }
      defer { plumbline_error_free(error) }
      func text(_ start: UnsafePointer<CChar>?) -> String? { start.map { String(cString: $0) } }
      category = plumbline_error_category(error).rawValue
      message = text(plumbline_error_message(error)) ?? ""
      file = text(plumbline_error_file(error))
      place = text(plumbline_error_place(error))
      expected = text(plumbline_error_expected(error))
      found = text(plumbline_error_found(error))
      json = text(plumbline_error_json(error)) ?? ""
    }
  }

  /// A function gave nothing and stored no error, which none may do.
  struct Silence: Error {}

  /// Runs a call that may fail, and throws what it stored.
  static func calling<Result>(
    _ work: (UnsafeMutablePointer<OpaquePointer?>) -> Result?
  ) throws -> Result {
    var error: OpaquePointer?
    let result = work(&error)
    let failure = Failure(taking: error)
    if let result, failure == nil { return result }
    throw failure ?? Silence() as any Error
  }

  /// The text of a call, copied and freed.
  static func text(
    _ work: (UnsafeMutablePointer<OpaquePointer?>) -> UnsafeMutablePointer<CChar>?
  ) throws -> String {
    let start = try calling(work)
    defer { plumbline_text_free(start) }
    return String(cString: start)
  }

  /// Runs a task without progress.
  static func run(
    _ task: String, _ inputs: [String], to output: String? = nil, _ settings: String? = nil,
    progress: plumbline_progress? = nil, context: UnsafeMutableRawPointer? = nil
  ) throws -> String {
    let copies = inputs.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    let pointers = copies.map { UnsafePointer<CChar>($0) }
    return try text {
      plumbline_run(task, pointers, pointers.count, output, settings, progress, context, $0)
    }
  }
}

/// A handle of a capture, freed with this value.
final class OpenedCapture {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Opens a file.
  convenience init(_ path: String, _ settings: String? = nil) throws {
    self.init(try CInterface.calling { plumbline_capture_open(path, settings, $0) })
  }

  /// Opens bytes.
  convenience init(_ bytes: [UInt8], name: String, _ settings: String? = nil) throws {
    self.init(
      try CInterface.calling {
        plumbline_capture_read(bytes, bytes.count, name, settings, $0)
      })
  }

  deinit { plumbline_capture_free(handle) }

  /// An array of the capture.
  func array(_ name: String) throws -> plumbline_array {
    var array = plumbline_array()
    _ = try CInterface.calling {
      plumbline_capture_array(handle, name, &array, $0) ? true : nil
    }
    return array
  }

  /// The elements of an array, copied.
  func elements<Element: BitwiseCopyable>(_ name: String, _ type: Element.Type) throws -> [Element]
  {
    let array = try array(name)
    let shape = [array.shape.0, array.shape.1, array.shape.2].prefix(Int(array.dimensions))
    let bytes = Int(shape.reduce(1, *)) * Self.bytes(of: array.element)
    guard let values = array.values else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: values, count: bytes).bindMemory(to: Element.self))
  }

  /// The bytes of one element.
  static func bytes(of element: plumbline_element) -> Int {
    switch element {
    case PLUMBLINE_UINT8: 1
    case PLUMBLINE_FLOAT32: 4
    default: 8
    }
  }

  var verdict: String {
    get throws { try CInterface.text { plumbline_capture_verdict(handle, $0) } }
  }
  var contents: String {
    get throws { try CInterface.text { plumbline_capture_contents(handle, $0) } }
  }
  var names: [String] {
    get throws {
      let text = try CInterface.text { plumbline_capture_array_names(handle, $0) }
      return try JSONValue(parsing: Array(text.utf8)).elements?.compactMap(\.string) ?? []
    }
  }
}

/// Files that the tests read.
enum SampleFiles {
  /// The bundled captures: one sound, one whose calibration contradicts itself.
  static let bundled = [SampleCapture.healthy, SampleCapture.untrusted]

  /// Writes a recording of small frames.
  static func writeRecording(_ count: Int, to path: String) throws {
    let captures = SampleCaptures.frames(count)
    let recording = Recording(
      layout: "sample",
      frames: captures.enumerated().map { index, capture in
        RecordedFrame(name: "\(index)", timestampSeconds: capture.timestampSeconds)
      }
    ) { index, _ throws(CaptureReadingError) in captures[index] }
    _ = try RecordingConverter(.mcap).convert(
      recording, indices: Array(captures.indices), path: path, origin: "sample")
  }
}
