import PlumblineModel
import PlumblineVision
import Testing

/// Which cells have a difference, a ± and a board.
@Suite struct ProjectionDifferenceCellTests {
  private static let pinhole = CameraModel(intrinsics: SimulatedViews.square)

  private static func map(_ sigma: Double, covered: Set<Int>, width: Int) -> ProjectionUncertainty {
    ProjectionUncertainty(
      columns: 12, rows: 9, sigmaPixels: [Double](repeating: sigma, count: 108),
      cornerCounts: (0..<108).map { covered.contains($0) ? 4 : 0 }, imageWidth: width)
  }

  @Test func raysOutsideTheSecondImageAreMissing() throws {
    var second = Self.pinhole
    second.intrinsics.focalLength *= 1.5
    let difference = ProjectionDifference(Self.pinhole, second)
    let principal = Self.pinhole.intrinsics.principalPoint
    for cell in difference.cells {
      let seen = (cell.pixel - principal) * 1.5 + principal
      let isInside = seen.x >= -0.5 && seen.x <= 639.5 && seen.y >= -0.5 && seen.y <= 479.5
      #expect((cell.difference != nil) == isInside, "\(cell.pixel)")
      if let offset = cell.difference {
        #expect((offset - (seen - cell.pixel)).x.magnitude < 1e-9)
      }
    }
    #expect(difference.summary?.count == difference.cells.count { $0.difference != nil })
    #expect(try #require(difference.summary).count < 108)
  }

  @Test func aLensThatFoldsHasNoCounterpart() throws {
    var folded = Self.pinhole
    // Radii stop growing at √(2/3) of the focal length, which is 490 px; none is over 327 px.
    folded.lens = .polynomial(radial: [-0.5, 0, 0], tangential: .zero)
    let outward = ProjectionDifference(folded, Self.pinhole)
    let corner = try #require(outward.cells.last)
    #expect(corner.difference == nil && corner.differenceWithoutRotation == nil)
    // The same for rays that only the second camera folds back into its image.
    var wide = Self.pinhole
    wide.intrinsics.focalLength = [300, 300]
    var foldedWide = wide
    foldedWide.lens = .polynomial(radial: [-0.5, 0, 0], tangential: .zero)
    let inward = ProjectionDifference(wide, foldedWide)
    for cell in inward.cells {
      let ray = (cell.pixel - wide.intrinsics.principalPoint) / 300
      let isBeyond = (ray * ray).sum() > 2.0 / 3
      #expect((cell.difference == nil) == isBeyond, "\(ray)")
    }
  }

  @Test func withoutCommonRaysThereIsNoRotation() {
    var elsewhere = Self.pinhole
    elsewhere.intrinsics.principalPoint.x += 1000
    let difference = ProjectionDifference(Self.pinhole, elsewhere)
    #expect(difference.summary == nil && difference.cells.allSatisfy { $0.difference == nil })
    // Around its middle the first image is far outside of the second one; the rotation is found.
    #expect(difference.secondFromFirst != nil)
    var nowhere = Self.pinhole
    nowhere.lens = .polynomial(radial: [1e300, 1e300, 1e300], tangential: .zero)
    let none = ProjectionDifference(nowhere, Self.pinhole)
    #expect(none.secondFromFirst == nil && none.summaryWithoutRotation == nil)
    #expect(none.rotationDegrees == nil && none.angleDegrees == nil && none.maximumSigmas == nil)
  }

  @Test func plusMinusAndCoverageAreThoseOfBoth() throws {
    var second = Self.pinhole
    second.intrinsics.focalLength *= 1.01
    let all = Set(0..<108)
    let first = Self.map(0.3, covered: all.subtracting([0, 1]), width: 640)
    // Twice the width, twice the pixels: 0.4 px of the first image.
    let other = Self.map(0.8, covered: all.subtracting([0, 2]), width: 1280)
    let both = ProjectionDifference(
      Self.pinhole, second, firstUncertainty: first, secondUncertainty: other)
    #expect(both.fittedRays == .coveredCells)
    #expect(both.cells.map(\.isCovered) == (0..<108).map { $0 != 0 })
    // The ± has the rotation of the middle taken out, so that is what is divided by it.
    let middle = ProjectionDifference(Self.pinhole, second)
    for (cell, plain) in zip(both.cells, middle.cells) {
      #expect(abs(try #require(cell.sigmaPixels) - 0.5) < 1e-12)
      let rest = try #require(plain.differenceWithoutRotation)
      let length = (rest * rest).sum().squareRoot()
      #expect(abs(try #require(cell.sigmas) - length / 0.5) < 1e-9)
    }
    #expect(both.maximumSigmas == both.cells.compactMap(\.sigmas).max())
    let one = ProjectionDifference(Self.pinhole, second, secondUncertainty: other)
    #expect(abs(try #require(one.cells[50].sigmaPixels) - 0.4) < 1e-12)
    #expect(one.cells[1].isCovered == true && one.cells[2].isCovered == false)
  }

  @Test func aBoardInFewCellsLeavesTheRotationToTheMiddle() {
    let few = Self.map(0.3, covered: Set(50..<58), width: 640)
    let enough = Self.map(0.3, covered: Set(50..<59), width: 640)
    for (map, expected) in [(few, ProjectionDifference.FittedRays.middle), (enough, .coveredCells)]
    {
      let difference = ProjectionDifference(Self.pinhole, Self.pinhole, firstUncertainty: map)
      #expect(difference.fittedRays == expected)
      #expect(difference.secondFromFirst != nil)
    }
  }

  @Test func cellsAreAboutSquare() {
    let sizes: [(Int, Int, Int, Int)] = [
      (640, 480, 12, 9), (480, 640, 9, 12), (1920, 1080, 12, 7), (100, 100, 12, 12),
      (900, 1, 12, 1),
    ]
    for (width, height, columns, rows) in sizes {
      let cells = ProjectionDifference.defaultCells(of: RasterSize(width: width, height: height))
      #expect(cells == (columns, rows), "\(width) × \(height)")
    }
    let difference = ProjectionDifference(Self.pinhole, Self.pinhole, cells: (2, 1))
    #expect(difference.cells.map(\.pixel) == [[159.5, 239.5], [479.5, 239.5]])
  }
}
