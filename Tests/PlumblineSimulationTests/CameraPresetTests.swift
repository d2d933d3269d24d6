import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

@testable import PlumblineSimulation

/// Whether the presets hold the numbers that were measured on real devices.
@Suite struct CameraPresetTests {
  @Test func scalingGivesThePublishedRows() {
    // arXiv 2201.10865, table 3: 4th generation V2 at 640×480, and its 5th generation on iOS 14.
    let first = CameraPreset.iPad4.claimed.scaled(to: RasterSize(width: 640, height: 480))
    // The paper rounds and truncates in turns: one unit of its last digit.
    #expect(abs(first.intrinsics.focalLength.x - 595.33) < 0.0111)
    #expect(abs(first.intrinsics.principalPoint.x - 317.93) < 0.01)
    #expect(abs(first.intrinsics.principalPoint.y - 239.56) < 0.01)
    let second = CameraPreset.iPad5.claimed.scaled(to: RasterSize(width: 640, height: 480))
    #expect(abs(second.intrinsics.focalLength.x - 565.64) < 0.01)
    // ZEISS's app prints the principal point without the half pixel.
    var naive = CameraPreset.iPad4.claimed
    naive.scaleNaively(to: RasterSize(width: 640, height: 480))
    #expect(abs(naive.intrinsics.principalPoint.x - 318.32785) < 5e-4)
    #expect(abs(naive.intrinsics.principalPoint.y - 239.95692) < 1e-3)
  }

  @Test(arguments: CameraPreset.all.indices)
  func theTrueLensIsUndoneExactly(index: Int) {
    let preset = CameraPreset.all[index]
    for truth in [preset.trueColor, preset.trueDepth] {
      guard let lens = truth.distortion else { continue }
      var generator = SeededGenerator(seed: 9)
      for _ in 0..<100 {
        let size = truth.intrinsics.size
        let pixel = SIMD2(
          generator.uniform(in: 0..<Double(size.width)),
          generator.uniform(in: 0..<Double(size.height)))
        let back = lens.distorted(lens.undistorted(pixel)) - pixel
        // Forty halvings of twice a radius of 2500 px leave 5e-9 px.
        #expect((back * back).sum().squareRoot() < 1e-7)
      }
    }
  }

  @Test func theClaimedTablesUndoEachOtherAsRealOnesDo() throws {
    for preset in CameraPreset.all {
      guard let lens = preset.claimed.distortion else { continue }
      #expect(lens.isPlausible)
      for share in stride(from: 0.05, through: 0.85, by: 0.1) {
        let point = lens.center + SIMD2(lens.maximumRadius * share, 0)
        let back = lens.undistorted(lens.distorted(point)) - point
        // 42 linear pieces: depth-semantics §2.3 measured 0.06 px at 640×480 on a real pair.
        let vga = abs(back.x) * 640 / Double(preset.claimed.intrinsics.size.width)
        #expect(vga < 0.12, "\(preset.name) at \(share)")
      }
    }
  }

  @Test func arKitsZoomIsThatOfThePaper() {
    let preset = CameraPreset.iPad4ARKit
    let color = preset.trueColor.scaled(to: preset.colorSize)
    let depth = preset.trueDepth.scaled(to: preset.depthSize)
    // depth-semantics §5.3: x_color = 0.950739·(x_depth + 0.5) + 15.264, 15.7 px at the left edge
    // and nothing in the middle; rows likewise with 58 of 2436 sensor rows.
    for (x, shift) in [(0.0, 15.739), (319.5, 0), (639, -15.739)] {
      let ray = depth.intrinsics.unproject([x, 240], depth: 1)
      let seen = color.intrinsics.project(ray)
      #expect(abs(seen.x - x - shift) < 0.01, "\(seen.x) at \(x)")
      #expect(abs(seen.x - (0.950739 * (x + 0.5) + 15.264)) < 0.01)
      #expect(abs(seen.y - (0.950739 * 240.5 + 58 * 480 / 2436 - 0.5)) < 0.01)
    }
    #expect(preset.claimed.intrinsics == preset.trueColor.intrinsics)
  }

  @Test func photosHoldTheLensAsCoefficients() throws {
    for preset in CameraPreset.all {
      let calibration = preset.claimed
      guard let tables = calibration.distortion else { continue }
      let lens = try #require(calibration.withCoefficients.distortion)
      var worst = 0.0
      for share in stride(from: 0.0, through: 1, by: 0.02) {
        let radius = tables.maximumRadius * share
        let difference =
          lens.distortingMagnification(atRadius: radius)
          - tables.distortingMagnification(atRadius: radius)
        worst = max(worst, abs(difference) * radius)
      }
      // depth-semantics §2.4: eight powers fit real tables to 1e-4 %. These are printed digits, and
      // ARKit's table ends in a constant, which no polynomial does: 0.3 px of 640.
      #expect(worst < 1.5, "\(preset.name): \(worst) px")
    }
  }
}
