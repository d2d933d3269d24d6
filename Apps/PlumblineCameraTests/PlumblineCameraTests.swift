import Foundation
import Metal
import Testing

@testable import PlumblineCamera

/// What only the app itself can show; the states behind its screens are tested by the package.
@Suite("The app")
struct PlumblineCameraTests {
  @Test("The graphics processor's program compiles, with both of its functions")
  func shader() throws {
    let device = try #require(MTLCreateSystemDefaultDevice())
    let library = try device.makeLibrary(source: PointShader.source, options: nil)
    #expect(library.makeFunction(name: PointShader.vertexFunction) != nil)
    #expect(library.makeFunction(name: PointShader.fragmentFunction) != nil)
  }

  @Test("The bundle says why it needs what it requests")
  func usage() {
    for key in ["NSCameraUsageDescription", "NSPhotoLibraryAddUsageDescription"] {
      #expect(Bundle.main.object(forInfoDictionaryKey: key) != nil, "\(key)")
    }
  }

  @Test("A photo comes back from the app's folder byte for byte, and is gone after that")
  func library() throws {
    let name = CaptureLibrary.newName(extension: "heic")
    let bytes: [UInt8] = [1, 2, 3]
    #expect(CaptureLibrary.store(bytes, name: name) == nil)
    let file = try #require(CaptureLibrary.files.first { $0.lastPathComponent == name })
    #expect(try Data(contentsOf: file) == Data(bytes))
    #expect(CaptureLibrary.remove(file) == nil && !CaptureLibrary.files.contains(file))
  }
}
