/// Small XMP packets for tests.
enum XMPSamples {
  /// A packet of one description with attributes and child elements.
  static func packet(_ attributes: String, _ children: String = "") -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" \(attributes)>\(children)</rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  static let appleNamespaces = """
    xmlns:p="http://ns.apple.com/pixeldatainfo/1.0/" \
    xmlns:d="http://ns.apple.com/depthData/1.0/"
    """

  /// An `rdf:Seq` of numbers as a property in element form.
  static func sequence(_ name: String, _ items: [String]) -> String {
    "<\(name)><rdf:Seq>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined()
      + "</rdf:Seq></\(name)>"
  }
}
