import Foundation
import Plumbline
import PlumblineTestSupport
import Testing

/// The library's whole way on cut and flipped photos; `Scripts/damage-photos` runs many more.
@Suite struct DamagedPhotoTests {
  /// Reads damaged bytes: an assessment, or an error that says what was expected and found.
  static func read(_ bytes: [UInt8], color: CaptureReader.ColorRequest, _ name: String) {
    let start = threadSeconds
    do {
      let check = try CaptureAnalyzer(color: color, threads: 1).analyze(bytes, fileName: name)
      if !check.assessment.verdict.isMeasurable {
        #expect(!check.assessment.findings.isEmpty, "\(name): no finding")
      }
    } catch let error as CaptureReadingError {
      #expect(!error.expected.isEmpty && !error.found.isEmpty, "\(name): \(error)")
    } catch {
      Issue.record("\(name): \(error)")
    }
    // A hang, not slowness: the slowest takes 4 s in a debug build.
    #expect(threadSeconds - start < 20, "\(name)")
  }

  /// The processor time of this thread, which other tests do not lengthen.
  static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func damage(_ bytes: [UInt8], steps: Int, flips: UInt64, _ name: String) {
    for (index, length) in ByteDamage.truncations(of: bytes.count, steps: steps).enumerated() {
      read(
        Array(bytes.prefix(length)), color: index % 8 == 0 ? .full : .none,
        "\(name), \(length) bytes")
    }
    for seed in 0..<flips {
      let within = seed % 2 == 0 ? bytes.count : 16 << 10
      read(
        ByteDamage.flipped(bytes, seed: seed, within: within),
        color: seed % 16 == 0 ? .full : .none, "\(name), seed \(seed) in \(within)")
    }
  }

  @Test("Bundled captures")
  func bundled() throws {
    for capture in DemoCapture.all {
      Self.damage(
        try CaptureAnalyzerTests.bytes(capture), steps: 12, flips: 24, capture.fileName)
    }
  }

  @Test(
    "Photos of real devices", .enabled(if: RealData.isPresent, "\(RealData.absence)"),
    arguments: [
      "pug.heic", "truedepth_iphone14.heic", "spatial_photo.heic", "iphonex_dual_depth.jpg",
      "gdepth_range_inverse.jpg",
    ])
  func real(name: String) throws {
    Self.damage(try RealData.bytes("photos/\(name)"), steps: 6, flips: 12, name)
  }
}
