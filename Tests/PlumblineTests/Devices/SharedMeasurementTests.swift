import Foundation
import Plumbline
import PlumblineSimulation
import PlumblineTestSupport
import Testing

/// What `verify` writes for others says nothing of who measured.
@Suite struct SharedMeasurementTests {
  /// A document of `plumbline.verify/1` whose every text is one of `texts` in turn, but for the words of
  /// fixed lists.
  static func verification(model: String, texts: [String]) -> String {
    func text(_ index: Int) -> String {
      JSONWriter(layout: .compact).text(.string(texts[index % texts.count]))
    }
    return """
      {"schema": "plumbline.verify/1", "folder": \(text(0)), "source": {"make": \(text(1)), \
      "model": \(JSONWriter(layout: .compact).text(.string(model))), "os": \(text(2)), \
      "camera": "trueDepth", "api": "avfoundation", "rectified": true, "referenceWidth": 2016, \
      "referenceHeight": 1512, "month": "2026-11", "lens": \(text(3)), "artist": \(text(4)), \
      "capturedAt": \(text(5))}, "image": {"width": 640, "height": 480}, "framesUsed": 20, \
      "factoryCenter": [320.53, 241.1], "board": {"kind": "charuco", "columns": 10, "rows": 8, \
      "squareMillimeters": 20.875, "dictionary": "DICT_ARUCO_ORIGINAL", "layout": \(text(6))}, \
      "focal": {"factory": 565.644499, "measured": 531.5225, "sigma": 0.27}, \
      "models": [{"name": "focal", "focal": 531.5225, "sigma": 0.27}], "model": "focal", \
      "verdict": "doesNotFit", "reason": \(text(7)), "outputs": {"report": \(text(8))}}
      """
  }

  static let personal = [
    "Jürgen's iPad", "/home/juergen/board frames", "Jürgen Müller", "SN-F9FXK1ABC",
    "2026:11:28 09:15:00", "48.137154, 11.576124", "Studio Müller", "C:\\Users\\juergen",
  ]

  @Test("No text of the document is in the file, whatever stands in it")
  func law() throws {
    var random = SeededGenerator(seed: 51)
    for trial in 0..<60 {
      let texts = (0..<9).map { _ -> String in
        let base = Self.personal[random.integer(below: Self.personal.count)]
        return base + String(random.integer(below: 1_000_000))
      }
      let document = try JSONValue(
        parsing: Array(Self.verification(model: "iPad13,8", texts: texts).utf8))
      let shared = try DeviceMeasurement(verification: document, program: "plumbline test")
      let file = JSONWriter().text(shared.document)
      for text in texts {
        #expect(!file.contains(text), "\(trial): \(text)")
        for word in text.split(separator: " ") where word.count > 3 {
          #expect(!file.contains(word), "\(trial): \(word)")
        }
      }
      for word in ["juergen", "rgen", "ller", "320.53", "241.1"] { #expect(!file.contains(word)) }
      #expect(shared.month == "2026-11" && shared.configuration.make == nil)
      // What was written can be read, and is the same.
      #expect(try DeviceMeasurement(parsing: Array(file.utf8)) == shared)
    }
  }

  @Test("A model is written by a name of the catalog, as an identifier or of words of models only")
  func models() throws {
    let catalog = DeviceCatalog.bundled
    for (name, expected) in [
      ("iPad13,8", "iPad Pro (12.9-inch) (5th generation)"), ("iPhone99,1", "iPhone99,1"),
      ("iPhone 16 Pro Max", "iPhone 16 Pro Max"), ("iPhone 16e", "iPhone 16e"),
      ("iPad Pro 13-inch (M4)", "iPad Pro 13-inch (M4)"),
    ] {
      #expect(catalog.impersonalName(of: name) == expected)
    }
    for name in [
      "Jürgen's iPad", "iPhone von Anna", "iPad of 4711-22-33", "iPhone 123456", "", "Pixel 9",
      "iPhone 13 SN F9FXK1", "iPad13,8 Anna", "iPad 12345,1",
    ] {
      #expect(catalog.impersonalName(of: name) == nil, "\(name)")
      let text = Self.verification(model: name, texts: Self.personal)
      let error = #expect(throws: DeviceMeasurementError.self) {
        try DeviceMeasurement(
          verification: JSONValue(parsing: Array(text.utf8)), program: "plumbline test")
      }
      if name != "" { #expect(error.map { !$0.description.contains(name) } == true) }
    }
  }

  @Test("Numbers that are not the device's own are refused")
  func foreign() throws {
    let good = Self.verification(model: "iPad13,8", texts: ["x"])
    let changes: [(String, String, String)] = [
      (
        "\"framesUsed\": 20", "\"framesUsed\": 20, \"earlierSteps\": [{\"name\": \"x\"}]",
        "earlierSteps"
      ),
      (
        "\"verdict\"",
        "\"length\": {\"measuredPercent\": 4, \"plusMinusPercent\": 0.6}, \"verdict\"", "length"
      ),
      ("\"model\": \"focal\"", "\"model\": null", "focal"),
      ("\"factory\": 565.644499", "\"factory\": null", "focal"),
    ]
    for (old, new, place) in changes {
      let text = good.replacing(old, with: new)
      #expect(text != good)
      let error = #expect(throws: DeviceMeasurementError.self) {
        try DeviceMeasurement(
          verification: JSONValue(parsing: Array(text.utf8)), program: "plumbline test")
      }
      #expect(error?.reason == .missing && error?.place.contains(place) == true)
    }
  }

  @Test("A version is a number of at most three parts")
  func versions() throws {
    for (text, version) in [
      ("15.2.1", "15.2.1"), ("iOS 15", "15"), ("16.2.1.4", "16.2.1"), ("Jürgen", nil),
      ("4711471147114711", nil),
    ] {
      let document = Self.verification(
        model: "iPad13,8", texts: ["a", "b", text, "d", "e", "f", "g", "h", "i"])
      let shared = try DeviceMeasurement(
        verification: JSONValue(parsing: Array(document.utf8)), program: "plumbline test")
      #expect(shared.configuration.system == version)
    }
  }
}
