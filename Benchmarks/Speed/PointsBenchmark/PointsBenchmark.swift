import Foundation
import PlumblineGeometry
import PlumblineModel
import PlumblineReconstruction

/// Works on point clouds for `peers/points.py`, which asks on standard input; each answer is a line of JSON.
///
///     load source|target PATH           raw Float32, three for each point
///     threads COUNT                     the maximum number of threads
///     time WORK ARGUMENT COUNT          wall and processor nanoseconds of COUNT calls, one by one
///     save PATH                         what the last call made: points, normals, or the pose as text
///
/// Works: `voxels` (edge in meters), `normals` and `outliers` (neighbors), `tree` (any), and registrations,
/// `plane` and `gicp` (maximum distance in meters; tree and normals before), `plane-all` and `gicp-all` (with
/// them). A registration ends after 30 iterations, or a step below 0.1 mm and 0.1 mrad.
@main
struct PointsBenchmark {
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
  var clouds: [String: [PackedPoint]] = [:]
  var threads = 1
  var result = Data()
  var prepared: (source: RegistrationCloud, target: RegistrationTarget)?

  mutating func answer(_ words: [String]) throws -> String {
    switch (words.first, words.count) {
    case ("load", 3):
      let data = try Data(contentsOf: URL(filePath: words[2]))
      clouds[words[1]] = data.withUnsafeBytes { Array($0.bindMemory(to: PackedPoint.self)) }
      prepared = nil
    case ("threads", 2): threads = Int(words[1]) ?? 1
    case ("save", 2): try result.write(to: URL(filePath: words[1]))
    case ("time", 4):
      guard let argument = Double(words[2]), let count = Int(words[3]) else {
        throw Refusal.unknown(words.joined(separator: " "))
      }
      if words[1] == "plane" || words[1] == "gicp" { prepared = try prepared ?? prepare() }
      var (wall, processor): ([String], [String]) = ([], [])
      for _ in 0..<count {
        let (start, began) = (ContinuousClock().now, clock())
        try work(words[1], argument)
        processor.append(String((clock() - began) * (1_000_000_000 / Int(CLOCKS_PER_SEC))))
        let elapsed = (ContinuousClock().now - start).components
        wall.append(String(elapsed.seconds * 1_000_000_000 + elapsed.attoseconds / 1_000_000_000))
      }
      return "{\"nanoseconds\": [\(wall.joined(separator: ", "))], "
        + "\"processor\": [\(processor.joined(separator: ", "))]}"
    default: throw Refusal.unknown(words.joined(separator: " "))
    }
    return "{}"
  }

  private func cloud(_ name: String) throws -> [PackedPoint] {
    guard let cloud = clouds[name] else { throw Refusal.unknown("no \(name)") }
    return cloud
  }

  private func prepare() throws -> (source: RegistrationCloud, target: RegistrationTarget) {
    func withNormals(_ points: [PackedPoint]) -> RegistrationCloud {
      let tree = KDTree.build(points, threads: threads)
      return RegistrationCloud(
        positions: points, normals: PointNormals.estimate(of: tree, threads: threads).normals)
    }
    return (
      withNormals(try cloud("source")),
      .build(withNormals(try cloud("target")), threads: threads)
    )
  }

  private mutating func work(_ name: String, _ argument: Double) throws {
    switch name {
    case "tree": _ = KDTree.build(try cloud("target"), threads: threads)
    case "voxels":
      let groups = try VoxelGroups.grouping(try cloud("target"), size: argument)
      keep(groups.means(of: try cloud("target"), threads: threads))
    case "normals":
      let tree = KDTree.build(try cloud("target"), threads: threads)
      keep(PointNormals.estimate(of: tree, neighbors: Int(argument), threads: threads).normals)
    case "outliers":
      let tree = KDTree.build(try cloud("target"), threads: threads)
      let rule = OutlierRemoval.statistical(neighbors: Int(argument), ratio: 2)
      let points = try cloud("target")
      keep(rule.kept(of: tree, threads: threads).map { points[$0] })
    case "plane-all", "gicp-all":
      prepared = try prepare()
      try align(String(name.dropLast(4)), argument)
    case "plane", "gicp": try align(name, argument)
    default: throw Refusal.unknown(name)
    }
  }

  private mutating func keep(_ points: [PackedPoint]) {
    result = points.withUnsafeBytes { Data($0) }
  }

  private mutating func align(_ name: String, _ distance: Double) throws {
    guard let prepared else { throw Refusal.unknown("nothing to align") }
    let registration = PointRegistration(
      factor: name == "plane" ? .pointToPlane : .generalized(share: 0.001),
      levels: [.init(maximumDistanceMeters: distance)], residualSigmaMeters: 0.01)
    let aligned = try registration.align(prepared.source, to: prepared.target, threads: threads)
    let numbers = aligned.pose.aFromB.homogeneousRowMajor + [Double(aligned.iterations)]
    result = Data(numbers.map { "\($0)" }.joined(separator: " ").utf8)
  }
}

private enum Refusal: Error {
  case unknown(String)
}
