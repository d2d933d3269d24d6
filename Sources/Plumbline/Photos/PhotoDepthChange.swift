import PlumblineCorrection
import PlumblineImages
import PlumblineModel
import PlumblineRecordings

/// The depth that a photo gets, and what comes with it.
struct PhotoDepthChange {
  /// The new map as it is written; `nil` where the photo's own stays or there is none.
  private(set) var depth: PhotoDepth?
  /// The image, where a correction moved its pixels.
  private(set) var color: Raster<RGB8>?
  /// What was done, in sentences.
  private(set) var notes: [String]
  /// What was said of the photo's own map and is lost with it.
  private(set) var findings: [Finding] = []

  /// Makes the map that a request describes.
  ///
  /// - Throws: As ``PhotoWritingRun`` does.
  init(
    _ request: PhotoWritingRequest, of photo: [UInt8], _ facts: PhotoFacts, fileName: String
  ) throws {
    var notes: [String] = []
    var source: PhotoDepthSource?
    var isCorrected = false
    switch request.depth {
    case .own: break
    case .other(let other): source = other
    case .corrected(let wanted):
      let result = try wanted.result(
        for: photo, fileName: fileName, threads: request.options.threads)
      isCorrected = true
      source = result.depth
      color = result.color
      notes += result.notes
    }
    depth = try source.map { try request.photoDepth(of: $0, for: facts, &notes) }
    self.notes = notes
    if let tags = try PortraitTags(ofPhoto: photo), depth != nil {
      if source?.attachedOrigin == nil || isCorrected {
        depth?.take(tags)
      } else {
        findings += Finding.portraitTags(tags.names, "they were said of the map that was replaced")
      }
    }
  }
}

extension PhotoWritingRequest {
  /// The depth that shall stand in the photo, in the photo's stored orientation.
  fileprivate func photoDepth(
    of source: PhotoDepthSource, for photo: PhotoFacts, _ notes: inout [String]
  ) throws -> PhotoDepth {
    var source = source
    source.record.orientation = try source.orientation(in: photo, &notes)
    // The map lies in the file as the image lies, whatever it lay like where it came from.
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
      stored.provenance.append(ProvenanceStep(AttachedDepth.step, origin))
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
  /// The map, its codes and its camera turned as pixels are turned; what else lies on its pixels goes.
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
