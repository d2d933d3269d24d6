import PlumblineCapture
import PlumblineModel
import PlumblineScreens
import PlumblineSimulation
import PlumblineTestSupport
import Testing

@Suite("Colors and distances of live depth")
struct DepthDisplayTests {
  @Test("Whatever the sliders do, near stays before far, within the limits")
  func range() {
    var generator = SeededGenerator(seed: 7)
    var range = DepthRange(limits: 0.1...2, nearMeters: 0.2, farMeters: 1.2)
    for _ in 0..<1000 {
      let value = Float.random(in: -1...4, using: &generator)
      if Bool.random(using: &generator) {
        range.nearMeters = value
        #expect(range.nearMeters == min(max(value, 0.1), 2 - DepthRange.minimumSpanMeters))
      } else {
        range.farMeters = value
        #expect(range.farMeters == min(max(value, 0.1 + DepthRange.minimumSpanMeters), 2))
      }
      #expect(range.farMeters - range.nearMeters >= DepthRange.minimumSpanMeters * 0.999)
      #expect(range.nearMeters >= 0.1 && range.farMeters <= 2)
    }
  }

  @Test("A number that is not finite moves no slider")
  func notFinite() {
    var display = DepthDisplay(for: .trueDepth)
    let before = display
    for value in [Float.nan, .infinity, -.infinity] {
      display.range.nearMeters = value
      display.range.farMeters = value
    }
    display.depthShare = .nan
    #expect(display == before && before.range.text == "0.20 m to 1.20 m")
    display.depthShare = 7
    #expect(display.depthShare == 1)
  }

  @Test("Every camera's own distances fit its sliders", arguments: CameraSelection.allCases)
  func cameras(camera: CameraSelection) {
    var display = DepthDisplay(for: .trueDepth)
    display.colorMap = .viridis
    display.changeCamera(to: camera)
    #expect(display.colorMap == .viridis)
    #expect(display.colors.span == camera.previewColors.span)
  }

  @Test("The legend says meters only of meters, and nothing of what was not measured")
  func legend() {
    let display = DepthDisplay(for: .trueDepth)
    let record = Frames.capture { x, _ in x < 4 ? 0.5 : .nan }.depth
    let values = record?.values
    #expect(values.map { display.legend(of: $0, isMetric: true) } == "near 0.20 m, far 1.20 m")
    #expect(
      values.map { display.legend(of: $0, isMetric: false) }
        == "near 0.20, far 1.20, no unit: relative depth")
    var automatic = display
    automatic.span = .automatic
    let empty = Frames.capture { _, _ in .nan }.depth?.values
    #expect(empty.map { automatic.legend(of: $0, isMetric: true) } == "nothing measured")
  }

  @Test("At its ends the blend slider shows one image alone, and colors lie between them elsewhere")
  func blend() throws {
    let capture = Frames.capture { x, y in 0.2 + 0.1 * Float(x + y) }
    var display = DepthDisplay(for: .trueDepth)
    func image(_ share: Double) throws -> Raster<RGB8> {
      display.depthShare = share
      return try #require(BlendedImage(capture, display: display).image)
    }
    let color = try image(0)
    #expect(color == capture.color)
    let depth = try image(1)
    #expect(depth.size == Frames.size)
    for share in [0.1, 0.5, 0.9] {
      let mixed = try image(share)
      #expect(mixed.size == color.size)
      for y in 0..<mixed.height {
        for x in 0..<mixed.width {
          let (a, b) = (color[x, y], depth[x / 2, y / 2])
          let exact = Double(a.red) * (1 - share) + Double(b.red) * share
          // The share is rounded to 1/256, the code to 1.
          #expect(abs(Double(mixed[x, y].red) - exact) <= 1.5)
        }
      }
    }
  }

  @Test("A mirrored image is the other one, mirrored, in every orientation")
  func mirror() throws {
    for orientation in ImageOrientation.allCases {
      let capture = Frames.capture(orientation: orientation) { x, y in 0.2 + 0.1 * Float(x + y) }
      var display = DepthDisplay(for: .trueDepth)
      display.depthShare = 0.5
      let plain = try #require(BlendedImage(capture, display: display).image)
      let mirrored = try #require(BlendedImage(capture, display: display, isMirror: true).image)
      #expect(mirrored == plain.oriented(by: .upMirrored))
    }
  }

  @Test("What is there alone is shown, whatever the slider says")
  func halves() {
    var display = DepthDisplay(for: .trueDepth)
    var capture = Frames.capture { _, _ in 0.5 }
    display.depthShare = 0
    let color = capture.color
    capture.color = nil
    #expect(BlendedImage(capture, display: display).image?.size == Frames.size)
    (capture.color, capture.depth) = (color, nil)
    display.depthShare = 1
    #expect(BlendedImage(capture, display: display).image == color)
    capture.color = nil
    #expect(BlendedImage(capture, display: display).image == nil)
  }
}
