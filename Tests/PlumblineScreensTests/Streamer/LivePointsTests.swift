import Plumbline
import PlumblineCapture
import PlumblineGeometry
import PlumblineModel
import PlumblineScreens
import PlumblineTestSupport
import Testing

@Suite("Points of a live frame")
struct LivePointsTests {
  @Test("They are the points of the analysis of the same frame")
  func positions() async throws {
    let frame = try #require(try await Frames.simulated(1).compactMap(\.frame).first)
    let cloud = try #require(CaptureAnalyzer().analyze(frame, fileName: "frame").pointCloud)
    var display = DepthDisplay(for: .trueDepth)
    display.depthShare = 0
    let points = try #require(LivePoints(frame, display: display))
    #expect(points.isMetric && points.vertices.count == cloud.count && cloud.count > 1000)
    let colors = try #require(cloud.colors)
    for index in 0..<cloud.count {
      let (vertex, position, color) = (
        points.vertices[index], cloud.positions[index], colors[index]
      )
      #expect(vertex.x == position.x && vertex.y == position.y && vertex.z == position.z)
      let word = UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16
      #expect(vertex.color == word | 255 << 24)
    }
  }

  @Test("A shader reads 16 bytes a point, without gaps")
  func layout() {
    #expect(MemoryLayout<PointVertex>.size == 16 && MemoryLayout<PointVertex>.stride == 16)
    #expect(MemoryLayout<PointVertex>.offset(of: \.color) == 12)
    #expect(MemoryLayout<TransformMatrix>.size == 64 && MemoryLayout<PointProjection>.stride == 80)
    #expect(MemoryLayout<PointProjection>.offset(of: \.pointScale) == 64)
  }

  @Test("Colors of depth are those of the image with the same slider")
  func colors() throws {
    let capture = Frames.capture { x, y in x == 3 ? .nan : 0.2 + 0.1 * Float(x + y) }
    var display = DepthDisplay(for: .trueDepth)
    let points = try #require(LivePoints(capture, display: display))
    let image = try #require(BlendedImage(capture, display: display).image)
    var expected: [UInt32] = []
    for y in 0..<Frames.size.height {
      for x in 0..<Frames.size.width where x != 3 {
        let color = image[x, y]
        expected.append(
          UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 255 << 24)
      }
    }
    #expect(points.vertices.map(\.color) == expected)
    display.depthShare = 0.5
    #expect(LivePoints(capture, display: display)?.vertices.map(\.color) != expected)
  }

  @Test("Without depth or without a camera matrix there are no points")
  func none() {
    var capture = Frames.capture { _, _ in 0.5 }
    capture.depth?.calibration = nil
    #expect(LivePoints(capture, display: DepthDisplay(for: .trueDepth)) == nil)
    capture.depth = nil
    #expect(LivePoints(capture, display: DepthDisplay(for: .trueDepth)) == nil)
  }
}
