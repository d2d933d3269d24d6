import Foundation
import Plumbline
import PlumblineModel
import PlumblineTestSupport
import Testing

/// Measuring in PLY meshes, and the drawings of floor plans.
@Suite struct MeshMeasurerTests {
  static let statements = [
    "unit meter", "frame world: z up",
    "plumbline shared length-share=0.002 normal-m=0.001 place-m=0.002 near-m=0.5",
  ]

  private func cloud(
    _ surface: TrialSurface, comments: [String] = statements, sigma: Double? = 0.003
  ) throws -> MeasurableCloud {
    try MeasurableCloudReader()
      .cloud(from: surface.ply(comments: comments, sigma: sigma), fileName: "mesh.ply")
  }

  private let box = TrialSurface.box([0.4, 0.3, 0.25], spacing: 0.05).joined()
  private let room = TrialSurface.room(
    [[0, 0], [5, 0], [5, 2], [3, 2], [3, 4], [0, 4]], height: 2.4, spacing: 0.1)

  @Test func aBoxIsMeasuredAndBelieved() throws {
    let cloud = try cloud(box)
    #expect(cloud.triangleCount == box.triangles.count)
    let result = CloudMeasurer(cloud).measure([
      .volume(.all), .area(.all), .box(.all),
      .section(try #require(SectionPlane(point: [0, 0, 0.1], normal: [0, 0, 1]))),
    ])
    let values = result.measurements.map { $0.value?.value ?? .nan }
    let expected = [0.03, 0.59, 0.4, 0.3, 0.25, 1.4, 0.12]
    #expect(result.measurements.count == 7 && result.isBelievable)
    for (index, (value, expected)) in zip(values, expected).enumerated() {
      // What single vertices add to the area on average is taken off: σ²/spacing² of it.
      #expect(abs(value - expected) < (index == 1 ? 0.005 : 1e-9), "\(index): \(value)")
    }
    #expect(result.measurements.allSatisfy { ($0.value?.sigma ?? 0) > 0 })
    #expect(
      result.measurements.map(\.name) == [
        nil, nil, "width", "height", "depth", "length", "area",
      ])
  }

  @Test func aNumberBelowItsErrorIsNotBelieved() throws {
    // The whole surface may be 0.3 m elsewhere in places that are 0.5 m apart.
    let result = CloudMeasurer(
      try cloud(
        box,
        comments: [
          "unit meter", "frame world: z up",
          "plumbline shared length-share=0.002 normal-m=0.3 place-m=0.002 near-m=0.5",
        ], sigma: 0.301)
    ).measure([
      .volume(.all), .area(.all), .box(.all),
      .section(try #require(SectionPlane(point: [0, 0, 0.1], normal: [0, 0, 1]))),
    ])
    for measurement in result.measurements {
      let value = try #require(measurement.value)
      let isUseless = abs(value.value) < 3 * (value.sigma ?? 0)
      #expect(measurement.reasons.contains { $0.contains("mostly error") } == isUseless)
      #expect(isUseless == !measurement.isBelievable)
    }
    #expect(result.measurements.contains { !$0.isBelievable && $0.request == .area(.all) })
  }

  @Test func withoutStatementsNothingIsBelievable() throws {
    let bare = CloudMeasurer(try cloud(box, comments: [], sigma: nil)).measure([.volume(.all)])
    #expect(abs((bare.measurements[0].value?.value ?? 0) - 0.03) < 1e-9)
    #expect(bare.measurements[0].value?.sigma == nil && !bare.isBelievable)
    #expect(bare.measurements[0].reasons.contains { $0.contains("no sigma") })
    let near = CloudMeasurer(
      try cloud(box, comments: ["unit meter", "plumbline shared length-share=0.01"])
    ).measure([.volume(.all)])
    #expect(!near.isBelievable)
    #expect(near.measurements[0].reasons.contains { $0.contains("near-m") })
    #expect(near.measurements[0].reasons.count == 1)
  }

  @Test func refusalsSayWhy() throws {
    let open = TrialSurface.box([0.4, 0.3, 0.25], spacing: 0.05, hasBottom: false).joined()
    let measurer = CloudMeasurer(try cloud(open))
    let far = CloudRegion([9, 9, 9], size: [1, 1, 1])
    let requests: [(CloudMeasurementRequest, String)] = [
      (.volume(.all), "28 edges"), (.area(far), "No triangle"),
      (
        .section(try #require(SectionPlane(point: [0, 0, 5], normal: [0, 0, 1]))),
        "does not cut"
      ),
      (.box(CloudRegion([0, 0, 0.2], size: [1, 1, 1])), "Nothing stands"),
      (.floorPlan(heightMeters: 1.2), "wall"),
    ]
    for (request, words) in requests {
      let found = measurer.measure([request]).measurements
      #expect(found.count == 1 && found[0].value == nil, "\(request)")
      #expect(found[0].reasons.contains { $0.contains(words) }, "\(found[0].reasons)")
    }
    let points = Array(
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\nproperty double z\nend_header\n0 0 1\n"
        .utf8)
    let cloud = try MeasurableCloudReader().cloud(from: points, fileName: "points.ply")
    #expect(cloud.triangleCount == nil)
    for request in requests.map(\.0) {
      let found = CloudMeasurer(cloud).measure([request]).measurements
      #expect(found[0].reasons.contains { $0.contains("no triangles") }, "\(request)")
    }
  }

  @Test func aRoomHasItsPlanAndItsNumbers() throws {
    let plan = CloudMeasurer(try cloud(room)).floorPlan(heightMeters: 1.2)
    #expect(plan.isDrawable)
    #expect(plan.measurements.count == 9 && plan.measurements.allSatisfy { $0.isBelievable })
    let names = plan.measurements.map(\.name)
    #expect(names == (1...6).map { "wall \($0)" } + ["area", "perimeter", "ceiling height"])
    let values = plan.measurements.compactMap { $0.value?.value }
    #expect(values.prefix(6).sorted().map { ($0 * 1e6).rounded() / 1e6 } == [2, 2, 2, 3, 4, 5])
    #expect(abs(values[6] - 16) < 1e-6 && abs(values[7] - 18) < 1e-6 && abs(values[8] - 2.4) < 1e-6)
    // The same by the request.
    let same = CloudMeasurer(try cloud(room)).measure([.floorPlan(heightMeters: 1.2)])
    #expect(same.measurements.map(\.value) == plan.measurements.map(\.value))
  }

  @Test func theDrawingsHaveEachWallWithItsLength() throws {
    let plan = CloudMeasurer(try cloud(room)).floorPlan(heightMeters: 1.2)
    let svg = String(decoding: try #require(plan.svg), as: UTF8.self)
    #expect(svg.components(separatedBy: "class=\"wall\"").count - 1 >= 7)
    #expect(
      svg.contains("5.000 ± 0.0") && svg.contains("area 16.0") && svg.contains("ceiling 2.400"))
    #expect(svg.contains("1:50") && !svg.contains("nan") && !svg.contains("inf"))
    let dxf = String(decoding: try #require(plan.dxf), as: UTF8.self)
    #expect(dxf.allSatisfy { $0.isASCII })
    let lines = dxf.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count { $0 == "DIMENSION" } == 6 && lines.count { $0 == "BLOCK" } == 6)
    // Walls: LINE, layer, then the ends as pairs of code and number.
    var walls: [Double] = []
    for index in lines.indices.dropLast(16)
    where lines[index] == "LINE" && lines[index + 2] == "WALLS" {
      let ends = [4, 6, 10, 12].compactMap { Double(lines[index + $0]) }
      guard ends.count == 4 else { continue }
      let (x, y) = (ends[2] - ends[0], ends[3] - ends[1])
      walls.append((x * x + y * y).squareRoot())
    }
    #expect(walls.count == 6 && abs(walls.reduce(0, +) - 18) < 1e-4, "\(walls)")
  }

  @Test func namesOfFilesAreWrittenSafely() throws {
    let bytes = room.ply(comments: Self.statements, sigma: 0.003)
    let cloud = try MeasurableCloudReader().cloud(from: bytes, fileName: "<b>&\nä.ply")
    let plan = CloudMeasurer(cloud).floorPlan(heightMeters: 1.2)
    let svg = String(decoding: try #require(plan.svg), as: UTF8.self)
    #expect(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"))
    let dxf = String(decoding: try #require(plan.dxf), as: UTF8.self)
    #expect(dxf.hasPrefix("999\nFloor plan of <b>&") && dxf.allSatisfy { $0.isASCII })
  }

  @Test(.enabled(if: PythonPeer.has("ezdxf"), "\(PythonPeer.absence("ezdxf"))"))
  func ezdxfReadsTheSame() throws {
    let folder = try TemporaryFolder()
    let plan = CloudMeasurer(try cloud(room)).floorPlan(heightMeters: 1.2)
    try folder.put(try #require(plan.dxf), at: "plan.dxf")
    let text = String(
      decoding: try PythonPeer.run("dxf_plan.py", folder.file("plan.dxf")), as: UTF8.self)
    let numbers = text.split(separator: "\n").compactMap { Double($0) }
    // The errors that an audit finds, then the measured dimensions.
    #expect(numbers.count == 7 && numbers[0] == 0, "\(text)")
    #expect(
      numbers.dropFirst().sorted().map { ($0 * 1e5).rounded() / 1e5 } == [2, 2, 2, 3, 4, 5])
  }

  @Test func brokenFacesAreRefused() throws {
    func mesh(_ faces: [String], type: String = "list uchar int vertex_indices") -> [UInt8] {
      let header = [
        "ply", "format ascii 1.0", "element vertex 3", "property double x", "property double y",
        "property double z", "element face \(faces.count)", "property \(type)", "end_header",
        "0 0 0", "1 0 0", "0 1 0",
      ]
      return Array(((header + faces).joined(separator: "\n") + "\n").utf8)
    }
    func count(_ bytes: [UInt8]) throws -> Int? {
      try MeasurableCloudReader().cloud(from: bytes, fileName: "a.ply").triangleCount
    }
    #expect(try count(mesh(["3 0 1 2"])) == 1)
    #expect(try count(mesh(["4 0 1 2 0", "2 0 1", "0"])) == 1)
    #expect(try count(mesh(["3 0 1 2"], type: "list uchar int other")) == nil)
    for faces in [["3 0 1 3"], ["3 0 1 -1"], ["3 0 1"], ["3 0 1 1.5"], ["2000 0 1 2"]] {
      #expect(throws: CaptureReadingError.self) { try count(mesh(faces)) }
    }
  }
}
