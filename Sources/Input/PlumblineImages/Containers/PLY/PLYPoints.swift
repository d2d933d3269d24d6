package import PlumblineIO

/// The points of a PLY cloud or mesh: positions, where known one standard deviation of each, and the
/// comments that say what they mean.
///
/// Read are the properties `x`, `y`, `z` and `sigma` of the element `vertex`, in any order and of any
/// number type; `scalar_sigma`, as CloudCompare renames it, is the same. All other properties and
/// elements are passed over. Numbers are as stored, in the unit and the frame of the file.
package struct PLYPoints: Sendable {
  /// The element whose rows are points.
  package static let elementName = "vertex"
  /// The names of the ± of a point, by preference.
  package static let sigmaNames = ["sigma", "scalar_sigma"]

  /// The lines of the header's comments, in their order.
  package let comments: [String]
  /// The first coordinates; not necessarily finite.
  package let x: [Double]
  /// The second coordinates.
  package let y: [Double]
  /// The third coordinates.
  package let z: [Double]
  /// One standard deviation of each point as stored; `nil` without such a property.
  package let sigmas: [Double]?

  /// Whether bytes are those of a cloud or mesh, and neither of another format nor of a depth frame with
  /// pixels.
  ///
  /// - Throws: As ``PLYHeader`` does for a PLY file whose header cannot be read. Cost: O(header).
  package static func recognizes(
    _ bytes: ArraySlice<UInt8>, limits: ReadingLimits = ReadingLimits()
  ) throws(CaptureReadingError) -> Bool {
    guard PLYHeader.recognizes(bytes) else { return false }
    let header = try PLYHeader(bytes, limits: limits)
    return !StandardCyborgFrame.recognizes(header)
      && header.elements.contains { $0.name == elementName }
  }

  /// Reads the points.
  ///
  /// - Throws: `.missing` without the element or one of its coordinates, `.malformed` for a file that ends
  ///   too early or holds no number where one belongs, `.unsupported` for lists among the properties of
  ///   points, `.limitExceeded` beyond ``ReadingLimits/cloudPoints``. Cost: O(*n*), 24 or 32 bytes of
  ///   memory for a point; nothing is allocated before the length of the file is checked.
  package init(_ bytes: ArraySlice<UInt8>, limits: ReadingLimits) throws(CaptureReadingError) {
    let file = try PLYFile(bytes, limits: limits)
    var (cursor, element) = try file.cursor(
      before: Self.elementName, atMost: limits.cloudPoints, "points")
    func place(_ name: String) -> Int? { element.properties.firstIndex { $0.name == name } }
    var places: [Int] = []
    for name in ["x", "y", "z"] {
      guard let found = place(name) else {
        throw CaptureReadingError(
          .missing, path: ["PLY header", Self.elementName],
          expected: "the property “\(name)” of points",
          found: element.properties.isEmpty
            ? "no property"
            : element.properties.map { printable(text: $0.name) }.joined(separator: ", "))
      }
      places.append(found)
    }
    let sigma = Self.sigmaNames.lazy.compactMap { place($0) }.first
    if let sigma { places.append(sigma) }
    let columns = try cursor.columns(of: element, at: places)
    comments = file.header.comments
    (x, y, z) = (columns[0], columns[1], columns[2])
    sigmas = columns.count > 3 ? columns[3] : nil
  }
}
