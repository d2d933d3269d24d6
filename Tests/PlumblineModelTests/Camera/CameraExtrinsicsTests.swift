import PlumblineModel
import Testing

@Suite("Camera extrinsics")
struct CameraExtrinsicsTests {
  @Test("The columns of a turned file are a quarter turn of the image and nothing else")
  func turnedFile() throws {
    let matrix: [Double] = [0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
    let extrinsics = try #require(CameraExtrinsics(columnMajor: matrix))
    #expect(extrinsics.bakedInOrientation == .right)
    #expect(extrinsics.isReference)
    #expect(extrinsics.oriented(by: .left).rotation == .identity)
  }

  @Test("Each turn of the image is recognized", arguments: ImageOrientation.allCases)
  func bakedIn(orientation: ImageOrientation) {
    let reference = CameraExtrinsics(rotation: .identity, translationMillimeters: .zero)
    let turned = reference.oriented(by: orientation)
    #expect(turned.bakedInOrientation == orientation)
    #expect(turned.isReference)
    let other = CameraExtrinsics(rotation: .identity, translationMillimeters: [11, 0, 0])
    #expect(!other.oriented(by: orientation).isReference)
  }

  @Test("Translations are millimeters in the file and meters in the transform")
  func units() {
    let extrinsics = CameraExtrinsics(columnMajor: [1, 0, 0, 0, 1, 0, 0, 0, 1, 13, 0, -2])
    #expect(extrinsics?.referenceFromCamera.translation == [0.013, 0, -0.002])
  }

  @Test(
    "What is no rotation is refused",
    arguments: [
      [], Array(repeating: 0, count: 12), [1, 0, 0, 0, 1, 0, 0, 0, 1.1, 0, 0, 0],
      [1, 0, 0, 0, 1, 0, 0, 0, 1, .nan, 0, 0], [1, 0, 0, 0, 1, 0, 0, 0, 1],
    ] as [[Double]])
  func refused(matrix: [Double]) {
    #expect(CameraExtrinsics(columnMajor: matrix) == nil)
  }
}
