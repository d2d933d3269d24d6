public import PlumblineCorrection
import PlumblineGeometry
public import PlumblineIO
public import PlumblineImages
import PlumblineModel
import PlumblineVerification

/// The points of a cloud as ``CloudMeasurer`` measures in them: what ``MeasurableCloudReader`` reads.
public struct MeasurableCloud: Sendable {
  /// The name that outputs carry.
  public let fileName: String
  /// The SHA-256 of the file, hexadecimal.
  public let sha256: String
  /// The points in meters, or in the unit of a relative cloud.
  let points: PointList
  /// One standard deviation of each, in meters; `nil` where the file has none.
  let sigmas: [Double]?
  /// What the file, or the user in its place, says of the points.
  let statements: CloudStatements
  /// Whether the unit is what the user said, since the file does not name it.
  public let hasUnitOfUser: Bool
  /// The triangles between the points, with their errors; `nil` for a cloud, which has none.
  let surface: MeasurableMesh?

  /// The number of triangles; `nil` for a cloud.
  public var triangleCount: Int? { surface?.triangles.count }
  /// The number of points, with those that are not finite.
  public var count: Int { points.count }
  /// Whether the unit is unknown, since the points are those of a relative map.
  public var isRelative: Bool { statements.unit == .relative }
  /// Whether the file states its unit, or the user did.
  public var statesUnit: Bool { statements.unit != nil }
  /// Whether points have a ±.
  public var hasSigma: Bool { sigmas != nil }

  /// The frame of the points in words.
  public var frame: String {
    switch statements.frame {
    case .camera: "camera"
    case .world(.yUp): "world, y up"
    case .world(.zUp): "world, z up"
    case .world(.unknown): "world"
    case nil: "file"
    }
  }

  /// A point with its errors.
  ///
  /// - Precondition: There is a point at the index.
  func point(_ index: Int) -> MeasurementPoint {
    statements.errors.point(at: points[index], sigma: sigma(index))
  }

  /// The ± of a point as the file states it; `nil` for none.
  func sigma(_ index: Int) -> Double? {
    guard let sigma = sigmas?[index], sigma.isFinite, sigma >= 0 else { return nil }
    return sigma
  }
}

/// Reads PLY clouds, and meshes as PLY, GLB, OBJ or STL, for measuring.
///
/// Only PLY keeps numbers of double precision.
///
/// ```swift
/// let cloud = try MeasurableCloudReader().cloud(from: bytes, fileName: "scan.ply")
/// let result = CloudMeasurer(cloud).measure([.distance([0, 0, 1], [0.2, 0, 1])])
/// ```
public struct MeasurableCloudReader: Sendable {
  /// The limits of memory for reading.
  public var limits: ReadingLimits
  /// What the user says of the unit where the file leaves it open; `nil` for nothing.
  public var statement: DepthStatement?
  /// Whether a file that names its unit is read by that, and ``statement`` left unused; else it is refused.
  public var ignoresNeedlessStatement = false

  /// Creates a reader.
  public init(limits: ReadingLimits = ReadingLimits(), statement: DepthStatement? = nil) {
    self.limits = limits
    self.statement = statement
  }

  /// Whether bytes are those of a cloud or mesh, which has points without pixels.
  ///
  /// OBJ, and STL as text, have no signature: there the name decides.
  ///
  /// - Throws: ``CaptureReadingError`` for a PLY file whose header cannot be read. Cost: O(header).
  public func recognizes(
    _ bytes: [UInt8], fileName: String = ""
  ) throws(CaptureReadingError) -> Bool {
    try MeasuredFile.recognizes(bytes, named: fileName, limits: limits)
  }

  /// Reads the cloud of a file.
  ///
  /// - Throws: As ``cloud(from:fileName:)``. Cost: O(*n*).
  public func cloud(of file: InputFile) throws -> MeasurableCloud {
    try cloud(from: file.bytes, fileName: lastPathPart(file.path))
  }

  /// Reads a cloud.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; of a mesh its corners are the points.
  ///   - fileName: The name that outputs carry.
  /// - Returns: The points in meters, where they have a unit.
  /// - Throws: ``CaptureReadingError`` for a file that cannot be read, has no finite point, or states that a
  ///   camera saw points behind it; ``CorrectionError`` for a ``statement`` that contradicts the file.
  ///   Cost: O(*n*), 32 bytes of memory for a point.
  public func cloud(from bytes: [UInt8], fileName: String) throws -> MeasurableCloud {
    try limits.require(bytes.count, atMost: limits.fileBytes, "bytes of file")
    let file = try MeasuredFile.read(bytes, named: fileName, limits: limits)
    var statements = try CloudStatements(reading: file.comments)
    if file.metersPerUnit != nil { statements.unit = .meters }
    let isNeedless = ignoresNeedlessStatement && statements.unit != nil
    let used = isNeedless ? nil : statement
    let factor = try apply(used, to: &statements) * (file.metersPerUnit ?? 1)
    func scaled(_ values: [Double]) -> [Double] {
      factor == 1 ? values : values.map { $0 * factor }
    }
    let points = PointList(
      x: scaled(file.points.x), y: scaled(file.points.y), z: scaled(file.points.z))
    try check(points, statements)
    let sigmas = file.sigmas.map(scaled)
    return MeasurableCloud(
      fileName: fileName, sha256: SHA256Digest.hexadecimal(of: bytes), points: points,
      sigmas: sigmas, statements: statements, hasUnitOfUser: used != nil,
      surface: surface(of: file, points, sigmas, statements))
  }

  /// The triangles of a mesh; those with a corner that is not finite, or with one twice, are left out.
  private func surface(
    of file: MeasuredFile, _ points: PointList, _ sigmas: [Double]?,
    _ statements: CloudStatements
  ) -> MeasurableMesh? {
    guard let corners = file.corners, !corners.isEmpty else { return nil }
    let positions = (0..<points.count).map { points[$0] }
    func isFinite(_ corner: Int32) -> Bool {
      let point = positions[Int(corner)]
      return (point.x + point.y + point.z).isFinite
    }
    let triangles = corners.filter { corners in
      isFinite(corners.x) && isFinite(corners.y) && isFinite(corners.z)
        && corners.x != corners.y && corners.y != corners.z && corners.z != corners.x
    }
    return MeasurableMesh.prepared(
      positions: positions, triangles: triangles,
      sigmas: statements.errors.isNoiseKnown ? sigmas : nil, invented: file.invented,
      errors: statements.surfaceErrors)
  }

  /// What numbers are multiplied by to be meters.
  private func apply(
    _ statement: DepthStatement?, to statements: inout CloudStatements
  ) throws(CorrectionError) -> Double {
    guard let statement else { return 1 }
    if statement.isAbsolute, statements.unit == .relative {
      throw CorrectionError(
        .relative, step: ProvenanceStep.Kind.statedAbsolute.rawValue,
        expected: "a cloud whose file leaves open whether its unit is meters",
        found: "a relative one")
    }
    if statement.unit != nil, statements.unit != nil {
      throw CorrectionError(
        .unsupported, step: ProvenanceStep.Kind.statedUnit.rawValue,
        expected: "a cloud whose file does not name its unit", found: "one whose file does")
    }
    statements.unit = statements.unit ?? .meters
    return statement.unit.map { 1 / $0.perMeter } ?? 1
  }

  private func check(
    _ points: PointList, _ statements: CloudStatements
  ) throws(CaptureReadingError) {
    guard points.nearest(to: .zero) != nil else {
      throw CaptureReadingError(
        .missing, path: ["PLY", PLYPoints.elementName], expected: "a point with finite coordinates",
        found: points.count == 0 ? "no point" : "\(points.count) without")
    }
    guard statements.errors.direction == .ray else { return }
    if let index = points.z.firstIndex(where: { $0 <= 0 }) {
      throw CaptureReadingError(
        .malformed, path: ["PLY", PLYPoints.elementName, "row \(index)"],
        expected: "z above 0, since the file says that its camera looks along z",
        found: "\(points.z[index])")
    }
  }
}
