import Foundation
import PlumblineModel
import PlumblineRecordings
import PlumblineTestSupport
import Testing
@testable import PlumblineImages

/// Real RGB-D folders against OpenCV, tifffile and numpy.
@Suite(
  "Real RGB-D folders", .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)))
struct RealRGBDFolderTests {
  struct Facts: Decodable {
    var width, height, count: Int
    var median, sum, middle: Double
  }

  static func folder(_ path: String) throws -> Recording {
    try Recording(folder: DiskFolder(RealData.url(path)))
  }

  /// The folder, its layout, and for each frame its name, rule and file.
  static let folders: [(String, String, [(String, String, String)])] = [
    (
      "rgbd/open3d/RGBD", "Open3D RGB-D folder",
      (0..<5).map { ("0000\($0)", "mm", "depth/0000\($0).png") }
    ),
    ("lidar/promptda", "loose depth and color files", [("arkit", "mm", "arkit_depth.png")]),
    (
      "lidar/ioridev", "loose depth and color files",
      [("1721362630.651355", "m", "1721362630.651355_depth.tiff")]
    ),
    (
      "noisy-rgbd", "loose depth and color files",
      ["0", "2", "4", "6"].map { ($0, "mm", "\($0)/raw_depth.png") }
    ),
    (
      "rgbd/open3d/RGBD/other_formats", "loose depth and color files",
      [
        ("NYU", "nyu", "NYU_depth.pgm"), ("SUN", "sun", "SUN_depth.png"),
        ("TUM", "tum", "TUM_depth.png"),
      ]
    ),
  ]

  @Test(
    "Gives the depths that OpenCV, tifffile and numpy give",
    .enabled(
      if: PythonPeer.has("numpy", "cv2", "tifffile"),
      Comment(rawValue: PythonPeer.absence("numpy, cv2, tifffile"))),
    arguments: folders.indices)
  func depths(index: Int) throws {
    let (path, layout, frames) = Self.folders[index]
    let recording = try Self.folder(path)
    #expect(recording.layout == layout)
    #expect(recording.frameNames == frames.map(\.0))
    let root = try RealData.url(path).path
    let expected = try JSONDecoder().decode(
      [Facts].self,
      from: Data(
        try PythonPeer.run("depth_files.py", arguments: frames.map { "\($0.1):\(root)/\($0.2)" })))
    // A debug build decodes few PNGs a second: the first and the last stand for all of a camera.
    let chosen = layout.hasPrefix("Open3D") ? [0, 4] : Array(frames.indices)
    for index in chosen {
      let capture = try recording.capture(at: index, color: .none)
      guard case .depth(let map)? = capture.depth?.values else {
        Issue.record("no depth")
        continue
      }
      let facts = expected[index]
      #expect(map.size == RasterSize(width: facts.width, height: facts.height))
      let statistics = map.statistics
      #expect(statistics.validCount == facts.count)
      // Single precision, relative: half of 2⁻²³, and of the sum far less.
      #expect(abs((statistics.medianMeters ?? 0) - facts.median) <= 1e-7 * facts.median)
      let sum = map.meters.samples.reduce(0.0) { $1 > 0 ? $0 + Double($1) : $0 }
      #expect(abs(sum - facts.sum) < 1e-6 * facts.sum)
      let middle = map.meters[map.size.width / 3, map.size.height / 2]
      #expect(abs(Double(middle.isNaN ? 0 : middle) - facts.middle) <= 1e-7 * facts.middle)
      #expect(capture.depth?.hasUnit == true)
    }
  }

  @Test func colorsAndCamerasLieBesideThem() throws {
    let size = RasterSize(width: 640, height: 480)
    let photo = RasterSize(width: 1920, height: 1440)
    for (path, index, color, focal, point) in [
      ("rgbd/open3d/RGBD", 0, size, nil, nil),
      ("rgbd/open3d", 0, size, SIMD2(525.0, 525), SIMD2(319.5, 239.5)),
      ("lidar/promptda", 0, photo, nil, nil), ("lidar/ioridev", 0, photo, nil, nil),
      (
        "noisy-rgbd", 0, size, SIMD2(460.139587, 460.199005), SIMD2(319.656128, 237.396271)
      ),
      (
        "noisy-rgbd", 3, size, SIMD2(461.2757263183594, 461.51947021484375),
        SIMD2(324.9846496582031, 241.5243377685547)
      ),
      ("rgbd/open3d/RGBD/other_formats", 0, size, nil, nil),
      ("rgbd/open3d/RGBD/other_formats", 1, size, nil, nil),
    ] as [(String, Int, RasterSize, SIMD2<Double>?, SIMD2<Double>?)] {
      let capture = try Self.folder(path).capture(at: index, color: .preview(maximumSide: 160))
      #expect(capture.colorSize == color, "\(path)")
      #expect(capture.color != nil, "\(path)")
      #expect(capture.depth?.calibration?.intrinsics.focalLength == focal, "\(path)")
      #expect(capture.depth?.calibration?.intrinsics.principalPoint == point, "\(path)")
    }
    let lidar = try Self.folder("lidar/ioridev")
    #expect(lidar.frames.first?.timestampSeconds == 1721362630.651355)
  }

  @Test func saysWhatItTookForGranted() throws {
    let recording = try Self.folder("rgbd/open3d/RGBD/other_formats")
    for index in 0..<3 {
      let findings = try recording.capture(at: index, color: .none).findings
      #expect(findings.map(\.code) == [.depthEncodingAssumed], "\(recording.frameNames[index])")
      #expect(findings.first?.evidence.isEmpty == false)
    }
    #expect(
      try Self.folder("lidar/promptda").capture(at: 0, color: .none).findings.map(\.code)
        == [.depthUnitAssumed])
  }

  /// What one camera sees of another one's surface must lie where that one saw it.
  @Test func posesBringRealFramesTogether() throws {
    let recording = try Self.folder("rgbd/open3d")
    #expect(recording.frames.count == 5)
    let frames = try [0, 4].map { try recording.capture(at: $0, color: .none) }
    let poses = try frames.map { try #require($0.worldFromCamera) }
    let camera = try #require(frames[0].depth?.calibration?.intrinsics)
    let maps = try frames.map { frame in
      guard case .depth(let map)? = frame.depth?.values else {
        throw CocoaError(.featureUnsupported)
      }
      return map
    }
    func medianMillimeters(_ firstFromLast: RigidTransform) throws -> Double {
      var differences: [Double] = []
      for y in stride(from: 0, to: 480, by: 8) {
        for x in stride(from: 0, to: 640, by: 8) {
          let z = Double(maps[1].meters[x, y])
          guard z > 0 else { continue }
          let point = firstFromLast * camera.unproject([Double(x), Double(y)], depth: z)
          let pixel = camera.project(point)
          let (column, row) = (Int(pixel.x.rounded()), Int(pixel.y.rounded()))
          guard maps[0].meters.contains(x: column, y: row), maps[0].meters[column, row] > 0 else {
            continue
          }
          differences.append(abs(point.z - Double(maps[0].meters[column, row])) * 1000)
        }
      }
      #expect(differences.count > 2000)
      return differences.sorted()[differences.count / 2]
    }
    let moved = try medianMillimeters(poses[0].inverse * poses[1])
    // Measured: 5.6 mm, where the wrong way round gives 94 mm and no movement 40 mm.
    #expect(moved < 10)
    #expect(try medianMillimeters(poses[1].inverse * poses[0]) > 10 * moved)
    #expect(try medianMillimeters(.identity) > 5 * moved)
  }
}
