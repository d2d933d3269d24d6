import PlumblineModel

/// Places of one measurement as users write them: pixels as `X,Y:X,Y`, each with its own `depth:` where it is one of
/// the depth map, or points of a cloud as `X,Y,Z:X,Y,Z`.
enum PlaceList {
  case pixels([NamedPixel])
  case points([SIMD3<Double>])

  /// Reads so many places, of one kind.
  init(parsing text: String, count: Int) throws(SettingTextError) {
    let parts = Self.parts(of: text)
    guard parts.count == count else {
      let pixels = Array(repeating: "X,Y", count: count).joined(separator: ":")
      let points = Array(repeating: "X,Y,Z", count: count).joined(separator: ":")
      throw SettingTextError(
        "\(count.counting("pixel")) as \(pixels), or of a cloud \(count.counting("point")) as \(points)",
        found: text)
    }
    let isOfCloud = parts.map { PointText.isOne($0) }
    if isOfCloud.allSatisfy(\.self) {
      var points: [SIMD3<Double>] = []
      for part in parts { points.append(try PointText.point(part)) }
      self = .points(points)
    } else if isOfCloud.contains(true) {
      throw .mixedPlaces(text)
    } else {
      var pixels: [NamedPixel] = []
      for part in parts { pixels.append(try NamedPixel(parsing: part)) }
      self = .pixels(pixels)
    }
  }

  /// The texts between colons, where `depth:` belongs to what follows it.
  static func parts(of text: String) -> [String] {
    var parts: [String] = []
    var isPrefixed = false
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      if isPrefixed {
        parts.append("depth:" + part)
        isPrefixed = false
      } else if part == "depth" {
        isPrefixed = true
      } else {
        parts.append(String(part))
      }
    }
    return isPrefixed ? parts + ["depth"] : parts
  }
}

extension SettingTextError {
  /// Some places are pixels and others are points.
  static func mixedPlaces(_ found: String) -> SettingTextError {
    SettingTextError(
      "all places alike: two numbers are a pixel of a photo or map, three a point of a cloud",
      found: found)
  }
}

/// Points of a cloud as users write them: `X,Y,Z` in meters in the cloud's frame.
enum PointText {
  /// The largest coordinate, in meters: a hundred kilometers, of which doubles keep a micrometer.
  static let maximum = 1e5

  /// Whether a text has the three numbers of a point, where a pixel has two.
  static func isOne(_ text: some StringProtocol) -> Bool {
    !text.hasPrefix("depth:") && text.count { $0 == "," } == 2
  }

  /// Reads one.
  static func point(_ text: some StringProtocol) throws(SettingTextError) -> SIMD3<Double> {
    let numbers = NumberText.numbers(text, between: ",")
    guard let numbers, numbers.count == 3, numbers.allSatisfy({ abs($0) <= maximum }) else {
      throw SettingTextError(
        "a point of a cloud as X,Y,Z in meters in its frame, as in 0.12,-0.4,1.5", found: text)
    }
    return SIMD3(numbers[0], numbers[1], numbers[2])
  }
}

/// An area as users write it: a rectangle of pixels as `X,Y,WxH`, or with `depth:` before it, or a box of a cloud as
/// `X,Y,Z,WxHxD`, or `all` of a cloud or mesh.
enum AreaText {
  case rectangle(MeasuredRectangle)
  case region(CloudRegion)

  /// Reads one.
  init(parsing text: String) throws(SettingTextError) {
    guard text != "all" else {
      self = .region(.all)
      return
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 4 {
      self = .region(try Self.region(parts.dropLast().joined(separator: ","), parts[3]))
      return
    }
    guard parts.count == 3, let sides = NumberText.integers(parts[2], between: "x"),
      sides.count == 2, sides.allSatisfy((1...1_000_000).contains)
    else {
      throw SettingTextError(
        "a rectangle as X,Y,WxH, its first pixel and its size in pixels, or a box of a cloud as "
          + "X,Y,Z,WxHxD, its first corner and its size in meters", found: text)
    }
    let origin = try NamedPixel(parsing: parts[0] + "," + parts[1])
    self = .rectangle(
      MeasuredRectangle(origin, size: SIMD2(Double(sides[0]), Double(sides[1]))))
  }

  private static func region(
    _ corner: String, _ sides: Substring
  ) throws(SettingTextError) -> CloudRegion {
    let sizes = NumberText.numbers(sides, between: "x")
    guard let sizes, sizes.count == 3, sizes.allSatisfy({ $0 > 0 && $0 <= PointText.maximum })
    else {
      throw SettingTextError(
        "a box of a cloud as X,Y,Z,WxHxD, its first corner and its size along x, y and z in meters, "
          + "as in 0.1,-0.2,1,0.3x0.3x0.05", found: "\(corner),\(sides)")
    }
    return CloudRegion(try PointText.point(corner), size: SIMD3(sizes[0], sizes[1], sizes[2]))
  }
}

extension SectionPlane {
  /// Reads a plane that cuts a mesh: `x=0.3` across an axis, or `X,Y,Z:NX,NY,NZ` by a point and a normal.
  init(parsing text: String) throws(SettingTextError) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    if parts.count == 2, let axis = ["x", "y", "z"].firstIndex(of: parts[0]),
      let meters = Double(parts[1]), abs(meters) <= PointText.maximum
    {
      var (point, normal) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      (point[axis], normal[axis]) = (meters, 1)
      if let plane = SectionPlane(point: point, normal: normal) {
        self = plane
        return
      }
    }
    let places = text.split(separator: ":", omittingEmptySubsequences: false)
    guard places.count == 2,
      let plane = SectionPlane(
        point: try PointText.point(places[0]), normal: try PointText.point(places[1]))
    else {
      throw SettingTextError(
        "a plane as x=, y= or z= and meters, or as X,Y,Z:NX,NY,NZ with a normal that is not 0",
        found: text)
    }
    self = plane
  }
}
