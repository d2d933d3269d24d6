import PlumblineTestSupport
import PlumblineVerification
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Volume, area and sections in closed form.
@Suite struct SurfaceContentTests {
  private let box = TrialSurface.box([0.3, 0.2, 0.5], spacing: 0.05).joined()

  @Test func aBoxHasItsVolumeAndItsArea() throws {
    let surface = box.exact
    #expect(surface.openEdgeCount == 0)
    let volume = try #require(SurfaceContent.volume(of: surface))
    // Roundings of double precision.
    #expect(abs(volume.value - 0.03) < 1e-12)
    #expect(volume.sigma == nil && volume.unit == .cubicMeters)
    #expect(abs(SurfaceContent.area(of: surface).value - 0.62) < 1e-12)
  }

  @Test func placeAndOrientationDoNotMatter() throws {
    let turned = box.placed { [-$0.y + 1e3, $0.x - 2e3, $0.z + 5e2] }
    let volume = try #require(SurfaceContent.volume(of: turned.exact))
    // Coordinates of thousands keep 1e-13 of a meter.
    #expect(abs(volume.value - 0.03) < 1e-10)
    let inside = MeasurableMesh.prepared(
      positions: box.positions, triangles: box.triangles.map { [$0.x, $0.z, $0.y] })
    #expect(abs(try #require(SurfaceContent.volume(of: inside)).value - 0.03) < 1e-12)
  }

  @Test func anOpenSurfaceHasNoVolume() {
    let open = TrialSurface.box([1, 1, 1], spacing: 0.25, hasBottom: false).joined()
    #expect(open.exact.openEdgeCount == 16)
    #expect(SurfaceContent.volume(of: open.exact) == nil)
    #expect(SurfaceContent.volume(of: open.exact.with(triangles: [])) == nil)
    // Two triangles on one edge that turn the same way enclose nothing.
    var flipped = box
    flipped.triangles[0] = [flipped.triangles[0].x, flipped.triangles[0].z, flipped.triangles[0].y]
    #expect(flipped.exact.openEdgeCount == 3)
  }

  @Test func aScaleIsItsPowerOfEachNumber() throws {
    let surface = MeasurableMesh.prepared(
      positions: box.positions, triangles: box.triangles,
      sigmas: [Double](repeating: 0, count: box.positions.count),
      errors: SurfaceErrors(lengthShare: 0.01))
    let volume = try #require(SurfaceContent.volume(of: surface))
    #expect(abs((volume.scale ?? 0) - 0.03 * 0.03) < 1e-12)
    #expect(volume.sensor == 0 && volume.calibration == 0)
    #expect(abs((SurfaceContent.area(of: surface).scale ?? 0) - 0.02 * 0.62) < 1e-12)
  }

  @Test func allThatVerticesCanDoIsTheBoundWhereNothingIsStated() throws {
    let surface = MeasurableMesh.prepared(
      positions: box.positions, triangles: box.triangles,
      sigmas: [Double](repeating: 0.001, count: box.positions.count))
    let volume = try #require(SurfaceContent.volume(of: surface))
    #expect(volume.sigma == nil && volume.scale == nil && volume.calibration == nil)
    // Every face moved out by 1 mm: the area times that, a little less at edges by their normals.
    let bound = try #require(volume.sensor)
    #expect(bound > 0.9 * 0.62e-3 && bound < 0.62e-3)
  }

  @Test func whatIsTakenOffAnAreaIsNoMoreThanTheSurfaceShows() {
    var plate = TrialSurface()
    plate.add([0, 0, 0], [1, 0, 0], [0, 1, 0], spacing: 0.02)
    let flat = MeasurableMesh.prepared(
      positions: plate.positions, triangles: plate.triangles,
      sigmas: [Double](repeating: 0.02, count: plate.positions.count), errors: SurfaceErrors())
    // σ as large as the spacing, of which nothing is seen: vertices share their noise.
    let smooth = SurfaceContent.area(of: flat)
    #expect(abs(smooth.value - 1) < 1e-9 && smooth.sigma ?? 1 < 0.02, "\(smooth)")
    // The same σ, all of it seen: three times the area, of which the plate is left within the ±.
    var random = SeededGenerator(seed: 5)
    let rough = plate.measured(noise: 0.02, SurfaceErrors(), &random)
    let area = SurfaceContent.area(of: rough)
    let sigma = area.sigma ?? 0
    #expect(abs(area.value - 1) < 2 * sigma && sigma < 1.2 && sigma > 0.2, "\(area)")
  }

  @Test func aSectionOfABoxIsARectangle() throws {
    let section = SurfaceSection.cut(
      box.exact, by: SurfaceSection.Plane(point: [0, 0, 0.22], normal: [0, 0, 3]))
    #expect(section.positions.count == 1 && section.isClosed)
    #expect(abs(section.length.value - 1) < 1e-12)
    #expect(abs(try #require(section.area).value - 0.06) < 1e-12)
    #expect(section.grazingShare == 0)
    // Through vertices, which count as above.
    let other = SurfaceSection.cut(
      box.exact, by: SurfaceSection.Plane(point: [0.1, 0, 0], normal: [-1, 0, 0]))
    #expect(abs(try #require(other.area).value - 0.1) < 1e-12)
    let beyond = SurfaceSection.cut(
      box.exact, by: SurfaceSection.Plane(point: [0, 0, 9], normal: [0, 0, 1]))
    #expect(beyond.positions.isEmpty && beyond.area == nil && beyond.length.value == 0)
  }

  @Test func aSlantedSectionIsLongerByItsSlant() throws {
    let angle = 0.3
    let section = SurfaceSection.cut(
      box.exact,
      by: SurfaceSection.Plane(point: [0.1, 0.1, 0.25], normal: [sin(angle), 0, cos(angle)]))
    #expect(abs(try #require(section.area).value - 0.06 / cos(angle)) < 1e-12)
  }

  @Test func aHoleIsTakenOffASection() throws {
    var tube = box
    let inner = TrialSurface.box([0.1, 0.1, 0.5], spacing: 0.05).joined()
    let first = Int32(tube.positions.count)
    tube.positions += inner.positions.map { $0 + [0.1, 0.05, 0] }
    tube.normals += inner.normals
    tube.triangles += inner.triangles.map { [$0.x + first, $0.z + first, $0.y + first] }
    let section = SurfaceSection.cut(
      tube.exact, by: SurfaceSection.Plane(point: [0, 0, 0.31], normal: [0, 0, 1]))
    #expect(section.positions.count == 2)
    #expect(abs(try #require(section.area).value - 0.05) < 1e-12)
  }

  @Test func anOpenSectionHasALengthAndNoArea() {
    let open = TrialSurface.box([1, 1, 1], spacing: 0.25, hasBottom: false).joined()
    let section = SurfaceSection.cut(
      open.exact, by: SurfaceSection.Plane(point: [0.3, 0, 0], normal: [1, 0, 0]))
    #expect(!section.isClosed && section.area == nil)
    #expect(abs(section.length.value - 3) < 1e-12)
  }
}
