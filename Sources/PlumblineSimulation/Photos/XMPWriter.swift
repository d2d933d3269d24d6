/// Writes an XMP packet about one image.
public struct XMPWriter: Sendable {
  /// How simple properties are written; arrays are always elements.
  public enum Form: Sendable, CaseIterable {
    /// `<p:Name>value</p:Name>`, as Apple writes.
    case elements
    /// `p:Name="value"` on the description, as other programs write.
    case attributes
  }

  /// One property.
  public struct Property: Sendable {
    /// The namespace.
    var namespace: String
    /// The usual prefix.
    var prefix: String
    var name: String
    var values: [String]
    var isArray: Bool
  }

  /// The form of simple properties.
  public var form: Form
  /// Added to every prefix, to test that readers go by namespaces.
  public var prefixSuffix: String

  /// Creates a writer.
  public init(form: Form = .elements, prefixSuffix: String = "") {
    self.form = form
    self.prefixSuffix = prefixSuffix
  }

  /// The packet as text.
  public func packet(_ properties: [Property]) -> String {
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
    return """
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Plumbline simulator">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about=""\(namespaces)\(attributes)>\(elements)
            </rdf:Description>
         </rdf:RDF>
      </x:xmpmeta>

      """
  }

  /// The APP1 payload: the namespace that marks XMP, a zero byte, and the packet.
  func segment(_ properties: [Property]) -> [UInt8] {
    Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet(properties).utf8)
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}

extension XMPWriter.Property {
  /// A property with one value.
  static func simple(
    _ namespace: String, _ prefix: String, _ name: String, _ value: String
  ) -> Self {
    Self(namespace: namespace, prefix: prefix, name: name, values: [value], isArray: false)
  }

  /// A property with an ordered list of values.
  static func array(
    _ namespace: String, _ prefix: String, _ name: String, _ values: [String]
  ) -> Self {
    Self(namespace: namespace, prefix: prefix, name: name, values: values, isArray: true)
  }
}
