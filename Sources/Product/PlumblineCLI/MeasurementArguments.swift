import ArgumentParser
import Plumbline

/// Places of one measurement as they are written on the command line: pixels as `X,Y:X,Y`, each with its own
/// `depth:` where it is one of the depth map, or points of a cloud as `X,Y,Z:X,Y,Z`.
enum PlaceListArgument {
  case pixels([NamedPixel])
  case points([SIMD3<Double>])

  /// Reads so many places.
  init(parsing argument: String, count: Int) throws {
    let parts = Self.parts(of: argument)
    guard parts.count == count else {
      let pixels = Array(repeating: "X,Y", count: count).joined(separator: ":")
      let points = Array(repeating: "X,Y,Z", count: count).joined(separator: ":")
      throw ValidationError(
        "write \(count.counting("pixel")) as \(pixels), or of a cloud "
          + "\(count.counting("point")) as \(points)")
    }
    let isOfCloud = parts.map { PointArgument.isOne($0) }
    if isOfCloud.allSatisfy(\.self) {
      self = .points(try parts.map { try PointArgument(parsing: $0).point })
    } else if isOfCloud.contains(true) {
      throw MixedPlaces.error
    } else {
      self = .pixels(try parts.map { try PixelArgument(parsing: $0).pixel })
    }
  }

  /// The text between colons, where `depth:` belongs to what follows it.
  static func parts(of argument: String) -> [String] {
    var parts: [String] = []
    var isPrefixed = false
    for part in argument.split(separator: ":", omittingEmptySubsequences: false) {
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

/// What is wrong where some places are pixels and others are points.
enum MixedPlaces {
  static var error: ValidationError {
    ValidationError(
      "name all places alike: two numbers are a pixel of a photo or map, three a point of a cloud")
  }
}

/// A point of a cloud as it is written on the command line: `X,Y,Z` in meters in the cloud's frame.
struct PointArgument {
  let point: SIMD3<Double>

  /// The largest coordinate, in meters: a hundred kilometers, of which doubles keep a micrometer.
  private static let maximum = 1e5

  /// Whether a text has the three numbers of a point, where a pixel has two.
  static func isOne(_ text: some StringProtocol) -> Bool {
    !text.hasPrefix("depth:") && text.count { $0 == "," } == 2
  }

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: some StringProtocol) throws {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0) }
    guard numbers.count == 3, numbers.allSatisfy({ abs($0) <= Self.maximum }) else {
      throw ValidationError(
        "write a point of a cloud as X,Y,Z in meters in its frame, as in 0.12,-0.4,1.5")
    }
    point = SIMD3(numbers[0], numbers[1], numbers[2])
  }
}

/// An area as it is written on the command line: a rectangle of pixels as `X,Y,WxH`, or with `depth:` before
/// it, or a box of a cloud as `X,Y,Z,WxHxD`, or `all` of a cloud or mesh.
enum AreaArgument {
  case rectangle(MeasuredRectangle)
  case region(CloudRegion)

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    if argument == "all" {
      self = .region(.all)
      return
    }
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let sides = (parts.last ?? "").split(separator: "x", omittingEmptySubsequences: false)
    if parts.count == 4 {
      self = .region(try Self.region(parts.dropLast().joined(separator: ","), sides))
      return
    }
    guard parts.count == 3, sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      (1...1_000_000).contains(width), (1...1_000_000).contains(height)
    else {
      throw ValidationError(
        "write a rectangle as X,Y,WxH, its first pixel and its size in pixels, or a box of a cloud as "
          + "X,Y,Z,WxHxD, its first corner and its size in meters")
    }
    let origin = try PixelArgument(parsing: parts[0] + "," + parts[1])
    self = .rectangle(
      MeasuredRectangle(origin.pixel, size: SIMD2(Double(width), Double(height))))
  }

  /// The box of a mesh; a rectangle of pixels is refused.
  var region: CloudRegion {
    get throws {
      guard case .region(let region) = self else {
        throw ValidationError("write the part of a mesh as X,Y,Z,WxHxD in meters, or all")
      }
      return region
    }
  }

  private static func region(_ corner: String, _ sides: [Substring]) throws -> CloudRegion {
    let sizes = sides.compactMap { Double($0) }
    guard sides.count == 3, sizes.count == 3, sizes.allSatisfy({ $0 > 0 && $0 <= 1e5 }) else {
      throw ValidationError(
        "write a box of a cloud as X,Y,Z,WxHxD, its first corner and its size along x, y and z in "
          + "meters, as in 0.1,-0.2,1,0.3x0.3x0.05")
    }
    return CloudRegion(
      try PointArgument(parsing: corner).point, size: SIMD3(sizes[0], sizes[1], sizes[2]))
  }
}

/// A point and the area of a plane: `X,Y:X,Y,WxH`, of a cloud `X,Y,Z:X,Y,Z,WxHxD`.
enum HeightArgument {
  case pixel(NamedPixel, MeasuredRectangle)
  case point(SIMD3<Double>, CloudRegion)

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = PlaceListArgument.parts(of: argument)
    guard parts.count == 2 else {
      throw ValidationError(
        "write the point first, then the area of the plane: X,Y:X,Y,WxH, or of a cloud "
          + "X,Y,Z:X,Y,Z,WxHxD")
    }
    switch (PointArgument.isOne(parts[0]), try AreaArgument(parsing: parts[1])) {
    case (false, .rectangle(let rectangle)):
      self = .pixel(try PixelArgument(parsing: parts[0]).pixel, rectangle)
    case (true, .region(let region)):
      self = .point(try PointArgument(parsing: parts[0]).point, region)
    case (true, .rectangle), (false, .region): throw MixedPlaces.error
    }
  }
}

/// A plane that cuts a mesh: `x=0.3` across an axis, or `X,Y,Z:NX,NY,NZ` by a point and a normal.
struct SectionArgument {
  let plane: SectionPlane

  /// Reads the text; says what it should be when it is something else.
  init(parsing argument: String) throws {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    if parts.count == 2, let axis = ["x", "y", "z"].firstIndex(of: parts[0]),
      let meters = Double(parts[1]), abs(meters) <= 1e5
    {
      var (point, normal) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
      (point[axis], normal[axis]) = (meters, 1)
      if let plane = SectionPlane(point: point, normal: normal) {
        self.plane = plane
        return
      }
    }
    let places = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard places.count == 2,
      let plane = SectionPlane(
        point: try PointArgument(parsing: places[0]).point,
        normal: try PointArgument(parsing: places[1]).point)
    else {
      throw ValidationError(
        "write a plane as x=, y= or z= and meters, or as X,Y,Z:NX,NY,NZ with a normal that is not 0"
      )
    }
    self.plane = plane
  }
}
