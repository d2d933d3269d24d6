import Foundation
import PlumblineExport
import PlumblineGeometry
import PlumblineModel
import PlumblineSimulation
import PlumblineVerification

/// A scene as the frames of a scan have seen it, for judging surfaces.
struct SurfaceTruth {
  let scan: SimulatedScan
  /// A part of the ± of each vertex that is left out.
  let commonSigmaMeters: Double

  init(_ scan: SimulatedScan, commonSigmaMeters: Double) {
    self.scan = scan
    self.commonSigmaMeters = commonSigmaMeters
  }

  /// What is found about a surface; lengths in millimeters.
  struct Comparison: Encodable {
    var vertices: Int
    var triangles: Int
    /// Distances from the scene of places evenly spread over the surface.
    var medianMillimeters: Double
    var percentile68Millimeters: Double
    var percentile95Millimeters: Double
    /// Above 0 where they lie outside of the bodies, toward the cameras.
    var meanSignedMillimeters: Double
    /// Of the places whose vertices state a ±; `nil` where none does.
    var medianSigmaMillimeters: Double?
    var shareWithinSigma: Double?
    var shareWithinTwoSigma: Double?
    /// Shares of what the frames saw that have a surface within 5, 10 and 20 mm.
    var seenWithin5: Double
    var seenWithin10: Double
    var seenWithin20: Double
  }

  func compare(meshFile: String, errors: String?) throws -> Comparison {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: meshFile)))
    let mesh = try MeshReader().read(bytes, named: meshFile).mesh
    let surface = MeasurableMesh.prepared(
      positions: mesh.positions.map { scan.sceneFromMesh * $0.vector },
      triangles: mesh.triangles.map {
        SIMD3(Int32($0.first), Int32($0.second), Int32($0.third))
      }, sigmas: mesh.sigmaMeters?.map(Double.init))
    // Not the vertices: where a wall lies in a plane of the voxels, half of them lie in that plane and are right by
    // chance, and a rough surface has more of them than a smooth one.
    let places = SurfaceSamples.spread(over: surface, count: Self.placeCount).samples
    guard !places.isEmpty else { throw UnusableScan("\(meshFile) has no area") }
    let points = places.map(\.point)
    let scene = scan.recording.scene
    let signed = concurrently(points.count) { scene.signedDistance(to: points[$0]) }
    let sizes = signed.map { abs($0) }.sorted()
    let common = commonSigmaMeters * commonSigmaMeters
    let sigmas = surface.sigmas.map { _ in
      places.map { max(0, $0.sigma * $0.sigma - common).squareRoot() }
    }
    if let errors { try write(points, signed, sigmas, to: errors) }
    let known = sigmas.map { zip(signed, $0).filter { $0.1 > 0 && $0.1 < .infinity } }
    let count = Double(known?.count ?? 0)
    let seen = distancesOfSeenPlaces(from: surface)
    func share(within meters: Double) -> Double {
      Double(seen.count { $0 <= meters }) / Double(max(seen.count, 1))
    }
    func percentile(_ share: Double) -> Double {
      1000 * sizes[min(sizes.count - 1, Int(share * Double(sizes.count)))]
    }
    return Comparison(
      vertices: mesh.vertexCount, triangles: mesh.triangles.count,
      medianMillimeters: percentile(0.5), percentile68Millimeters: percentile(0.68),
      percentile95Millimeters: percentile(0.95),
      meanSignedMillimeters: 1000 * signed.reduce(0, +) / Double(signed.count),
      medianSigmaMillimeters: known.map { known in
        1000 * known.map(\.1).sorted()[known.count / 2]
      },
      shareWithinSigma: known.map { Double($0.count { abs($0.0) <= $0.1 }) / count },
      shareWithinTwoSigma: known.map { Double($0.count { abs($0.0) <= 2 * $0.1 }) / count },
      seenWithin5: share(within: 0.005), seenWithin10: share(within: 0.01),
      seenWithin20: share(within: 0.02))
  }

  /// The distances from a surface of places that some frame has seen: a grid of rays of up to 60 frames.
  private func distancesOfSeenPlaces(from surface: MeasurableMesh) -> [Double] {
    let recording = scan.recording
    let range = 0.2...min(scan.maximumDepth, 5)
    let size = RasterSize(width: 48, height: 36)
    let step = max(1, recording.frameCount / 60)
    let frames = Array(stride(from: 0, to: recording.frameCount, by: step))
    let found = concurrently(frames.count) { number in
      let camera = SimulatedCamera(
        calibration: recording.camera.trueDepth,
        sceneFromCamera: recording.sceneFromCameras[frames[number]]
      ).scaled(to: size)
      var places: [SIMD3<Double>] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
          if let hit = recording.scene.firstHit(of: ray), range.contains(hit.parameter) {
            places.append(ray.point(at: hit.parameter))
          }
        }
      }
      return places
    }.flatMap(\.self)
    let nearest = SurfaceIndex.build(surface, threads: 2).nearest(to: found, threads: 2)
    // Of a surface without triangles there is none.
    guard nearest.count == found.count else { return found.map { _ in .infinity } }
    return zip(nearest, found).map { place, point in
      let line = place.point - point
      return (line * line).sum().squareRoot()
    }
  }

  /// So many places make a percentile of a surface exact to 1 %.
  private static let placeCount = 200_000

  private func write(
    _ points: [SIMD3<Double>], _ signed: [Double], _ sigmas: [Double]?, to path: String
  ) throws {
    var bytes = Data(capacity: 20 * points.count)
    for index in points.indices {
      let point = points[index]
      for value in [point.x, point.y, point.z, signed[index], sigmas?[index] ?? .nan] {
        withUnsafeBytes(of: Float(value)) { bytes.append(contentsOf: $0) }
      }
    }
    try bytes.write(to: URL(filePath: path), options: .atomic)
  }

  /// Results in order, by two threads.
  private func concurrently<Value: Sendable>(
    _ count: Int, _ body: @Sendable (Int) -> Value
  ) -> [Value] {
    let block = 1024
    let blocks = (count + block - 1) / block
    var results = [[Value]](repeating: [], count: blocks)
    results.withUnsafeMutableBufferPointer { results in
      // Each block is written by one thread.
      nonisolated(unsafe) let results = results
      forEachConcurrently(blocks, threads: 2) { number in
        results[number] = (number * block..<min(count, (number + 1) * block)).map(body)
      }
    }
    return results.flatMap(\.self)
  }
}
