import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@testable import PlumblineRecordings
@Suite("Damaged scans")
struct ScanDamageTests {
  static let folders: [(name: String, folder: MemoryFolder)] = {
    let scene = PlaneScene(count: 2)
    return [
      ("Polycam", ScanFolders.polycam(scene)), ("3D Scanner App", ScanFolders.scannerApp3D(scene)),
      ("ARKitScenes", ScanFolders.arkitScenes(scene)),
      ("nerfstudio", (try? ScanFolders.nerfstudio(scene)) ?? MemoryFolder()),
      ("COLMAP text", (try? ScanFolders.colmap(scene, .text)) ?? MemoryFolder()),
      ("COLMAP binary", (try? ScanFolders.colmap(scene, .binary)) ?? MemoryFolder()),
    ]
  }()

  @Test(
    "Every file cut, flipped, emptied or gone ends in captures or typed errors",
    arguments: folders.indices)
  func damage(index: Int) throws {
    let (name, sound) = Self.folders[index]
    try #require(!sound.files.isEmpty, "\(name)")
    for (file, bytes) in sound.files.sorted(by: { $0.key < $1.key }) {
      let isText = !file.hasSuffix("png") && !file.hasSuffix("jpg")
      var versions: [[UInt8]?] = [nil, []]
      versions += ByteDamage.truncations(of: bytes.count, steps: isText ? 12 : 3).map {
        Array(bytes[..<$0])
      }
      for seed in 0..<(isText ? 16 : 3) {
        versions.append(ByteDamage.flipped(bytes, seed: UInt64(seed)))
      }
      for version in versions {
        var folder = sound
        folder.files[file] = version
        do throws(CaptureReadingError) {
          let recording = try Recording(folder: folder)
          #expect(!recording.frames.isEmpty)
          #expect(Set(recording.frameNames).count == recording.frames.count)
          for frame in recording.frames.indices {
            do throws(CaptureReadingError) {
              let capture = try recording.capture(at: frame, color: .none)
              #expect(capture.depth != nil || capture.colorSize != nil)
              if let pose = capture.worldFromCamera {
                #expect(pose.rotation.orthogonalityError < 1e-9)
              }
            } catch {
              #expect(!error.path.isEmpty || error.reason == .missing, "\(file): \(error)")
            }
          }
        } catch {
          #expect(!error.expected.isEmpty && !error.found.isEmpty)
        }
      }
    }
  }

  @Test("Counts over the limits are refused before anything is read")
  func limits() throws {
    var limits = ReadingLimits()
    limits.sequenceFrames = 1
    for (name, folder) in Self.folders {
      let error = #expect(throws: CaptureReadingError.self, "\(name)") {
        try Recording(folder: folder, limits: limits)
      }
      #expect(error?.reason == .limitExceeded, "\(name)")
    }
  }

  @Test("Depth maps of another kind or size than the rest say so")
  func mixed() throws {
    var folder = ScanFolders.polycam(PlaneScene(count: 2))
    folder.files["scan/keyframes/depth/12500000.png"] = PlaneScene.colorPNG
    folder.files["scan/keyframes/depth/12600000.png"] = PNGEncoder().encoded(
      Raster<UInt16>(size: RasterSize(width: 6, height: 8), repeating: 700))
    let recording = try Recording(folder: folder)
    let error = #expect(throws: CaptureReadingError.self) { try recording.capture(at: 0) }
    #expect(error?.reason == .unsupported && error?.path.first == "depth/12500000.png")
    let turned = try recording.capture(at: 1)
    #expect(turned.findings.map(\.code) == [.fileUnequalSizes, .fileUnequalSizes])
  }
}
