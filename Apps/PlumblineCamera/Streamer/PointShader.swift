/// The program of the graphics processor, which is compiled on the device when the points are first shown.
///
/// Its structures have the layout of `PointVertex` and `PointProjection`. The tests of the app compile it
/// by Metal; `Tests/Apps` runs its vertex function as C++ beside the Swift code.
enum PointShader {
  static let vertexFunction = "drawPoint"
  static let fragmentFunction = "colorPoint"

  static let source = """
    #include <metal_stdlib>
    using namespace metal;

    struct Point {
      packed_float3 position;
      uint color;
    };

    struct Projection {
      float4x4 clipFromCamera;
      float pointScale;
    };

    struct Drawn {
      float4 position [[position]];
      float side [[point_size]];
      float4 color;
    };

    vertex Drawn drawPoint(
        uint index [[vertex_id]], const device Point *points [[buffer(0)]],
        constant Projection &projection [[buffer(1)]]) {
      float3 place = float3(points[index].position);
      Drawn drawn;
      drawn.position = projection.clipFromCamera * float4(place, 1.0f);
      drawn.side = clamp(projection.pointScale * place.z / drawn.position.w, 1.0f, 64.0f);
      drawn.color = unpack_unorm4x8_to_float(points[index].color);
      return drawn;
    }

    fragment float4 colorPoint(Drawn drawn [[stage_in]]) {
      return drawn.color;
    }
    """
}
