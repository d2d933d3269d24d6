import Foundation
import PlumblineModel
import PlumblineTestSupport
import Testing
@testable import PlumblineImages
@testable import PlumblineIO
@Suite("Color spaces of photos")
struct PhotoColorSpaceTests {
  private static let options = PhotoWritingOptions(hevc: .raw)

  @Test(
    "HEIC keeps what an image's numbers mean",
    arguments: [(12, 13), (9, 18), (9, 16), (1, 1), (2, 13), (700, 3)])
  func heic(primaries: Int, transfer: Int) throws {
    var photo = PhotoContents(color: SamplePhotos.image(1))
    let space = PhotoColorSpace(primaries: primaries, transfer: transfer)
    photo.metadata.colorSpace = space
    let bytes = try HEIFPhotoWriter().bytes(of: photo, options: Self.options)
    let read = try PhotoContents(reading: bytes)
    #expect(read.metadata.colorSpace == space && read.metadata.iccProfile == nil)
    // Once more, and the same.
    let again = try HEIFPhotoWriter().bytes(of: read, options: Self.options)
    #expect(try PhotoContents(reading: again).metadata.colorSpace == space)
    // A profile says it better.
    photo.metadata.iccProfile = [1, 2, 3]
    let profiled = try PhotoContents(
      reading: HEIFPhotoWriter().bytes(of: photo, options: Self.options))
    #expect(profiled.metadata.colorSpace == nil && profiled.metadata.iccProfile == [1, 2, 3])
  }

  @Test("JPEG, which knows no codes, gets a profile where one can say the same")
  func jpeg() throws {
    func profile(_ space: PhotoColorSpace?) throws -> [UInt8]? {
      var photo = PhotoContents(color: SamplePhotos.image(1))
      photo.metadata.colorSpace = space
      return try PhotoContents(reading: JPEGPhotoWriter().bytes(of: photo)).metadata.iccProfile
    }
    #expect(try profile(nil) == nil && profile(.sRGB) == nil)
    let wide = PhotoColorSpace(primaries: 12, transfer: 13)
    #expect(try profile(wide) == wide.iccProfile && wide.iccProfile != nil)
    // Curves of high dynamic range have no such profile.
    #expect(try profile(PhotoColorSpace(primaries: 9, transfer: 16)) == nil)
    #expect(try profile(PhotoColorSpace(primaries: 10, transfer: 13)) == nil)
  }

  /// Three numbers of a profile's tag with sixteen bits behind the point.
  private static func numbers(_ tag: String, of profile: [UInt8]) throws -> SIMD3<Double> {
    var reader = ByteReader(profile[128...])
    for _ in 0..<Int(try reader.readUInt32()) {
      let name = try reader.readFourCC("a tag")
      let offset = Int(try reader.readUInt32())
      _ = try reader.readUInt32()
      guard name == tag else { continue }
      var value = ByteReader(profile[(offset + 8)...])
      let numbers = try (0..<3).map { _ in
        Double(Int32(bitPattern: try value.readUInt32())) / 65_536
      }
      return SIMD3(numbers[0], numbers[1], numbers[2])
    }
    throw CaptureReadingError(.missing, expected: tag, found: "none")
  }

  @Test("Full red, green and blue make the white of profiles, whatever the primaries")
  func white() throws {
    for primaries in [1, 5, 6, 9, 11, 12] {
      let space = PhotoColorSpace(primaries: primaries, transfer: 13)
      let profile = try #require(space.iccProfile)
      let statedCount = Int(profile[2]) << 8 | Int(profile[3])
      #expect(profile.count % 4 == 0 && statedCount == profile.count)
      var sum = SIMD3<Double>.zero
      for tag in ["rXYZ", "gXYZ", "bXYZ"] { sum += try Self.numbers(tag, of: profile) }
      let difference: SIMD3<Double> = sum - MatrixProfile.connectionWhite
      let largest = max(abs(difference.x), abs(difference.y), abs(difference.z))
      // Each of three numbers is rounded to a 65,536th.
      #expect(largest < 1.6 / 65_536)
    }
  }

  @Test("sRGB's columns under D50 are those that are published")
  func published() throws {
    let profile = try #require(PhotoColorSpace.sRGB.iccProfile)
    // Lindbloom's table for sRGB adapted by Bradford to his D50, whose Z is 0.8252 where profiles have
    // 0.8249.
    let published: [(String, SIMD3<Double>)] = [
      ("rXYZ", [0.4360747, 0.2225045, 0.0139322]), ("gXYZ", [0.3850649, 0.7168786, 0.0971045]),
      ("bXYZ", [0.1430804, 0.0606169, 0.7141733]),
    ]
    for (tag, numbers) in published {
      let difference = try Self.numbers(tag, of: profile) - numbers
      #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 4e-4, "\(tag)")
    }
  }

  @Test(
    "Display P3 is the same as in a phone's own profile",
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func real() throws {
    let photo = try PhotoContents(reading: RealData.bytes("photos/pug.heic"))
    let phone = try #require(photo.metadata.iccProfile)
    let own = try #require(PhotoColorSpace(primaries: 12, transfer: 13).iccProfile)
    for tag in ["rXYZ", "gXYZ", "bXYZ"] {
      let difference = try Self.numbers(tag, of: own) - Self.numbers(tag, of: phone)
      #expect(max(abs(difference.x), abs(difference.y), abs(difference.z)) < 2e-4, "\(tag)")
    }
  }

  @Test(
    "Little CMS makes the same colors by it as by its own sRGB, and by the phone's Display P3",
    .enabled(if: PythonPeer.has("PIL"), "\(PythonPeer.absence("PIL"))"),
    .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func littleCMS() throws {
    let folder = try TemporaryFolder()
    let photo = try PhotoContents(reading: RealData.bytes("photos/pug.heic"))
    let wide = PhotoColorSpace(primaries: 12, transfer: 13)
    for (name, profile) in [
      ("srgb", PhotoColorSpace.sRGB.iccProfile), ("p3", wide.iccProfile),
      ("phone", photo.metadata.iccProfile),
    ] { try folder.put(try #require(profile), at: name) }
    let answer = try PythonPeer.run("icc_profiles.py", folder.file(""))
    let worst = String(decoding: answer, as: UTF8.self).split(separator: " ").compactMap {
      Int($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    // Codes of 8 bits: roundings of the two profiles may meet a rounding of the result.
    #expect(worst.count == 2 && worst.allSatisfy { $0 <= 1 }, "\(worst)")
  }
}
