import Dispatch
public import PlumblineIO
import PlumblineImages
public import PlumblineModel
public import PlumblineRecordings
public import PlumblineVerification
import Synchronization

/// What a recording holds, frame by frame, without assessing its depths: one frame is in memory for
/// each thread.
public struct RecordingInfo: Sendable {
  /// The name that outputs carry.
  public var name: String
  /// The app or format that made the recording.
  public var layout: String
  /// Which axis of its world points up.
  public var worldAxes: WorldAxes
  /// The frames in the order of the recording.
  public var frames: [FrameFacts]
  /// The device of the first frame that can be read; `nil` where none can.
  public var source: CaptureSource?
  /// The clock of the frames.
  public var clock: ClockAssessment
  /// The poses of the frames.
  public var trajectory: TrajectoryAssessment
  /// The number of motion samples.
  public var motionCount: Int
  /// Motion samples each second, from their middle interval; `nil` with fewer than two.
  public var motionRate: Double?
  /// The findings of the whole and of all frames, gravest first.
  public var findings: [MergedFinding]

  /// Reads every frame without its color.
  ///
  /// - Parameters:
  ///   - recording: The frames.
  ///   - name: The name that outputs carry.
  ///   - threads: At most so many threads; the result does not depend on it.
  ///   - progress: Called with the number of frames that are done, one at a time.
  /// - Cost: Reading and decoding all depth maps.
  public init(
    _ recording: Recording, name: String, threads: Int = 2,
    progress: @Sendable (Int) -> Void = { _ in }
  ) {
    self.name = name
    layout = recording.layout
    worldAxes = recording.worldAxes
    let count = recording.frames.count
    let results = Mutex<[Int: (facts: FrameFacts, source: CaptureSource?)]>([:])
    let next = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: max(1, min(threads, count))) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < count else { return }
        let result = Self.facts(of: recording, at: index)
        results.withLock {
          $0[index] = result
          progress($0.count)
        }
      }
    }
    let read = results.withLock { results in (0..<count).compactMap { results[$0] } }
    frames = read.map(\.facts)
    source = read.lazy.compactMap(\.source).first
    clock = ClockAssessment(frames)
    trajectory = TrajectoryAssessment(frames)
    var whole =
      recording.findings
      + Self.untold(clock.findings + trajectory.findings, by: recording.findings, frames)
    do throws(CaptureReadingError) {
      let motion = try recording.motion()
      whole += motion.findings
      motionCount = motion.samples.count
      let steps = zip(motion.samples, motion.samples.dropFirst()).map {
        $1.timestampSeconds - $0.timestampSeconds
      }
      motionRate = steps.filter { $0 > 0 }.sorted().middle.map { 1 / $0 }
    } catch {
      motionCount = 0
      whole.append(
        Finding(
          .sequenceMotionDamaged, .caution, "the motion samples cannot be read: \(error)",
          evidence: recording.layout))
    }
    findings = MergedFinding.merged(
      whole,
      frames: frames.map {
        MergedFinding.Frame(
          name: $0.name, problem: $0.problem, depthSize: $0.depthSize, findings: $0.findings)
      })
  }

  /// Leaves out what the reader has said already: it names the file and the reason, and the numbers
  /// are among the facts.
  static func untold(
    _ findings: [Finding], by reader: [Finding], _ frames: [FrameFacts]
  ) -> [Finding] {
    let told = Set((reader + frames.flatMap(\.findings)).map(\.code))
    return findings.filter { !told.contains($0.code) }
  }

  private static func facts(
    of recording: Recording, at index: Int
  ) -> (facts: FrameFacts, source: CaptureSource?) {
    let frame = recording.frames[index]
    do throws(CaptureReadingError) {
      let capture = try recording.capture(at: index, color: .none)
      return (
        FrameFacts(capture, name: frame.name, timestampSeconds: frame.timestampSeconds),
        capture.source
      )
    } catch {
      return (
        FrameFacts(
          unreadable: "\(error)", name: frame.name, timestampSeconds: frame.timestampSeconds), nil
      )
    }
  }

  /// The size that most frames have; `nil` where none has one.
  func commonSize(_ size: (FrameFacts) -> RasterSize?) -> RasterSize? {
    let groups = Dictionary(grouping: frames.compactMap(size)) { $0 }
    return groups.max {
      ($0.value.count, $0.key.pixelCount) < ($1.value.count, $1.key.pixelCount)
    }?.key
  }

  /// The least, the middle and the maximum of a number over the frames that have it.
  public func spread(
    _ number: (FrameFacts) -> Double?
  ) -> (least: Double, middle: Double, maximum: Double)? {
    let sorted = frames.compactMap(number).sorted()
    guard let least = sorted.first, let middle = sorted.middle, let maximum = sorted.last else {
      return nil
    }
    return (least, middle, maximum)
  }

  /// The size of most depth maps.
  public var depthSize: RasterSize? { commonSize(\.depthSize) }
  /// The size that most frames' camera numbers belong to.
  public var calibrationSize: RasterSize? { commonSize(\.calibrationSize) }
  /// The size of most color images.
  public var colorSize: RasterSize? { commonSize(\.colorSize) }
  /// Frames that can be read.
  public var readableCount: Int { frames.count { $0.problem == nil } }
}

extension [Double] {
  /// The middle of ordered numbers, of two middles the lower; `nil` for none.
  fileprivate var middle: Double? { isEmpty ? nil : self[(count - 1) / 2] }
}

extension RecordingInfo {
  /// The document `plumbline.info/1`, as `Documentation/cli.md` describes it; what is unknown is
  /// `null`.
  public var document: JSONValue {
    .object([
      ("schema", "plumbline.info/1"),
      ("recording", .string(name)),
      ("layout", .string(layout)),
      ("source", source.map(\.document) ?? .null),
      ("frames", .integer(frames.count)),
      ("readable", .integer(readableCount)),
      ("seconds", .number(clock.seconds)),
      ("framesPerSecond", .number(clock.framesPerSecond)),
      ("jitterMilliseconds", .number(clock.jitterSeconds.map { $0 * 1000 })),
      ("drops", .integer(clock.intervalSeconds == nil ? nil : clock.missingFrames)),
      ("gaps", .array(clock.gaps.map(\.document))),
      ("depthSize", Self.document(of: depthSize)),
      ("colorSize", Self.document(of: colorSize)),
      ("fill", document(of: spread(\.validFraction))),
      ("medianMeters", document(of: spread(\.medianMeters))),
      ("focalLengthPixels", document(of: spread(\.focalLengthPixels))),
      ("calibrationSize", Self.document(of: calibrationSize)),
      ("confidence", .integer(frames.count { $0.hasConfidence })),
      ("poses", .integer(trajectory.poseCount)),
      ("worldAxes", .string(worldAxes.rawValue)),
      ("pathMeters", trajectory.poseCount > 1 ? .number(trajectory.pathMeters) : .null),
      ("poseJumps", .array(trajectory.jumps.map(\.document))),
      ("motionSamples", .integer(motionCount)),
      ("motionSamplesPerSecond", .number(motionRate)),
      ("findings", .array(findings.map(\.document))),
    ])
  }

  private static func document(of size: RasterSize?) -> JSONValue {
    size.map { .object([("width", .integer($0.width)), ("height", .integer($0.height))]) } ?? .null
  }

  private func document(
    of spread: (least: Double, middle: Double, maximum: Double)?
  ) -> JSONValue {
    spread.map {
      .object([
        ("least", .number($0.least)), ("middle", .number($0.middle)),
        ("greatest", .number($0.maximum)),
      ])
    } ?? .null
  }
}

extension ClockAssessment.Gap {
  /// One entry of `gaps`.
  var document: JSONValue {
    .object([
      ("before", .string(frame)), ("seconds", .number(seconds)),
      ("missingFrames", .integer(missingFrames)),
    ])
  }
}

extension TrajectoryAssessment.Jump {
  /// One entry of `poseJumps`.
  var document: JSONValue {
    .object([
      ("frame", .string(frame)), ("meters", .number(meters)), ("degrees", .number(degrees)),
    ])
  }
}
