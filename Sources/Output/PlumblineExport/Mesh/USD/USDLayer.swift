import PlumblineGeometry
import PlumblineModel

/// The layer of a USDZ package: one mesh with its material and blend shapes.
struct USDLayer {
  private let document: MeshDocument
  private let image: String?

  init(_ document: MeshDocument, image: String?) {
    self.document = document
    self.image = image
  }

  /// The layer as text; O(*n*).
  var bytes: [UInt8] {
    var text = USDText()
    text.line("#usda 1.0")
    text.block("(", ")") { text in
      text.line("defaultPrim = \"Model\"")
      text.line("metersPerUnit = 1")
      text.line("upAxis = \"Y\"")
      text.block("customLayerData = {", "}") { text in
        text.line("string producer = \(USDText.quoted(document.origin.producer))")
        if let digits = document.origin.sourceSHA256 {
          text.line("string sourceSHA256 = \(USDText.quoted(digits))")
        }
        text.line("string unit = \"meter\"")
        text.line("string frame = \(USDText.quoted(document.viewerStatement))")
        if let statement = document.statement {
          text.line("string uncertainty = \(USDText.quoted(statement))")
        }
      }
    }
    // Blend shapes need a skeleton root as ancestor; without them a plain group suffices.
    let kind = document.morphTargets.isEmpty ? "Xform" : "SkelRoot"
    text.block("def \(kind) \"Model\" (", ")") { text in
      text.line("assetInfo = { string name = \(USDText.quoted(document.name)) }")
      text.line("kind = \"component\"")
    }
    text.block("{", "}") { text in
      appendMesh(to: &text)
      if !document.morphTargets.isEmpty { appendSkeleton(to: &text) }
      appendMaterial(to: &text)
    }
    return text.bytes
  }

  private func appendMesh(to text: inout USDText) {
    let mesh = document.mesh
    let points = mesh.positions.map(document.viewer)
    let bounds = ViewerAxes.bounds(points)
    let schemas =
      document.morphTargets.isEmpty
      ? "\"MaterialBindingAPI\"" : "\"MaterialBindingAPI\", \"SkelBindingAPI\""
    text.block("def Mesh \"Surface\" (", ")") { text in
      text.line("prepend apiSchemas = [\(schemas)]")
    }
    text.block("{", "}") { text in
      text.line("uniform token subdivisionScheme = \"none\"")
      text.line("uniform token orientation = \"rightHanded\"")
      text.line("uniform bool doubleSided = 1")
      text.array("float3[] extent", [bounds.low, bounds.high], USDText.triple)
      text.line("int[] faceVertexCounts = [\(Self.threes(mesh.triangles.count))]")
      text.array("int[] faceVertexIndices", mesh.triangles, USDText.triangle)
      text.array("point3f[] points", points, USDText.triple)
      text.array(
        "normal3f[] normals", document.unitNormals.map(document.viewer), USDText.triple,
        interpolation: "vertex")
      if let layout = mesh.texture {
        // USD counts v from the bottom.
        text.array(
          "texCoord2f[] primvars:st", layout.coordinates,
          { "(\($0.x), \(1 - $0.y))" }, interpolation: "faceVarying")
        text.array("int[] primvars:st:indices", layout.triangles, USDText.triangle)
      }
      if image == nil, let colors = mesh.colors {
        let linear = LinearCodes()
        text.array(
          "color3f[] primvars:displayColor", colors,
          {
            let light = [$0.red, $0.green, $0.blue].map { "\(Float(linear[$0]))" }
            return "(\(light.joined(separator: ", ")))"
          }, interpolation: "vertex")
      }
      if let sigmas = mesh.sigmaMeters {
        text.array("float[] primvars:sigma", sigmas, USDText.number, interpolation: "vertex")
      }
      if let invented = mesh.isInvented {
        text.array(
          "int[] primvars:invented", invented, { $0 ? "1" : "0" }, interpolation: "vertex")
      }
      if let residuals = mesh.residualMeters {
        text.array("float[] primvars:residual", residuals, USDText.number, interpolation: "vertex")
      }
      text.line("rel material:binding = </Model/Material>")
      if !document.morphTargets.isEmpty { appendBlendShapes(to: &text) }
    }
  }

  /// The vertex counts of all faces, each of which is three.
  private static func threes(_ count: Int) -> String {
    Array(repeating: "3", count: count).joined(separator: ", ")
  }

  private func appendMaterial(to text: inout USDText) {
    text.line("def Material \"Material\"")
    text.block("{", "}") { text in
      text.line("token outputs:surface.connect = </Model/Material/Shading.outputs:surface>")
      text.line("def Shader \"Shading\"")
      text.block("{", "}") { text in
        text.line("uniform token info:id = \"UsdPreviewSurface\"")
        if image != nil {
          text.line("color3f inputs:diffuseColor.connect = </Model/Material/Picture.outputs:rgb>")
        } else if document.mesh.colors != nil {
          text.line("color3f inputs:diffuseColor.connect = </Model/Material/Colors.outputs:result>")
        }
        text.line("float inputs:metallic = 0")
        text.line("float inputs:roughness = 1")
        text.line("token outputs:surface")
      }
      if let image {
        appendImage(image, to: &text)
      } else if document.mesh.colors != nil {
        text.line("def Shader \"Colors\"")
        text.block("{", "}") { text in
          text.line("uniform token info:id = \"UsdPrimvarReader_float3\"")
          text.line("string inputs:varname = \"displayColor\"")
          text.line("float3 outputs:result")
        }
      }
    }
  }

  private func appendImage(_ image: String, to text: inout USDText) {
    text.line("def Shader \"Picture\"")
    text.block("{", "}") { text in
      text.line("uniform token info:id = \"UsdUVTexture\"")
      text.line("asset inputs:file = @\(image)@")
      text.line("token inputs:sourceColorSpace = \"sRGB\"")
      text.line("float2 inputs:st.connect = </Model/Material/Coordinates.outputs:result>")
      text.line("token inputs:wrapS = \"clamp\"")
      text.line("token inputs:wrapT = \"clamp\"")
      text.line("float3 outputs:rgb")
    }
    text.line("def Shader \"Coordinates\"")
    text.block("{", "}") { text in
      text.line("uniform token info:id = \"UsdPrimvarReader_float2\"")
      text.line("string inputs:varname = \"st\"")
      text.line("float2 outputs:result")
    }
  }
}

extension USDLayer {
  /// Appends the blend shapes below the mesh, and the lists that bind them.
  private func appendBlendShapes(to text: inout USDText) {
    let prims = USDText.identifiers(document.morphTargets.map(\.name))
    let paths = prims.map { "</Model/Surface/\($0)>" }.joined(separator: ", ")
    text.line("uniform token[] skel:blendShapes = [\(blendShapeNames)]")
    text.line("rel skel:blendShapeTargets = [\(paths)]")
    text.line("rel skel:skeleton = </Model/Skeleton>")
    let normals = MorphNormals(document.mesh)
    for (prim, target) in zip(prims, document.morphTargets) {
      let offsets = target.denseDeltas(vertexCount: document.mesh.vertexCount)
      let turns = normals.deltas(of: target)
      let zero = PackedPoint(x: 0, y: 0, z: 0)
      // Both lists belong to the same points: beside those that move, some only turn.
      let points = offsets.indices.filter { offsets[$0] != zero || turns[$0] != zero }
      text.line("def BlendShape \"\(prim)\"")
      text.block("{", "}") { text in
        text.array(
          "uniform vector3f[] offsets", points.map { document.viewer(offsets[$0]) },
          USDText.triple)
        text.array(
          "uniform vector3f[] normalOffsets", points.map { document.viewer(turns[$0]) },
          USDText.triple)
        text.array("uniform int[] pointIndices", points) { "\($0)" }
      }
    }
  }

  /// Appends a skeleton without joints, which programs expect, and the weights of the blend shapes.
  private func appendSkeleton(to text: inout USDText) {
    text.block("def Skeleton \"Skeleton\" (", ")") { text in
      text.line("prepend apiSchemas = [\"SkelBindingAPI\"]")
    }
    text.block("{", "}") { text in
      text.line("uniform token[] joints = []")
      text.line("uniform matrix4d[] bindTransforms = []")
      text.line("uniform matrix4d[] restTransforms = []")
      text.line("rel skel:animationSource = </Model/Skeleton/Weights>")
      text.line("def SkelAnimation \"Weights\"")
      text.block("{", "}") { text in
        text.line("uniform token[] blendShapes = [\(blendShapeNames)]")
        text.array("float[] blendShapeWeights", document.morphWeights, USDText.number)
      }
    }
  }

  private var blendShapeNames: String {
    document.morphTargets.map { USDText.quoted($0.name) }.joined(separator: ", ")
  }
}
