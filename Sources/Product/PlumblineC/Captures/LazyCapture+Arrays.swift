import CPlumbline
import Plumbline

extension LazyCapture {
  private static let mattePrefix = "matte."

  /// The names of the arrays that the capture has, in the order of the header.
  ///
  /// Cost: mattes are decoded, color is not.
  mutating func arrayNames() throws -> [String] {
    let whole = try captureWithCompanions()
    let corrected = try corrected()
    var names: [String] = []
    if corrected.corrected != nil { names.append("depth") }
    if try array("depth.sigma") != nil { names.append("depth.sigma") }
    if let record = corrected.capture.depth {
      names.append("depth.stored")
      if record.croppedInventedPixels != nil { names.append("depth.invented") }
      if record.croppedConfidence != nil { names.append("confidence") }
    }
    if whole.colorSize != nil || whole.color != nil { names.append("color") }
    names += whole.mattes.map { Self.mattePrefix + $0.kind.rawValue }
    if corrected.corrected?.calibration != nil {
      names += ["rays", "points", "points.pixel"]
      if names.contains("color") { names.append("points.color") }
      if try analysis().hasPointSigma { names.append("points.sigma") }
    }
    return names
  }

  /// Computes an array; `nil` where the capture has none of that name, or there is no such name.
  mutating func makeArray(_ name: String) throws -> ArrayStorage? {
    switch name {
    case "depth":
      return try corrected().corrected.map {
        ArrayStorage($0.depth.meters, PLUMBLINE_FLOAT32)
      }
    case "depth.sigma":
      return try analysis().depthSigma.map { ArrayStorage($0, PLUMBLINE_FLOAT32) }
    case "depth.stored":
      return try capture().depth.map { ArrayStorage($0.storedValues, PLUMBLINE_FLOAT32) }
    case "depth.invented":
      return try capture().depth?.croppedInventedPixels.map {
        ArrayStorage($0.map { $0 == 0 ? UInt8(0) : 1 }, PLUMBLINE_UINT8)
      }
    case "confidence":
      return try capture().depth?.croppedConfidence.map {
        ArrayStorage($0.levels, PLUMBLINE_UINT8)
      }
    case "color": return try makeColor()
    case "rays": return try makeRays()
    case "points", "points.color", "points.sigma", "points.pixel":
      try keepPoints(withColor: name == "points.color")
      return try array(name)
    case _ where name.hasPrefix(Self.mattePrefix):
      let kind = name.dropFirst(Self.mattePrefix.count)
      return try matte(String(kind))
    default: return nil
    }
  }

  private mutating func makeColor() throws -> ArrayStorage? {
    var analyzer = analyzer
    analyzer.color = .full
    let capture: Capture
    switch origin {
    case .file, .frame: capture = try origin.capture(by: analyzer)
    case .made(let made, _, _, let parent):
      if made.color == nil {
        return try parent.withParts { parts throws in try parts.array("color") }
      }
      capture = made
    }
    // Damage of a color image is a finding where the capture has depth, and its array is then missing.
    return capture.color.map { color in
      ArrayStorage(
        capture.inDepthFrame(color, capture.colorOrientation), PLUMBLINE_UINT8, channels: 3)
    }
  }

  private mutating func makeRays() throws -> ArrayStorage? {
    guard let rays = try corrected().corrected?.rays else { return nil }
    let pairs = Raster<SIMD2<Float>>(size: rays.size) { x, y in
      SIMD2(rays.xOverZ[x, y], rays.yOverZ[x, y])
    }
    return ArrayStorage(pairs, PLUMBLINE_FLOAT32, channels: 2)
  }

  /// Makes the points with all that belongs to them at once; of color only when that is asked for, since it
  /// costs the most.
  private mutating func keepPoints(withColor: Bool) throws {
    var analysis = try analysis()
    if withColor {
      // Stored as the depth map is, so that nothing is turned again.
      analysis.capture.color = try colors()
      analysis.capture.colorOrientation = analysis.capture.depth?.orientation ?? .up
    }
    guard let cloud = analysis.pointCloud else {
      for name in ["points", "points.color", "points.sigma", "points.pixel"] { keep(nil, as: name) }
      return
    }
    if withColor {
      keep(
        cloud.colors.map { ArrayStorage(list: $0, PLUMBLINE_UINT8, channels: 3) },
        as: "points.color")
      return
    }
    keep(ArrayStorage(list: cloud.positions, PLUMBLINE_FLOAT32, channels: 3), as: "points")
    keep(cloud.sigmaMeters.map { ArrayStorage(list: $0, PLUMBLINE_FLOAT32) }, as: "points.sigma")
    let width = UInt32(max(1, analysis.corrected?.depth.size.width ?? 1))
    keep(
      cloud.pixelIndices.map { indices in
        ArrayStorage(
          list: indices.map { SIMD2(Float($0 % width), Float($0 / width)) }, PLUMBLINE_FLOAT32,
          channels: 2)
      }, as: "points.pixel")
  }

  private mutating func matte(_ name: String) throws -> ArrayStorage? {
    let capture = try captureWithCompanions()
    guard let matte = capture.mattes.first(where: { $0.kind.rawValue == name }) else { return nil }
    return ArrayStorage(
      capture.inDepthFrame(matte.coverage, matte.orientation), PLUMBLINE_UINT8)
  }
}

extension Capture {
  /// An image in the frame of the depth map's stored pixels; as it is where there is no map.
  fileprivate func inDepthFrame<Sample>(
    _ image: Raster<Sample>, _ orientation: ImageOrientation
  ) -> Raster<Sample> {
    guard let depth, depth.orientation != orientation else { return image }
    return image.oriented(by: orientation.followed(by: depth.orientation.inverse))
  }
}

extension DepthRecord {
  /// The samples as the file has them, by whichever kind.
  var storedValues: Raster<Float> {
    switch values {
    case .depth(let map): map.meters
    case .disparity(let map): map.inverseMeters
    case .range(let map): map.meters
    }
  }
}

extension CaptureAnalysis {
  /// Whether points have a ± of their own.
  var hasPointSigma: Bool { depthSigma != nil && corrected?.isMetric == true }
}
