import PlumblineVerification
import PlumblineModel
import Testing

/// The laws that tables 3 and 4 of arXiv 2201.10865 obey; tolerance 0.01 px, their last digit.
///
/// Focal lengths add the rounding of the reference's, 0.001 px: 595.33 stands for 595.33997.
@Suite struct ScalingLawTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let device: Device
    let calibration: FactoryCalibration
    var testDescription: String {
      "\(device.name) \(calibration.specimen) \(calibration.interface) \(calibration.system ?? "")"
    }
    /// Resolution 4: this color focal length is a misprint or of another session.
    var hasOtherColorFocal: Bool {
      device.name == "iPhone 11 Pro" && calibration.system == "iOS 14"
        && calibration.interface == .avfoundation
    }
    var isCorrected: Bool { device.geometryCorrection?.state == .enabled }
  }

  static let rows = DeviceCatalog.bundled.devices.flatMap { device in
    device.calibrations.filter { $0.color != nil }.map { Row(device: device, calibration: $0) }
  }

  @Test func thereAreTwentyRows() { #expect(Self.rows.count == 20) }

  @Test(arguments: rows)
  func focalLengthsScaleWithTheWidth(_ row: Row) throws {
    let color = try #require(row.calibration.color)
    let scaled = try #require(row.calibration.intrinsics).scaled(to: color.size)
    let difference = scaled.focalLength.x - color.focalLength.x
    // Resolution 4 keeps what is printed, 0.59 px too long.
    #expect(abs(difference + (row.hasOtherColorFocal ? 0.595 : 0)) < 0.011)
  }

  /// `c' = (c + ½)·s − ½`; where geometric distortion correction is on, AVFoundation's is
  /// `c·s − 0.0686`, whose reason is unknown.
  @Test(arguments: rows.filter { $0.calibration.interface == .avfoundation })
  func principalPointsScaleAboutPixelCenters(_ row: Row) throws {
    let color = try #require(row.calibration.color)
    let camera = try #require(row.calibration.intrinsics)
    var expected = camera.scaled(to: color.size).principalPoint
    if row.isCorrected {
      let scale = Double(color.size.width) / Double(camera.size.width)
      expected = camera.principalPoint * scale - 0.0686
    }
    let difference = expected - color.principalPoint
    #expect(max(abs(difference.x), abs(difference.y)) < 0.01)
  }

  /// ARKit mirrors the rows: `H − c` where `H − 1 − c` would be right, so its cy is one row off.
  @Test(arguments: rows.filter { $0.calibration.interface == .arkit })
  func principalPointsOfARKitAreMirroredByOneRowTooMany(_ row: Row) throws {
    let color = try #require(row.calibration.color)
    let center = try #require(row.calibration.principalPoint)
    let scale = Double(color.size.width) / Double(row.calibration.size.width)
    let x = (center.x + 0.5) * scale - 0.5 - color.principalPoint.x
    let y = (center.y - 0.5) * scale - 0.5 - color.principalPoint.y
    #expect(max(abs(x), abs(y)) < 0.01)
  }

  /// Both interfaces describe one camera: shifted by half the difference of widths, and mirrored.
  @Test(arguments: rows.filter { $0.calibration.interface == .arkit && !$0.isCorrected })
  func bothInterfacesDescribeOneCamera(_ row: Row) throws {
    let arkit = row.calibration
    let other = try #require(
      row.device.calibrations.first {
        $0.interface == .avfoundation && $0.specimen == arkit.specimen && $0.system == arkit.system
      })
    let (a, b) = (try #require(other.principalPoint), try #require(arkit.principalPoint))
    let shift = Double(arkit.size.width - other.size.width) / 2 + 0.5
    #expect(abs(a.x + shift - b.x) < 0.0101)
    let sum = arkit.size.width == 4032 ? 3023.49 : 2373.49
    #expect(abs(a.y + b.y - sum) < 0.0101)
    #expect(abs(other.focalLength.x - arkit.focalLength.x) < 0.0101)
  }

  @Test func theMisprintOfTheFifthGenerationIsOneDigit() throws {
    let device = try #require(DeviceCatalog.bundled.device(named: "iPad13,8"))
    for calibration in device.calibrations where calibration.interface == .avfoundation {
      #expect(calibration.color?.principalPoint.y == 241.10)
      #expect(try #require(calibration.note).contains("242.10"))
    }
  }
}
