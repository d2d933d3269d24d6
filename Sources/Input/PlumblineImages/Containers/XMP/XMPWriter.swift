/// Writes an XMP packet about one image.
package struct XMPWriter: Sendable {
  /// How simple properties are written; arrays are always elements.
  package enum Form: Sendable, CaseIterable {
    /// `<p:Name>value</p:Name>`, as Apple writes.
    case elements
    /// `p:Name="value"` on the description, as other programs write.
    case attributes
  }

  /// One property.
  package struct Property: Sendable, Hashable {
    /// The namespace.
    package var namespace: String
    /// The usual prefix.
    package var prefix: String
    /// The name in the namespace.
    package var name: String
    /// The value, or the values of a list.
    package var values: [String]
    /// Whether it is an ordered list.
    package var isArray: Bool
  }

  /// The form of simple properties.
  package var form: Form
  /// Added to every prefix, to test that readers go by namespaces.
  package var prefixSuffix: String
  /// The program that the packet names as its writer.
  package var toolkit: String

  /// Creates a writer.
  package init(
    form: Form = .elements, prefixSuffix: String = "", toolkit: String = "Plumbline"
  ) {
    self.form = form
    self.prefixSuffix = prefixSuffix
    self.toolkit = toolkit
  }

  /// The packet as text, without the processing instructions that may frame it.
  ///
  /// - Parameter properties: What the packet says; text may hold any character.
  /// - Returns: UTF-8 text from `<x:xmpmeta` to the end of its last line.
  package func packet(_ properties: [Property]) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="\(Self.escaped(toolkit))">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          \(description(properties))
       </rdf:RDF>
    </x:xmpmeta>

    """
  }

  /// The properties as one `rdf:Description`, without the packet around it.
  ///
  /// Its `rdf:about` is empty: it describes the image in which the packet lies.
  package func description(_ properties: [Property]) -> String {
    var namespaces = ""
    var seen: Set<String> = []
    var attributes = ""
    var elements = ""
    for property in properties {
      let prefix = property.prefix + prefixSuffix
      if seen.insert(property.namespace).inserted {
        namespaces += "\n            xmlns:\(prefix)=\"\(property.namespace)\""
      }
      let name = "\(prefix):\(property.name)"
      if property.isArray {
        elements += "\n         <\(name)>\n            <rdf:Seq>"
        for value in property.values {
          elements += "\n               <rdf:li>\(Self.escaped(value))</rdf:li>"
        }
        elements += "\n            </rdf:Seq>\n         </\(name)>"
      } else if form == .attributes {
        attributes += "\n            \(name)=\"\(Self.escaped(property.values.joined()))\""
      } else {
        elements += "\n         <\(name)>\(Self.escaped(property.values.joined()))</\(name)>"
      }
    }
    return "<rdf:Description rdf:about=\"\"\(namespaces)\(attributes)>\(elements)"
      + "\n      </rdf:Description>"
  }

  /// Text as it may stand in an element or in an attribute in double quotes.
  ///
  /// Tabs and line breaks are written as numbers (`&#9;`), since a parser turns bare ones in attributes
  /// into spaces. Characters that XML cannot hold at all become U+FFFD.
  ///
  /// - Source: XML 1.0, sections 2.2, 2.4 and 3.3.3.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\t": result += "&#9;"
      case "\n": result += "&#10;"
      case "\r": result += "&#13;"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
        result.unicodeScalars.append("\u{FFFD}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension XMPWriter.Property {
  /// A property with one value.
  package static func simple(
    _ namespace: String, _ prefix: String, _ name: String, _ value: String
  ) -> Self {
    Self(namespace: namespace, prefix: prefix, name: name, values: [value], isArray: false)
  }

  /// A property with an ordered list of values.
  package static func array(
    _ namespace: String, _ prefix: String, _ name: String, _ values: [String]
  ) -> Self {
    Self(namespace: namespace, prefix: prefix, name: name, values: values, isArray: true)
  }
}

/// Numbers as XMP prints them.
enum XMPNumber {
  /// A number as Apple prints matrices: rounded to single precision and printed as a double; whole
  /// numbers without a fraction, but zero as `0.0`.
  static func single(_ value: Double) -> String {
    let stored = Double(Float(value))
    if stored == 0 { return "0.0" }
    if stored == stored.rounded(), abs(stored) < 1e9 { return String(Int(stored)) }
    return stored.description
  }

  /// A number with six decimals, if reading them gives the same number; else with the fewest digits
  /// that do.
  static func exact(_ value: Double) -> String {
    let six = sixDecimals(value)
    return Double(six) == value ? six : value.description
  }

  /// A number with six decimals, as C's `%f` prints it; from 10⁹ on with the fewest digits that read
  /// back as the same number.
  static func sixDecimals(_ value: Double) -> String {
    guard abs(value) < 1e9 else { return value.description }
    let millionths = Int((abs(value) * 1_000_000).rounded(.toNearestOrEven))
    let fraction = String(millionths % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return (value < 0 ? "-" : "") + "\(millionths / 1_000_000).\(zeros)\(fraction)"
  }

  /// The value rounded down to six decimals; from 10⁹ on the value itself.
  ///
  /// The result is the `Double` that a reader of these decimals gets, and never above the value.
  static func roundedDown(_ value: Double) -> Double {
    guard abs(value) < 1e9 else { return value }
    let millionths = (value * 1_000_000).rounded(.down)
    for candidate in [millionths + 1, millionths, millionths - 1] {
      let number = candidate / 1_000_000
      if number <= value { return number }
    }
    return value
  }

  /// The value rounded up to six decimals, as ``roundedDown(_:)`` rounds down.
  static func roundedUp(_ value: Double) -> Double { -roundedDown(-value) }
}
