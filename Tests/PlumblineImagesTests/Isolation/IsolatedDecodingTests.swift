#if os(Linux)
  import Foundation
  import PlumblineModel
  import PlumblineTestSupport
  import Testing
  @testable import PlumblineImages
  @testable import PlumblineIO
  @testable import PlumblineRecordings
  @testable import PlumblineStreams
  /// A worker gives the bytes, notes and errors that the decoder gives in this process.
  @Suite("Decoder workers: the same as without")
  struct IsolatedDecodingTests {
    private let limits = IsolatedImages.limits(IsolatedImages.workers(count: 2))

    /// What decoding gives, or how it fails.
    private enum Outcome<Pixels: Equatable>: Equatable {
      case pixels(Pixels)
      case failure(CaptureReadingError)

      init(_ body: () throws -> Pixels) {
        do { self = .pixels(try body()) } catch let error as CaptureReadingError {
          self = .failure(error)
        } catch {
          self = .failure(CaptureReadingError(.missing, expected: "", found: "\(error)"))
        }
      }
    }

    private struct Color: Equatable {
      let raster: Raster<RGB8>
      let notes: [ContainerNote]
    }

    private func color(
      _ bytes: [UInt8], _ scale: JPEGScale, _ limits: ReadingLimits
    ) -> Outcome<Color> {
      Outcome {
        // In front of the image lie bytes that are not its own: positions are those of the file.
        let padded = [0, 0, 0] + bytes
        let image = try JPEGImage(padded[3...], origin: .primary, limits: limits)
        let decoded = try image.color(scale: scale, limits: limits)
        return Color(raster: decoded.raster, notes: decoded.notes)
      }
    }

    private func luma(_ bytes: [UInt8], _ limits: ReadingLimits) -> Outcome<StoredSamples> {
      Outcome { try JPEGFile(bytes[...]).primary.storedSamples(limits: limits) }
    }

    @Test("Sound, cut and flipped JPEG images", arguments: JPEGScale.allCases)
    func jpeg(scale: JPEGScale) throws {
      let bytes = try IsolatedImages.jpeg()
      var damaged = [bytes]
      for length in ByteDamage.truncations(of: bytes.count, steps: 8) {
        damaged.append(Array(bytes[..<length]))
      }
      var generator = SeededGenerator(seed: 41)
      for _ in 0..<40 {
        var flipped = bytes
        flipped[Int.random(in: 0..<bytes.count, using: &generator)] ^=
          1 << Int.random(in: 0..<8, using: &generator)
        damaged.append(flipped)
      }
      for bytes in damaged {
        #expect(color(bytes, scale, ReadingLimits()) == color(bytes, scale, limits))
        guard scale == .full else { continue }
        #expect(luma(bytes, ReadingLimits()) == luma(bytes, limits))
      }
    }

    @Test(
      "HEVC planes of every depth and layout",
      arguments: [(16, 16, 8), (33, 17, 8), (64, 48, 10), (17, 31, 12)])
    func hevc(width: Int, height: Int, bitDepth: Int) throws {
      let size = RasterSize(width: width, height: height)
      let luma = Raster<UInt16>(size: size) { x, y in
        UInt16(truncatingIfNeeded: (x * 7919 + y * 104_729) & ((1 << bitDepth) - 1))
      }
      let half = RasterSize(width: (width + 1) / 2, height: (height + 1) / 2)
      let chroma = Raster<UInt16>(size: half) { x, y in
        UInt16(truncatingIfNeeded: (x * 31 + y * 17) & ((1 << bitDepth) - 1))
      }
      for hasColor in [false, true] {
        var image = RawHEVCImage(luma: luma, bitDepth: bitDepth)
        if hasColor { image.chroma = (chroma, chroma.map { $0 / 2 }) }
        var builder = HEIFBuilder()
        let properties = [
          builder.addProperty("hvcC", image.configuration), builder.addSize(width, height),
        ]
        builder.items = [HEIFBuilder.Item(1, "hvc1", image.data, properties: properties)]
        func outcome(_ limits: ReadingLimits) -> [Outcome<[Int]>] {
          [
            Outcome {
              let file = try HEIFFile(bytes: builder.bytes, limits: limits)
              let pixels = try HEIFImageDecoder(file, threadCount: 2).color(of: 1).pixels
              return pixels.samples.map { Int($0.red) << 16 | Int($0.green) << 8 | Int($0.blue) }
            },
            Outcome {
              let file = try HEIFFile(bytes: builder.bytes, limits: limits)
              switch try HEIFImageDecoder(file, threadCount: 2).samples(of: 1).pixels {
              case .uint8(let raster): return raster.samples.map { Int($0) }
              case .uint16(let raster, _): return raster.samples.map { Int($0) }
              }
            },
          ]
        }
        #expect(outcome(ReadingLimits()) == outcome(limits))
      }
    }

    /// What a capture has of pixels, and what was said.
    private func parts(of bytes: [UInt8], _ limits: ReadingLimits) -> Outcome<[Int]> {
      Outcome {
        let capture = try CaptureReader(limits: limits).capture(from: bytes)
        var parts = capture.color?.samples.map {
          Int($0.red) << 16 | Int($0.green) << 8 | Int($0.blue)
        }
        parts?.append(capture.findings.map { "\($0)" }.joined().hashValue)
        var rest = capture
        rest.color = nil
        parts?.append(StreamFrame(sequence: 0, capture: rest).encoded().hashValue)
        return parts ?? []
      }
    }

    @Test("The bundled photos", arguments: ["healthy-truedepth.jpg", "untrusted-calibration.jpg"])
    func bundled(name: String) throws {
      let path = PackageRoot.url.appending(path: "Fixtures/demo/\(name)").path
      let bytes = [UInt8](try #require(FileManager.default.contents(atPath: path)))
      #expect(parts(of: bytes, ReadingLimits()) == parts(of: bytes, limits))
    }

    @Test(
      "Photos of phones",
      .enabled(if: RealData.isPresent, Comment(rawValue: RealData.absence)),
      arguments: [
        "pug.heic", "spatial_photo.heic", "truedepth_iphone14.heic", "iphonex_dual_depth.jpg",
        "iphonex_dual_matte.jpg", "gdepth_range_inverse.jpg",
      ])
    func real(name: String) throws {
      let bytes = try RealData.bytes("photos/\(name)")
      let here = parts(of: bytes, ReadingLimits())
      #expect(here == parts(of: bytes, limits))
      guard case .pixels(let parts) = here else { throw CocoaError(.fileReadCorruptFile) }
      #expect(parts.count > 1_000_000)
    }
  }
#endif
