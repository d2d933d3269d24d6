import PlumblineIO
import PlumblineModel
import PlumblineNumerics
import PlumblineReconstruction
import PlumblineTestSupport
import Testing

@testable import Plumbline

/// What a scan keeps of its frames, so that a killed run goes on.
@Suite struct ScanJournalTests {
  /// A recording of holes: no frame is read.
  private func recording(_ count: Int, prefix: String = "f") -> Recording {
    Recording(
      layout: "test",
      frames: (0..<count).map {
        RecordedFrame(name: "\(prefix)\($0)", timestampSeconds: Double($0) / 30)
      }
    ) { _, _ throws(CaptureReadingError) in
      throw CaptureReadingError(.missing, expected: "a frame", found: "none")
    }
  }

  private func entry(_ index: Int, _ generator: inout SeededGenerator) -> ScanJournalEntry {
    func number() -> Double { Double.random(in: -1...1, using: &generator) }
    if index % 7 == 3 {
      return ScanJournalEntry(
        name: "f\(index)", checksum: nil, unusable: "it is “damaged”\n", tracked: nil)
    }
    let states: [TrackingState] = [
      .started, .tracked, .followed, .relocalized, .skipped, .lost(.noOverlap), .lost(.jump),
      .lost(.disagreement), .lost(.undetermined),
    ]
    var frame = TrackedFrame(
      index: index, state: states[index % states.count], fragment: index % 2)
    frame.timestampSeconds = index % 5 == 0 ? nil : number()
    frame.recordedWorldFromCamera =
      index % 4 == 0
      ? nil
      : RigidTransform.identity.moved(rotation: [number(), number(), 1e-17], translation: .zero)
    if frame.isFused {
      var covariance = SymmetricMatrix(count: 6)
      covariance.values = (0..<36).map { _ in number() * 1e-9 }
      frame.estimate = PoseEstimate(
        aFromB: RigidTransform.identity.moved(
          rotation: [number(), number(), number()], translation: [number(), -0.0, 1e-300]),
        covariance: covariance)
    }
    if index % 3 != 0 {
      frame.quality = TrackingQuality(
        pointCount: index, overlap: number(), inlierShare: 0, medianMeters: .nan,
        rootMeanSquareMeters: .nan, medianSigmas: number(), scale: 1,
        weakestDirection: [number(), number(), number()], weakestShare: number(),
        keptDirections: index % 6, colorDirections: index % 3,
        sensedDirections: index % 2, correctionSigmas: number())
    }
    return ScanJournalEntry(
      name: "f\(index)", checksum: UInt32.random(in: 0 ... .max, using: &generator), unusable: nil,
      tracked: frame)
  }

  /// Writes entries as a run would, and leaves the file as a killed one does.
  private func write(
    _ entries: [ScanJournalEntry], in folder: TemporaryFolder, of recording: Recording,
    settings: ScanSettings = ScanSettings()
  ) throws {
    let journal = ScanJournal(
      besideOutput: folder.file("s.ply"), existing: .keep, resumes: false)
    try journal.begin(
      recording, indices: Array(recording.frames.indices), settings: settings)
    for (place, entry) in entries.enumerated() { try journal.append(entry, at: place) }
  }

  /// What a later run knows.
  ///
  /// The file is not begun again here: its lock may live on in a process that another test is starting.
  private func known(
    in folder: TemporaryFolder, of recording: Recording, settings: ScanSettings = ScanSettings()
  ) throws -> [ScanJournalEntry] {
    try ScanJournal.entries(
      at: folder.file("s.ply.resume"),
      of: ScanJournal.head(
        recording, indices: Array(recording.frames.indices), settings: settings))
  }

  @Test("Every bit of every state comes back")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    let entries = (0..<40).map { entry($0, &generator) }
    let folder = try TemporaryFolder()
    try write(entries, in: folder, of: recording(40))
    let found = try known(in: folder, of: recording(40))
    try #require(found.count == 40)
    for (found, entry) in zip(found, entries) {
      // The text names every number with the fewest digits that give it back.
      #expect(found.json == entry.json)
      #expect(found.tracked?.estimate?.aFromB == entry.tracked?.estimate?.aFromB)
      #expect(found.tracked?.state == entry.tracked?.state)
    }
  }

  @Test("Cut at any byte, all whole lines hold; a damaged one ends what is known")
  func damage() throws {
    var generator = SeededGenerator(seed: 6)
    let entries = (0..<4).map { entry($0, &generator) }
    let folder = try TemporaryFolder()
    try write(entries, in: folder, of: recording(4))
    let whole = try #require(folder.bytes("s.ply.resume"))
    let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
    #expect(ends.count == 5)
    for length in stride(from: 0, through: whole.count, by: 17) + ends + ends.map({ $0 + 1 }) {
      try folder.put(Array(whole.prefix(length)), at: "s.ply.resume")
      let count = try known(in: folder, of: recording(4)).count
      #expect(count == max(ends.count { $0 < length } - 1, 0), "\(length) bytes")
    }
    for place in stride(from: 3, to: whole.count, by: 41) {
      var bytes = whole
      bytes[place] ^= 0x10
      try folder.put(bytes, at: "s.ply.resume")
      if place < ends[0] {
        #expect(throws: ScanJournalError.self) { try known(in: folder, of: recording(4)) }
      } else {
        let count = try known(in: folder, of: recording(4)).count
        #expect(count <= ends.count { $0 < place } - 1)
      }
    }
  }

  @Test("Another recording, other options, another number of frames are refused with the reason")
  func otherScan() throws {
    let folder = try TemporaryFolder()
    try write([], in: folder, of: recording(4))
    var settings = ScanSettings()
    settings.threads = 7
    settings.maximumBytes = 1 << 20
    #expect(try known(in: folder, of: recording(4), settings: settings).isEmpty)
    settings.voxelMeters = 0.01
    func difference(_ work: () throws -> [ScanJournalEntry]) -> String {
      do {
        _ = try work()
        return "none"
      } catch { return "\(error)" }
    }
    #expect(
      difference { try known(in: folder, of: recording(4), settings: settings) }
        .contains("other options"))
    #expect(difference { try known(in: folder, of: recording(5)) }.contains("number of frames"))
    #expect(
      difference { try known(in: folder, of: recording(4, prefix: "g")) }
        .contains("other frames"))
    // What is refused stays.
    #expect(try known(in: folder, of: recording(4)).isEmpty)
  }

  @Test("One run at a time writes it, and an output that exists is found out at once")
  func exclusive() throws {
    let folder = try TemporaryFolder()
    let first = ScanJournal(besideOutput: folder.file("s.ply"), existing: .keep, resumes: false)
    try first.begin(recording(1), indices: [0], settings: ScanSettings())
    let second = ScanJournal(besideOutput: folder.file("s.ply"), existing: .keep, resumes: false)
    #expect(throws: OutputError.self) {
      try second.begin(recording(1), indices: [0], settings: ScanSettings())
    }
    first.remove()
    try folder.put([1], at: "s.ply")
    #expect(throws: OutputError.self) {
      try second.begin(recording(1), indices: [0], settings: ScanSettings())
    }
    #expect(folder.bytes("s.ply") == [1])
    #expect(try folder.names() == ["s.ply"])
  }
}
