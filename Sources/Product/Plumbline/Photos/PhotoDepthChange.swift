import PlumblineCorrection
import PlumblineImages
import PlumblineIO
import PlumblineModel
import PlumblineRecordings

/// The depth that a photo gets, and what comes with it.
struct PhotoDepthChange {
  /// The new map as it is written; `nil` where the photo's own stays or there is none.
  var depth: PhotoDepth?
  /// The image, where a correction moved its pixels.
  var color: Raster<RGB8>?
  /// What was done, in sentences.
  var notes: [String] = []
  /// Whether the map was assumed to be oriented like the photo's stored pixels, while it may be oriented
  /// like the photo as shown.
  var isLyingAssumed = false
  /// Findings about the photo's own map, which is replaced.
  var findings: [Finding] = []
}

extension PhotoWriter {
  /// Makes the map that the photo gets, and corrects the photo's image if requested.
  ///
  /// - Throws: As ``write(_:fileName:)`` does.
  func depthChange(
    of photo: [UInt8], _ facts: PhotoFacts, fileName: String
  ) throws -> PhotoDepthChange {
    var change = PhotoDepthChange()
    var source: PhotoDepthSource?
    var isCorrected = false
    switch depth {
    case .own: break
    case .other(let other): source = other
    case .corrected(let wanted):
      let result = try wanted.result(
        for: photo, fileName: fileName, threads: options.threads)
      isCorrected = true
      source = result.depth
      change.color = result.color
      change.notes += result.notes
    }
    change.depth = try source.map { try photoDepth(of: $0, for: facts, &change.notes) }
    change.isLyingAssumed = source?.isLyingOpen(in: facts) ?? false
    if let tags = try PortraitTags(ofPhoto: photo), change.depth != nil {
      if source?.attachedOrigin == nil || isCorrected {
        change.depth?.take(tags)
      } else {
        change.findings += Finding.portraitTags(
          tags.names, "they were said of the map that was replaced")
      }
    }
    return change
  }

  /// The depth to write into the photo, in the orientation of its stored pixels.
  private func photoDepth(
    of source: PhotoDepthSource, for photo: PhotoFacts, _ notes: inout [String]
  ) throws -> PhotoDepth {
    var source = source
    source.record.orientation = try source.orientation(in: photo, &notes)
    // In the file, the map has the orientation of the image, whichever it had in its source.
    let record = source.record.turned(
      by: source.record.orientation.followed(by: photo.orientation.inverse))
    var stored = try PhotoDepth(record, quantity: quantity, bits: depthBits)
    if let calibration = stored.calibration, calibration.intrinsics.matchesAspect(of: photo.size) {
      stored.calibration = calibration.scaled(to: photo.size)
    } else {
      notes.append("the depth has no camera: points and lengths cannot be measured with it")
    }
    stored.provenance = source.provenance
    if let origin = source.attachedOrigin {
      stored.provenance.append(ProvenanceStep(.attached, origin))
    }
    let holes = stored.holeCount
    if holes > 0, record.storedSamples == nil {
      notes.append(
        "\(holes) of \(stored.size.pixelCount) pixels have no depth; they are written as 0, which reads "
          + "as missing here and as infinitely far elsewhere")
    }
    if let sigma = source.disparitySigma { stored.disparitySigma = sigma }
    return stored
  }
}

extension DepthRecord {
  /// The map with its codes and its camera turned; other data on its pixels is dropped.
  fileprivate func turned(by turn: ImageOrientation) -> DepthRecord {
    guard turn != .up else { return self }
    var record = self
    switch values {
    case .depth(let map): record.values = .depth(DepthMap(meters: map.meters.oriented(by: turn)))
    case .disparity(let map):
      record.values = .disparity(
        DisparityMap(inverseMeters: map.inverseMeters.oriented(by: turn)))
    case .range(let map): record.values = .range(RangeMap(meters: map.meters.oriented(by: turn)))
    }
    record.storedSamples = storedSamples?.oriented(by: turn)
    record.calibration = calibration?.oriented(by: turn)
    record.orientation = .up
    return record
  }
}

/// What must be known of a photo before its depth can be changed, without decoding its image.
struct PhotoFacts {
  let size: RasterSize
  let orientation: ImageOrientation

  init(_ photo: [UInt8], _ reader: CaptureReader) throws(CaptureReadingError) {
    let capture = try reader.capture(from: photo)
    guard let size = capture.colorSize else {
      throw CaptureReadingError(.missing, expected: "an image", found: "none")
    }
    self.size = size
    orientation = capture.colorOrientation
  }
}
