import PlumblineGeometry
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineFaces

@Suite struct FaceRegionTests {
  @Test func eachVertexLiesWhereItsNearestLandmarkDoes() throws {
    let model = try SyntheticFaces.model()
    let regions = model.regions
    #expect(regions.count == model.vertexCount)
    func region(_ landmark: Int) throws -> FaceRegion {
      regions[try #require(model.anchors[landmark]).vertices.x]
    }
    #expect(try region(LandmarkIndex.noseTip) == .nose)
    #expect(try region(LandmarkIndex.chin) == .chin)
    #expect(try region(LandmarkIndex.forehead) == .forehead)
    #expect(try region(LandmarkIndex.lowerLip) == .lips)
    #expect(try region(105) == .eyebrows && region(334) == .eyebrows)
    #expect(try region(159) == .eyes && region(386) == .eyes)
    // Every region but none is left out; the grid's sides lie beyond all landmarks.
    for each in FaceRegion.allCases { #expect(regions.contains(each), "\(each)") }
    #expect(regions[0] == .head && regions[model.vertexCount - 1] == .head)
    // Both sides of a symmetric head are alike, but for landmarks that have no twin: spread ones.
    let differing = regions.indices.count { place in
      let (row, column) = (place / 41, place % 41)
      return regions[place] != regions[row * 41 + 40 - column]
    }
    #expect(differing < model.vertexCount / 8, "\(differing)")
  }
}
