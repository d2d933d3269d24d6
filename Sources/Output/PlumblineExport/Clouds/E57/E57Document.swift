import PlumblineGeometry
import PlumblineImages
import PlumblineModel

/// The XML section of an E57 file with one scan.
///
/// It has no dates, and its identifiers are given, so equal clouds give equal bytes. There is no pose:
/// the axes of the file are those of the cloud. `images2D` is empty, but present, since some versions
/// of libE57 may ask for it.
/// - Source: ASTM E2807-11, `E57Root` and `Data3D`; see `Documentation/formats/e57.md`.
struct E57Document: Sendable {
  /// The namespace of the elements of the standard.
  static let namespace = "http://www.astm.org/COMMIT/E57/2010-e57-v1.0"
  /// The namespace of `plumb:sigma`: a number drawn once, since the project has no address of its own.
  static let sigmaNamespace = "urn:uuid:0368de9b-c7cb-4e86-b17b-e266e1d76915"

  let statements: PointCloudStatements
  /// The physical offset of the section of points.
  let pointsOffset: Int
  /// The least and the largest coordinates; `nil` without points.
  let bounds: (low: PackedPoint, high: PackedPoint)?

  private var cloud: PointCloud { statements.cloud }

  /// The section with its identifiers, to a multiple of four bytes.
  ///
  /// The length does not depend on identifiers, which are 38 characters each.
  func bytes(_ identifiers: E57Identifiers) -> [UInt8] {
    let extensions =
      cloud.sigmaMeters == nil ? "" : " xmlns:plumb=\"\(Self.sigmaNamespace)\""
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <e57Root type="Structure" xmlns="\(Self.namespace)"\(extensions)>
      \(string("formatName", "ASTM E57 3D Imaging Data File"))
      \(string("guid", identifiers.file))
      <versionMajor type="Integer">1</versionMajor>
      <versionMinor type="Integer">0</versionMinor>
      \(string("e57LibraryVersion", ExportOrigin.oneLine(statements.origin.producer)))
      <data3D type="Vector" allowHeterogeneousChildren="1">
      <vectorChild type="Structure">
      \(string("guid", identifiers.scan))
      \(string("name", name))
      \(string("description", description))
      \(cartesianBounds)\(colorLimits)<points type="CompressedVector" fileOffset="\(pointsOffset)" \
      recordCount="\(cloud.count)">
      <prototype type="Structure">
      \(prototype)
      </prototype>
      <codecs type="Vector" allowHeterogeneousChildren="1"/>
      </points>
      </vectorChild>
      </data3D>
      <images2D type="Vector" allowHeterogeneousChildren="1"/>
      </e57Root>

      """
    let bytes = Array(text.utf8)
    return bytes + Array(repeating: UInt8(ascii: "\n"), count: (4 - bytes.count % 4) % 4)
  }

  /// The scan's name, which programs list; the format itself says meters.
  private var name: String {
    cloud.isMetric ? "points" : "points in a relative unit, not in meters"
  }

  /// One statement a line.
  private var description: String {
    var lines = statements.lines
    if cloud.sigmaMeters != nil {
      lines.append("plumb:sigma holds sigma; \(GLBWriter.missingSigma) where it is not known")
    }
    return lines.joined(separator: "\n")
  }

  /// The fields in the order of the streams of a packet.
  private var prototype: String {
    var fields = ["X", "Y", "Z"].map { "<cartesian\($0) type=\"Float\" precision=\"single\"/>" }
    if cloud.colors != nil {
      fields += ["Red", "Green", "Blue"].map {
        "<color\($0) type=\"Integer\" minimum=\"0\" maximum=\"255\"/>"
      }
    }
    if cloud.sigmaMeters != nil {
      fields.append("<plumb:sigma type=\"Float\" precision=\"single\"/>")
    }
    return fields.joined(separator: "\n")
  }

  /// The bounds in double precision, which holds the floats exactly; empty without points.
  private var cartesianBounds: String {
    guard let (low, high) = bounds else { return "" }
    let numbers = [
      ("xMinimum", low.x), ("xMaximum", high.x), ("yMinimum", low.y), ("yMaximum", high.y),
      ("zMinimum", low.z), ("zMaximum", high.z),
    ]
    let elements = numbers.map { name, value in
      "<\(name) type=\"Float\">\(Double(value))</\(name)>"
    }
    return "<cartesianBounds type=\"Structure\">\n" + elements.joined(separator: "\n")
      + "\n</cartesianBounds>\n"
  }

  private var colorLimits: String {
    guard cloud.colors != nil else { return "" }
    let elements = ["Red", "Green", "Blue"].map { name in
      "<color\(name)Minimum type=\"Integer\">0</color\(name)Minimum>\n"
        + "<color\(name)Maximum type=\"Integer\">255</color\(name)Maximum>\n"
    }
    return "<colorLimits type=\"Structure\">\n" + elements.joined() + "</colorLimits>\n"
  }

  private func string(_ name: String, _ value: String) -> String {
    "<\(name) type=\"String\">\(XMPWriter.escaped(value))</\(name)>"
  }
}
