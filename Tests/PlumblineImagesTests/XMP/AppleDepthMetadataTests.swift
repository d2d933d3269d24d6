import PlumblineImages
import PlumblineModel
import PlumblineTestSupport
import Testing

@Suite("AppleDepthMetadata")
struct AppleDepthMetadataTests {
  func metadata(_ attributes: String, _ children: String = "") throws -> AppleDepthMetadata {
    AppleDepthMetadata(
      try XMPPacket(
        Array(
          XMPSamples.packet(XMPSamples.appleNamespaces + " " + attributes, children).utf8)))
  }

  @Test("Prefers the subtype, since portrait mattes call themselves depth")
  func subtype() throws {
    let matte = try metadata(
      #"p:AuxiliaryImageType="depth" p:AuxiliaryImageSubType="portraiteffectsmatte""#)
    #expect(matte.effectiveType == "portraiteffectsmatte")
    #expect(try metadata(#"p:AuxiliaryImageType="disparity""#).effectiveType == "disparity")
  }

  @Test(
    "Never trusts a range that is reversed, not finite or empty of codes",
    arguments: [
      #"p:FloatMinValue="2" p:FloatMaxValue="1""#, #"p:FloatMinValue="nan" p:FloatMaxValue="1""#,
      #"p:FloatMinValue="0" p:FloatMaxValue="inf""#, #"p:IntMinValue="5" p:IntMaxValue="5""#,
      #"p:IntMinValue="0.5" p:IntMaxValue="255""#, #"p:IntMinValue="0" p:IntMaxValue="1e99""#,
    ])
  func ranges(attributes: String) throws {
    let metadata = try metadata(attributes)
    #expect(metadata.floatRange == nil)
    #expect(metadata.intRange == nil)
    #expect(metadata.notes.map(\.code) == [.metadataValueRejected])
  }

  @Test("Takes lists only at their full length with finite numbers")
  func lists() throws {
    let nine = (1...9).map(String.init)
    #expect(
      try metadata("", XMPSamples.sequence("d:IntrinsicMatrix", nine)).intrinsicMatrix
        == (1...9).map(Double.init))
    for items in [Array(nine.dropLast()), nine + ["10"], nine.dropLast() + ["nan"]] {
      let metadata = try metadata("", XMPSamples.sequence("d:IntrinsicMatrix", items))
      #expect(metadata.intrinsicMatrix == nil)
      #expect(metadata.notes.count == 1)
    }
  }

  @Test("Refuses reference sizes that no image has", arguments: ["0", "-3", "4032.5", "1e18"])
  func referenceSize(width: String) throws {
    let metadata = try metadata(
      #"d:IntrinsicMatrixReferenceWidth="\#(width)" d:IntrinsicMatrixReferenceHeight="3024""#)
    #expect(metadata.intrinsicMatrixReferenceSize == nil)
    #expect(metadata.notes.count == 1)
  }

  @Test(
    "Reads every value of a real iPhone X", .enabled(if: RealData.isPresent, "\(RealData.absence)"))
  func iPhoneX() throws {
    let file = try JPEGFile(try RealData.bytes("photos/iphonex_dual_depth.jpg")[...])
    try #require(file.images.count == 2)
    let metadata = AppleDepthMetadata(try #require(try file.images[1].xmpPacket()))
    #expect(metadata.effectiveType == "disparity")
    #expect(metadata.nativeFormat == 1_751_411_059)
    #expect(metadata.storedFormat == 1_278_226_488)
    #expect(metadata.intRange == 0...255)
    #expect(metadata.floatRange == 0.650879...2.509766)
    #expect(metadata.accuracy == "relative")
    #expect(metadata.quality == "high")
    #expect(metadata.isFiltered == true)
    #expect(metadata.depthDataVersion == 65_538)
    #expect(metadata.intrinsicMatrix?.first == 6_112.78125)
    #expect(metadata.intrinsicMatrix?[7] == 2_027.0889892578125)
    #expect(metadata.intrinsicMatrixReferenceSize == RasterSize(width: 3_024, height: 4_032))
    #expect(metadata.extrinsicMatrix == [0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0])
    #expect(metadata.pixelSizeInMillimeters == 0.001)
    #expect(metadata.lensDistortionCenterX == 1_526.2796630859375)
    #expect(metadata.lensDistortionCenterY == 1_978.0166015625)
    #expect(metadata.lensDistortionCoefficients?[1] == 0.45127826929092407)
    #expect(metadata.inverseLensDistortionCoefficients?[7] == 0.00022056407760828733)
    #expect(metadata.notes.isEmpty)
  }
}
