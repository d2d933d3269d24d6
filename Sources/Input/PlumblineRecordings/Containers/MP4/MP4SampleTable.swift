import PlumblineImages
import PlumblineIO
import PlumblineModel

/// The boxes inside `stbl`, which give the presentation time and the byte range of each sample.
///
/// - Source: ISO/IEC 14496-12:2022 §8.5 to 8.7.
struct MP4SampleTable {
  static let path = ["moov", "trak", "mdia", "minf", "stbl"]

  let codec: VideoCodec?
  let size: RasterSize?
  private let boxes: [String: ISOBox]

  /// Reads the sample description; the first of several boxes with one type counts.
  init(_ boxes: [ISOBox], limits: ReadingLimits) throws(CaptureReadingError) {
    self.boxes = Dictionary(boxes.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })
    guard let description = self.boxes["stsd"] else {
      codec = nil
      size = nil
      return
    }
    var reader = description.reader(in: Self.path)
    _ = try reader.readFullBoxHeader()
    let count = try reader.readUInt32("a number of descriptions")
    guard count == 1 else {
      throw CaptureReadingError(
        .unsupported, path: reader.path, offset: reader.offset,
        expected: "one sample description", found: "\(count)")
    }
    let entry = try reader.readBox()
    var entryReader = entry.reader(in: reader.path)
    try entryReader.skip(8 + 16, as: "the start of a visual sample entry")
    size = RasterSize(
      width: Int(try entryReader.readUInt16("a width")),
      height: Int(try entryReader.readUInt16("a height")))
    try entryReader.skip(50, as: "the rest of a visual sample entry")
    codec = try VideoCodec(entry: entry.type, &entryReader, limits)
  }

  /// The samples in presentation order.
  ///
  /// - Throws: `.malformed` if the boxes contradict each other or point outside the file.
  func images(
    edit: MP4Edit, fileBytes: Int, limits: ReadingLimits
  ) throws(CaptureReadingError) -> [MP4Video.Image] {
    let sizes = try sampleSizes(limits)
    let offsets = try sampleOffsets(sizes)
    let times = try presentationTimes(count: sizes.count)
    let syncs = try syncSamples(count: sizes.count)
    var images: [MP4Video.Image] = []
    images.reserveCapacity(sizes.count)
    for index in 0..<sizes.count {
      let (end, overflow) = offsets[index].addingReportingOverflow(sizes[index])
      guard !overflow, end <= fileBytes else {
        throw CaptureReadingError(
          .malformed, path: Self.path, offset: offsets[index],
          expected: "the \(sizes[index]) bytes of image \(index) inside the file",
          found: "a file of \(fileBytes) bytes (copy it again)")
      }
      try limits.require(
        sizes[index], atMost: limits.videoImageBytes, "bytes of an image", path: Self.path)
      let time = times[index]
      let isCut =
        time < edit.firstMediaTicks
        || edit.durationTicks.map { time >= edit.firstMediaTicks + $0 } ?? false
      images.append(
        MP4Video.Image(
          presentationTicks: time - edit.firstMediaTicks + edit.delayTicks, decodingIndex: index,
          bytes: offsets[index]..<end, isSync: syncs[index], isShown: !isCut))
    }
    return images.sorted {
      ($0.presentationTicks, $0.decodingIndex) < ($1.presentationTicks, $1.decodingIndex)
    }
  }

  private func table(_ type: String) throws(CaptureReadingError) -> ByteReader {
    guard let box = boxes[type] else {
      throw CaptureReadingError(
        .missing, path: Self.path, expected: "a box of type \(type)", found: "none")
    }
    var reader = box.reader(in: Self.path)
    _ = try reader.readFullBoxHeader()
    return reader
  }

  /// Reads the number of entries, which the box must be long enough for.
  private func entries(
    _ reader: inout ByteReader, bytesEach: Int
  ) throws(CaptureReadingError) -> Int {
    let count = Int(try reader.readUInt32("a number of entries"))
    guard count <= reader.remaining / bytesEach else {
      throw reader.malformed(
        expected: "\(count) entries of \(bytesEach) bytes", found: "\(reader.remaining) bytes left")
    }
    return count
  }

  private func sampleSizes(_ limits: ReadingLimits) throws(CaptureReadingError) -> [Int] {
    let isCompact = boxes["stsz"] == nil && boxes["stz2"] != nil
    var reader = try table(isCompact ? "stz2" : "stsz")
    let common = Int(try reader.readUInt32("a sample size"))
    let count = Int(try reader.readUInt32("a number of samples"))
    try limits.require(count, atMost: limits.videoImages, "pictures", path: reader.path)
    var sizes: [Int] = []
    if !isCompact {
      if common > 0 { return Array(repeating: common, count: count) }
      for _ in 0..<count { sizes.append(Int(try reader.readUInt32("a sample size"))) }
      return sizes
    }
    switch common & 0xFF {
    case 16: for _ in 0..<count { sizes.append(Int(try reader.readUInt16("a sample size"))) }
    case 8: for _ in 0..<count { sizes.append(Int(try reader.readUInt8("a sample size"))) }
    case 4:
      for _ in 0..<(count + 1) / 2 {
        let pair = Int(try reader.readUInt8("two sample sizes"))
        sizes += [pair >> 4, pair & 15]
      }
      sizes.removeLast(sizes.count - count)
    default:
      throw reader.malformed(expected: "sizes of 4, 8 or 16 bits", found: "\(common & 0xFF)")
    }
    return sizes
  }

  private func sampleOffsets(_ sizes: [Int]) throws(CaptureReadingError) -> [Int] {
    let isLong = boxes["stco"] == nil && boxes["co64"] != nil
    var chunks = try table(isLong ? "co64" : "stco")
    let chunkCount = try entries(&chunks, bytesEach: isLong ? 8 : 4)
    var runs = try table("stsc")
    let runCount = try entries(&runs, bytesEach: 12)
    var offsets: [Int] = []
    offsets.reserveCapacity(sizes.count)
    var samplesPerChunk = 0
    var nextChunk = runCount > 0 ? Int(try runs.readUInt32("a first chunk")) : Int.max
    var runsLeft = runCount
    for chunk in 1..<(chunkCount + 1) where offsets.count < sizes.count {
      if runsLeft > 0, chunk >= nextChunk {
        samplesPerChunk = Int(try runs.readUInt32("samples per chunk"))
        try runs.skip(4, as: "a description index")
        runsLeft -= 1
        let previous = nextChunk
        nextChunk = runsLeft > 0 ? Int(try runs.readUInt32("a first chunk")) : .max
        guard nextChunk > previous else {
          throw runs.malformed(expected: "a first chunk after \(previous)", found: "\(nextChunk)")
        }
      }
      var offset = try chunks.readOffset(byteCount: isLong ? 8 : 4, "a chunk offset")
      for _ in 0..<min(samplesPerChunk, sizes.count - offsets.count) {
        offsets.append(offset)
        let (next, overflow) = offset.addingReportingOverflow(sizes[offsets.count - 1])
        guard !overflow else {
          throw chunks.malformed(expected: "samples below 2^63", found: "\(offset)")
        }
        offset = next
      }
    }
    guard offsets.count == sizes.count else {
      throw CaptureReadingError(
        .malformed, path: Self.path, expected: "places of \(sizes.count) samples",
        found: "\(offsets.count) in \(chunkCount) chunks")
    }
    return offsets
  }

  private func presentationTimes(count: Int) throws(CaptureReadingError) -> [Int] {
    var durations = try table("stts")
    var times: [Int] = []
    times.reserveCapacity(count)
    var time = 0
    for _ in 0..<(try entries(&durations, bytesEach: 8)) where times.count < count {
      let run = Int(try durations.readUInt32("a number of samples"))
      let duration = Int(try durations.readUInt32("a duration"))
      for _ in 0..<min(run, count - times.count) {
        times.append(time)
        // At most 216,000 times 2^32, so the sum does not overflow.
        time += duration
      }
    }
    guard times.count == count else {
      throw durations.malformed(expected: "times of \(count) samples", found: "\(times.count)")
    }
    guard boxes["ctts"] != nil else { return times }
    var shifts = try table("ctts")
    var index = 0
    for _ in 0..<(try entries(&shifts, bytesEach: 8)) where index < count {
      let run = Int(try shifts.readUInt32("a number of samples"))
      // Version 0 defines unsigned values, but writers store negative numbers too, and never 2^31.
      let shift = Int(try shifts.readInt32("a composition offset"))
      for _ in 0..<min(run, count - index) {
        times[index] += shift
        index += 1
      }
    }
    return times
  }

  private func syncSamples(count: Int) throws(CaptureReadingError) -> [Bool] {
    // Without the box every sample is a sync sample.
    guard boxes["stss"] != nil else { return Array(repeating: true, count: count) }
    var reader = try table("stss")
    var syncs = [Bool](repeating: false, count: count)
    for _ in 0..<(try entries(&reader, bytesEach: 4)) {
      let number = Int(try reader.readUInt32("a sample number"))
      guard (1...max(1, count)).contains(number), count > 0 else {
        throw reader.malformed(expected: "a sample from 1 to \(count)", found: "\(number)")
      }
      syncs[number - 1] = true
    }
    return syncs
  }
}
