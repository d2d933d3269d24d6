import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// What is done to a surface after fusing.
@Suite struct SurfaceFinishingTests {
  /// Two planes of 1 m² and 4 cm², 1 m apart, with ± and colors.
  private func mesh() throws -> TriangleMesh {
    let large = try SampleMeshes.plane(columns: 20, rows: 20, width: 1, height: 1, depth: 1)
    let small = try SampleMeshes.plane(columns: 2, rows: 2, width: 0.02, height: 0.02, depth: 2)
    let count = UInt32(large.vertexCount)
    let positions = large.positions + small.positions
    return try TriangleMesh(
      positions: positions,
      triangles: large.triangles
        + small.triangles.map {
          TriangleIndices($0.first + count, $0.second + count, $0.third + count)
        },
      colors: positions.map { _ in RGB8(red: 10, green: 20, blue: 30) },
      sigmaMeters: positions.map { _ in 0.002 })
  }

  private func finished(
    _ mesh: TriangleMesh, voxel: Double = 0.01, _ change: (inout SurfaceSettings) -> Void = { _ in }
  ) -> (mesh: TriangleMesh, changes: SurfaceChanges) {
    var settings = SurfaceSettings()
    change(&settings)
    return SurfaceFinishing(settings: settings, voxelMeters: voxel, threads: 2).finished(mesh)
  }

  @Test func partsBelowTheRuleGoAndAreCounted() throws {
    let mesh = try mesh()
    let usual = finished(mesh)
    #expect(usual.mesh.triangles.count == 800 && usual.mesh.vertexCount == 441)
    #expect(usual.changes.removedPartCount == 1)
    #expect(abs(usual.changes.removedSquareMeters - 0.0004) < 1e-8)
    #expect(usual.changes.smallestPartSquareMeters == 225 * 0.01 * 0.01)
    #expect(usual.mesh.sigmaMeters?.count == 441 && usual.mesh.colors?.count == 441)
    // Small beside a voxel of 1 mm it is not.
    #expect(finished(mesh, voxel: 0.001).changes.removedPartCount == 0)
    #expect(finished(mesh) { $0.smallestPartSquareMeters = 0 }.mesh.triangles.count == 808)
    // Nor where it is small beside the largest, unless a size is set.
    let beside = finished(mesh, voxel: 0.001) { $0.smallestPartShare = 0.001 }
    #expect(beside.changes.removedPartCount == 1)
    #expect(
      finished(mesh) { settings in
        settings.smallestPartShare = 0.001
        settings.smallestPartSquareMeters = 0
      }.changes.removedPartCount == 0)
    // The largest part stays, however small.
    let rest = finished(mesh) { $0.smallestPartSquareMeters = 100 }
    #expect(rest.mesh.triangles.count == 800 && rest.changes.removedPartCount == 1)
  }

  @Test func holesAreClosedOnRequestAndMarked() throws {
    let whole = try SampleMeshes.plane(columns: 20, rows: 20, width: 1, height: 1, depth: 1)
    // Without four triangles in the middle.
    let middle = whole.triangles.indices.filter { index in
      let triangle = whole.triangles[index]
      return (0..<3).allSatisfy { corner in
        let point = whole.positions[triangle[corner]]
        return abs(point.x) < 0.06 && abs(point.y) < 0.06
      }
    }
    let holed = whole.keeping(triangles: whole.triangles.indices.filter { !middle.contains($0) })
    #expect(finished(holed).changes.closedHoleCount == 0)
    #expect(finished(holed).mesh.isInvented == nil)
    // Around it 0.4 m and more, around the plane 4 m.
    let closed = finished(holed) { $0.closedHoleMeters = 1 }
    #expect(closed.changes.closedHoleCount == 1 && closed.changes.openHoleCount == 1)
    let invented = try #require(closed.mesh.isInvented)
    #expect(invented.prefix(holed.vertexCount).allSatisfy { !$0 })
    #expect(invented.count > holed.vertexCount && invented.suffix(1) == [true])
    #expect(abs(closed.mesh.surfaceArea - 1) < 1e-6)
  }

  @Test func fewerTrianglesAreWhatIsAskedFor() throws {
    let mesh = try mesh()
    let counted = finished(mesh) { $0.triangleCount = 100 }
    #expect((90...100).contains(counted.mesh.triangles.count))
    #expect(counted.changes.unsimplifiedTriangleCount == 800)
    // A plane needs two triangles and its rim, whatever the tolerance.
    let flat = finished(mesh) { $0.toleranceMeters = 0.001 }
    #expect(flat.mesh.triangles.count < 50)
    #expect(abs(flat.mesh.surfaceArea - 1) < 1e-4)
  }

  @Test func framesForTexturesAreApartAndBounded() {
    func frames(_ count: Int, step: Double) -> [ScanTexturing.Frame] {
      (0..<count).map { index in
        ScanTexturing.Frame(
          index: index,
          worldFromCamera: RigidTransform(
            rotation: .identity, translation: [step * Double(index), 0, 0]))
      }
    }
    #expect(ScanTexturing.chosen([], depthMeters: 1).isEmpty)
    // A tenth of 1.2 m.
    let apart = ScanTexturing.chosen(frames(100, step: 0.05), depthMeters: 1.2).map(\.index)
    #expect(apart == Array(stride(from: 0, to: 100, by: 3)))
    let many = ScanTexturing.chosen(frames(3000, step: 0.2), depthMeters: 1).map(\.index)
    #expect(many.count == 200 && many == many.sorted() && many.last == 2985)
  }
}
