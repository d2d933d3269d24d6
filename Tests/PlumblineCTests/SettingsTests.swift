import CPlumbline
import Plumbline
import PlumblineC
import PlumblineTestSupport
import Testing

/// Settings of the C functions: each wrong one is refused with its place, what was expected and found.
@Suite struct SettingsTests {
  @Test(
    "What is no object of known names is refused",
    arguments: [
      ("", "settings"), ("{", "settings"), ("[]", "settings"), ("3", "settings"),
      (#"{"framee": 3}"#, "settings/framee"), (#"{"frame": -1}"#, "settings/frame"),
      (#"{"frame": true}"#, "settings/frame"), (#"{"threads": 0}"#, "settings/threads"),
      (#"{"threads": 2.5}"#, "settings/threads"), (#"{"memory": "1"}"#, "settings/memory"),
      (#"{"metric": 1}"#, "settings/metric"), (#"{"depth-unit": "yd"}"#, "settings/depth-unit"),
      (#"{"known-distance": "1,2"}"#, "settings/known-distance"),
      (#"{"known-distance": ["1,2=3", "1,2=3", "1,2=3"]}"#, "settings/known-distance"),
      (#"{"calibration": {}}"#, "settings/calibration"), (#"{"device": []}"#, "settings/device"),
      (#"{"threads": 1, "threads": 1}"#, "settings"),
    ])
  func refused(settings: String, place: String) throws {
    let bytes = try SampleCapture.small()
    let failure = #expect(throws: CInterface.Failure.self) {
      try OpenedCapture(bytes, name: "small.jpg", settings)
    }
    #expect(failure?.category == PLUMBLINE_USAGE.rawValue, "\(failure?.message ?? "")")
    #expect(failure?.place?.hasPrefix(place) == true, "\(failure?.place ?? "none")")
    #expect(failure?.expected?.isEmpty == false && failure?.found?.isEmpty == false)
  }

  @Test("Null is as good as nothing, and every setting is taken")
  func taken() throws {
    let bytes = try SampleCapture.small()
    let plain = try OpenedCapture(bytes, name: "small.jpg").verdict
    let nothing = #"{"frame": null, "threads": null, "metric": false}"#
    #expect(try OpenedCapture(bytes, name: "small.jpg", nothing).verdict == plain)
    #expect(try OpenedCapture(bytes, name: "small.jpg", #"{"threads": 7}"#).verdict == plain)
    let named = try OpenedCapture(bytes, name: "small.jpg", #"{"device": "iPhone 12 Pro"}"#)
    #expect(try named.verdict.contains("iPhone 12 Pro"))
  }

  @Test("The most bytes hold before anything is copied")
  func memory() throws {
    let bytes = try SampleCapture.small()
    let failure = #expect(throws: CInterface.Failure.self) {
      try OpenedCapture(bytes, name: "small.jpg", #"{"memory": 1000}"#)
    }
    #expect(failure?.category == PLUMBLINE_UNUSABLE_INPUT.rawValue)
    #expect(failure?.message.contains("1000") == true)
  }

  @Test(
    "Steps and measurements refuse what they do not know",
    arguments: [
      (#"{"preset": "best"}"#, "settings/preset"), (#"{"decimate": 9}"#, "settings/decimate"),
      (#"{"depth-range": "2:1"}"#, "settings/depth-range"),
      (#"{"depth-range": "1:x:2"}"#, "settings/depth-range"), (#"{"frame": 1}"#, "settings/frame"),
    ])
  func filterSettings(settings: String, place: String) throws {
    let capture = try OpenedCapture(try SampleCapture.small(), name: "small.jpg")
    let failure = #expect(throws: CInterface.Failure.self) {
      OpenedCapture(
        try CInterface.calling { plumbline_capture_filter(capture.handle, settings, $0) })
    }
    #expect(failure?.category == PLUMBLINE_USAGE.rawValue && failure?.place == place)
  }

  @Test(
    "Places are written as the command takes them",
    arguments: [
      #"{"distance": "1,2"}"#, #"{"distance": "1,2:3,x"}"#, #"{"plane": "1,2,0x4"}"#,
      #"{"height": "1,2"}"#, #"{"angle": "depth:1,2:3,4"}"#, #"{"point": 3}"#, "{}",
    ])
  func places(settings: String) throws {
    let capture = try OpenedCapture(try SampleCapture.small(), name: "small.jpg")
    let failure = #expect(throws: CInterface.Failure.self) {
      try CInterface.text { plumbline_capture_measure(capture.handle, settings, $0) }
    }
    #expect(failure?.category == PLUMBLINE_USAGE.rawValue)
  }
}
