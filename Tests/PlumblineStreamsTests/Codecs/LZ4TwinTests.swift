#if canImport(CLZ4)
  import PlumblineIO
  import PlumblineTestSupport
  import Testing

  @testable import PlumblineStreams

  /// The frames of this project and of liblz4 are the same format.
  @Suite("LZ4 frames and liblz4")
  struct LZ4TwinTests {
    @Test func liblz4ReadsFramesOfThisProject() {
      for sample in LZ4FrameTests.samples(seed: 14) {
        let frame = LZ4Frame.encoded(sample[...])
        #expect(SystemLZ4.decoded(frame[...], exactly: sample.count) == sample)
      }
    }

    /// Samples of more than 64 kB have linked blocks, which is liblz4's default.
    @Test func framesOfLiblz4AreRead() throws {
      var linked = 0
      for sample in LZ4FrameTests.samples(seed: 15) {
        let frame = SystemLZ4.encoded(sample[...])
        if frame[4] & 0x20 == 0 { linked += 1 }
        #expect(try LZ4Frame.decoded(frame[...], exactly: sample.count) == sample)
      }
      #expect(linked > 5, "the default of liblz4 links blocks")
    }

    /// The size of compressed depth decides how much a recording takes.
    @Test func framesAreNotMuchLargerThanThoseOfLiblz4() {
      for sample in LZ4FrameTests.samples(seed: 16) where sample.count > 1_000 {
        let ours = LZ4Frame.encoded(sample[...]).count
        let theirs = SystemLZ4.encoded(sample[...]).count
        #expect(ours <= theirs * 11 / 10 + 32, "\(ours) and \(theirs) of \(sample.count) bytes")
      }
    }

    /// What liblz4 reads from damaged frames is read here too, as the same bytes; but for matches at
    /// the distance 0, which the format forbids and liblz4 lets pass.
    @Test func damagedFramesGiveTheSameBytesOrAnError() {
      var generator = SeededGenerator(seed: 17)
      var read = 0
      var refused = 0
      for sample in LZ4FrameTests.samples(seed: 18) where sample.count < 70_000 {
        for frame in [LZ4Frame.encoded(sample[...]), SystemLZ4.encoded(sample[...])] {
          for _ in 0..<40 {
            var damaged = frame
            for _ in 0...generator.next() % 3 {
              let place = Int(generator.next() % UInt64(damaged.count))
              damaged[place] = UInt8(truncatingIfNeeded: generator.next())
            }
            if generator.next() % 4 == 0 {
              damaged.removeLast(Int(generator.next() % 9) % damaged.count)
            }
            let theirs = SystemLZ4.decoded(damaged[...], exactly: sample.count)
            do throws(CaptureReadingError) {
              let ours = try LZ4Frame.decoded(damaged[...], exactly: sample.count)
              read += 1
              if let theirs { #expect(ours == theirs) }
            } catch {
              refused += 1
              #expect(theirs == nil || error.expected.contains("distance") && error.found == "0")
            }
          }
        }
      }
      #expect(read > 100 && refused > 100, "\(read) and \(refused)")
    }
  }
#endif
