import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// Backs of heads behind ICT-FaceKit's face, whose own head is known at some points.
@Suite(
  .enabled(if: RealData.isPresent, "\(RealData.absence)"),
  .enabled(if: RealHeads.pack != nil, "\(RealHeads.packAbsence)"),
  .enabled(if: PythonPeer.has("open3d"), "\(PythonPeer.absence("open3d"))"), .serialized)
struct RealModelHeadTests {
  private static let model = Result { () throws -> MorphableModel in
    let folder = try TemporaryFolder()
    guard let pack = RealHeads.pack else { throw CocoaError(.fileNoSuchFile) }
    _ = try PythonPeer.run("ict_face_folder.py", pack.path, folder.file("ict"))
    return try MorphableModelImport(folder: folder.file("ict")).model
  }

  /// Positions on the mean head and neck of ICT-FaceKit's own whole head, millimeters, one side of it.
  ///
  /// - Source: `generic_neutral_mesh.obj`, vertices 9409 to 11247 (MIT), rounded.
  private static let known: [SIMD3<Double>] = [
    [0, 130.1, 61.6], [11, 140.3, 32.7], [20.2, 136.3, 40.4], [35.7, 136.9, 4.5],
    [42.3, 133.4, -7.3], [48, 128.1, -19.5], [52.9, 119.9, -31.7], [56.5, 108.4, -42.7],
    [58.7, 95, -51.1], [0, 80.2, -84], [0, 64.3, -86.6], [65.5, 58, -52.3], [37.9, 62.8, -77.5],
    [75, 53.8, -31.5], [0, 34, -84.6], [44.4, 34.1, -70.8], [62.2, 33.5, -52.1],
    [70.5, 31.7, -35.1], [0, 15, -78.9], [42.1, 16.5, -66], [67.5, 18.5, -34.2], [0, -4.9, -69.3],
    [0, -23.1, -61], [30.5, -25.4, -51.1], [46.1, -25.4, -36.4], [0, -45.7, -57],
    [0, -88.3, -61.9], [26.4, -79.1, -52.7],
  ]

  @Test func theMeanHeadIsNearTheModelsOwn() throws {
    let model = try Self.model.get()
    let seam = try #require(HeadSeam(of: FaceShape(restingIn: model), model))
    let distances = Self.known.map { point -> Double in
      seam.distance(to: point / 1000) * 1000
    }.sorted()
    // The outline is of formulas: 7 mm is the spread of people's heads.
    #expect(distances[distances.count / 2] < 3 && (distances.last ?? 9) < 7, "\(distances)")
  }

  @Test func thirtyIdentitiesHaveNoEdgeAndNoFold() throws {
    let model = try Self.model.get()
    for seed in 0..<30 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      var shape = FaceShape(restingIn: model)
      for mode in shape.identity.indices {
        shape.identity[mode] = Float(min(2.5, max(-2.5, generator.gaussian())))
      }
      let seam = try #require(HeadSeam(of: shape, model))
      #expect(seam.turnedEdges == 0 && seam.foldedEdges == 0, "seed \(seed): \(seam)")
      // Behind an ear the surface turns by 90° within a centimeter, and a fifth of the border is an ear's.
      #expect(seam.seamDegrees < 45, "seed \(seed): \(seam.seamDegrees)°")
      #expect(seam.insideDegrees < 45, "seed \(seed): \(seam.insideDegrees)°")
    }
  }
}
