import PlumblineGeometry
import PlumblineIO
import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import Testing

@testable import Plumbline

/// What a page gets of a scan.
@Suite struct ScanViewTests {
  private func json(_ view: ScanView, _ request: ViewRequest) async throws -> JSONValue {
    let response = await view.response(to: request)
    #expect(response.status == 200)
    return try JSONValue(parsing: response.bytes)
  }

  private func ply() -> [UInt8] {
    Array(
      """
      ply
      format ascii 1.0
      comment unit meter
      comment frame camera: x right, y down, z forward
      element vertex 3
      property float x
      property float y
      property float z
      property float sigma
      element face 1
      property list uchar int vertex_indices
      end_header
      0 0 1 0.001
      1 0 1 0.002
      0 1 1 nan
      3 0 1 2

      """.utf8)
  }

  @Test("A surface of a file is shown at once, upright where the file says what is up")
  func file() async throws {
    let view = try #require(try ScanView.surface(of: ply(), named: "a\u{7}.ply"))
    let state = try await json(view, .scan(from: 0))
    #expect(state["schema"]?.string == "plumbline.scan-view/1")
    #expect(state["stage"]?.string == "finished" && state["frames"]?.isNull == true)
    #expect(state["title"]?.string?.contains("\u{7}") == false)
    let surface = try #require(state["surface"])
    #expect(surface["number"]?.integer == 1 && surface["triangles"]?.integer == 1)
    let message = await view.response(to: .scanSurface(1)).bytes
    #expect(message.prefix(4) == Array("PLM1".utf8)[...])
    // Three vertices with sigma and without colors, and a triangle.
    #expect(message.count == 20 + 3 * 12 + 12 + 3 * 4 && message[16] == 1)
    // The last corner: y down and z forward become y up and z to the viewer.
    let y = message[(20 + 28)..<(20 + 32)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    let z = message[(20 + 32)..<(20 + 36)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    #expect(Float(bitPattern: y) == -1 && Float(bitPattern: z) == -1)
    #expect(await view.response(to: .scanSurface(2)).status == 404)
    #expect(await view.response(to: .overview).status == 404)
  }

  @Test("A page that has just read a number gets that surface, although a newer one has come")
  func earlierSurface() async throws {
    let mesh = try TriangleMesh(
      positions: [
        PackedPoint(x: 0, y: 0, z: 1), PackedPoint(x: 1, y: 0, z: 1), PackedPoint(x: 0, y: 1, z: 1),
      ],
      triangles: [TriangleIndices(0, 1, 2)])
    let view = ScanView(title: "a")
    var statuses: [[Int]] = []
    for _ in 0..<3 {
      view.show(mesh, fragment: 0)
      var answers: [Int] = []
      for number in 0...4 {
        answers.append(await view.response(to: .scanSurface(number)).status)
      }
      statuses.append(answers)
    }
    #expect(
      statuses == [
        [404, 200, 404, 404, 404], [404, 200, 200, 404, 404], [404, 404, 200, 200, 404],
      ])
  }

  @Test("A cloud and a capture are no surface; a damaged mesh is refused")
  func otherFiles() throws {
    let cloud = Array(
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 1\n"
        .utf8)
    #expect(try ScanView.surface(of: cloud, named: "c.ply") == nil)
    #expect(try ScanView.surface(of: [0xFF, 0xD8], named: "c.jpg") == nil)
    for length in [40, 200, 260] {
      do {
        _ = try ScanView.surface(of: Array(ply().prefix(length)), named: "a.ply")
      } catch { #expect(error.reason != .unsupported) }
    }
  }

  @Test("The path comes in pieces, and anew when a surface begins or poses were corrected")
  func path() throws {
    var trajectory = Trajectory()
    var path = ViewedPath()
    func add(_ state: TrackingState, fragment: Int = 0) {
      var frame = TrackedFrame(index: trajectory.frames.count, state: state, fragment: fragment)
      if frame.isFused {
        frame.estimate = PoseEstimate(
          aFromB: RigidTransform(
            rotation: .identity, translation: [Double(trajectory.frames.count), 0, 0]),
          covariance: .init(count: 6))
      }
      trajectory.frames.append(frame)
      path.follow(trajectory)
    }
    add(.started)
    add(.lost(.noOverlap))
    add(.tracked)
    let first = path.document(from: 1, in: .world(.yUp))
    #expect(first["count"]?.integer == 2 && first["from"]?.integer == 1)
    #expect(first["points"]?.numbers == [2, 0, 0])
    #expect(first["camera"]?.numbers?.count == 12)
    // A page that has more than there is begins anew.
    #expect(path.document(from: 9, in: .camera)["from"]?.integer == 2)
    let before = path.generation
    add(.started, fragment: 1)
    #expect(path.generation == before + 1 && path.positions.count == 1)
    path.follow(trajectory, fragment: 0)
    #expect(path.generation == before + 2 && path.positions.count == 2)
    for _ in 0..<(ViewedPath.pieceCount + 10) { add(.tracked, fragment: 1) }
    let piece = path.document(from: 0, in: .camera)["points"]?.elements?.count
    #expect(piece == 3 * ViewedPath.pieceCount)
  }

  @Test("Surfaces take at most a tenth of the time, and come at most twice a second")
  func share() {
    var clock = SnapshotClock()
    let start = ContinuousClock.now
    #expect(clock.isDue(at: start))
    clock.took(from: start, to: start + .milliseconds(300))
    let end = start + .milliseconds(300)
    #expect(!clock.isDue(at: end + .milliseconds(2990)))
    #expect(clock.isDue(at: end + .milliseconds(3001)))
    clock.took(from: end, to: end + .milliseconds(1))
    #expect(!clock.isDue(at: end + .milliseconds(400)) && clock.isDue(at: end + .milliseconds(502)))
  }

  @Test("The speed is that of the last seconds, and the rest follows from it")
  func rate() throws {
    var rate = ScanRate()
    #expect(rate.framesPerSecond == nil)
    let start = ContinuousClock.now
    for frame in 0..<100 { rate.add(at: start + .milliseconds(500 * frame)) }
    #expect(abs(try #require(rate.framesPerSecond) - 2) < 1e-9)
    rate.add(at: start + .seconds(80))
    #expect(try #require(rate.framesPerSecond) < 0.04)
    var progress = ScanProgress(stage: .fusing, frameCount: 30)
    progress.doneCount = 10
    progress.framesPerSecond = 4
    #expect(progress.secondsLeft == 5)
    progress.frameCount = nil
    #expect(progress.secondsLeft == nil)
  }
}
