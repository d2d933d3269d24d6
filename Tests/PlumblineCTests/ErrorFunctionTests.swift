import CPlumbline
import Foundation
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// Errors as values, and bytes of which some are missing or wrong.
@Suite struct ErrorFunctionTests {
  @Test("Parts are those of the library's error")
  func parts() throws {
    let missing = #expect(throws: CInterface.Failure.self) { try OpenedCapture("/nowhere/a.heic") }
    let expected = ErrorDocument(InputError.notFound(path: "/nowhere/a.heic"))
    #expect(missing?.category == PLUMBLINE_MISSING_INPUT.rawValue)
    #expect(missing?.message == expected.message && missing?.file == expected.file)
    #expect(missing?.expected == expected.expected && missing?.found == expected.found)
    #expect(missing?.json == JSONWriter(layout: .compact).text(expected.json))
    let bytes = Array("GIF89a, which is no capture".utf8)
    let other = #expect(throws: CInterface.Failure.self) { try OpenedCapture(bytes, name: "a.gif") }
    #expect(other?.category == PLUMBLINE_UNUSABLE_INPUT.rawValue)
    #expect(other?.place == "byte 0" && other?.file == "a.gif" && other?.found == "a GIF image")
  }

  @Test("NULL is freed, and NULL in place of an argument is an error")
  func null() {
    plumbline_capture_free(nil)
    plumbline_recording_free(nil)
    plumbline_error_free(nil)
    plumbline_text_free(nil)
    #expect(plumbline_capture_open("/nowhere", nil, nil) == nil)
    let path: UnsafePointer<CChar>? = nil
    let failure = #expect(throws: CInterface.Failure.self) {
      try CInterface.calling { plumbline_capture_open(path, nil, $0) }
    }
    #expect(failure?.category == PLUMBLINE_USAGE.rawValue && failure?.found == "NULL")
    #expect(plumbline_is_recording("/nowhere", nil) == -1)
    #expect(String(cString: plumbline_version()) == PlumblineVersion.text)
    #expect(plumbline_interface() == PLUMBLINE_INTERFACE)
  }

  @Test("A text that is not UTF-8 is refused")
  func encoding() {
    let bytes: [CChar] = [0x2F, -1, 0]
    let failure = #expect(throws: CInterface.Failure.self) {
      try CInterface.calling { plumbline_capture_open(bytes, nil, $0) }
    }
    #expect(failure?.expected == "UTF-8")
  }

  /// Opens bytes and reads all that there is; what fails must say why.
  private func readAll(_ bytes: [UInt8], _ what: String) {
    do {
      let capture = try OpenedCapture(bytes, name: "damaged")
      for name in ["depth", "depth.sigma", "color", "points", "confidence"] {
        do { _ = try capture.array(name) } catch {
          #expect((error as? CInterface.Failure)?.message.isEmpty == false, "\(what): \(name)")
        }
      }
      _ = try capture.verdict
    } catch {
      let category = (error as? CInterface.Failure)?.category
      #expect(category == PLUMBLINE_UNUSABLE_INPUT.rawValue, "\(what): \(error)")
    }
  }

  @Test("A file that ends early at any byte is read or refused with the reason")
  func truncated() throws {
    let bytes = try SampleCapture.small()
    for count in 0..<bytes.count { readAll(Array(bytes.prefix(count)), "\(count) bytes") }
  }

  @Test("Bundled captures with flipped bits are read or refused", arguments: SampleFiles.bundled)
  func flipped(path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for seed in 0..<40 {
      readAll(ByteDamage.flipped(bytes, seed: UInt64(seed)), "seed \(seed)")
    }
  }
}
