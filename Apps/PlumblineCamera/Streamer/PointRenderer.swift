import Foundation
import Metal
import MetalKit
import PlumblineScreens
import UIKit

/// Draws points as squares that cover each other by depth.
@MainActor
final class PointRenderer: NSObject, MTKViewDelegate {
  let device: (any MTLDevice)?
  private let queue: (any MTLCommandQueue)?
  private let pipeline: (any MTLRenderPipelineState)?
  private let depthTest: (any MTLDepthStencilState)?
  private var points: LivePoints?
  private var vertices: (any MTLBuffer)?
  private var camera = OrbitCamera()
  private var isMirror = false

  /// Prepares a renderer; without a graphics processor nothing is drawn.
  init(device: (any MTLDevice)?) {
    self.device = device
    queue = device?.makeCommandQueue()
    pipeline = device.flatMap { Self.pipeline(on: $0) }
    let test = MTLDepthStencilDescriptor()
    test.depthCompareFunction = .less
    test.isDepthWriteEnabled = true
    depthTest = device?.makeDepthStencilState(descriptor: test)
    super.init()
  }

  /// What is drawn next.
  func show(_ points: LivePoints?, from camera: OrbitCamera, isMirror: Bool) {
    (self.camera, self.isMirror) = (camera, isMirror)
    self.points = points
    vertices = points.flatMap { points in
      points.vertices.isEmpty
        ? nil
        : device?.makeBuffer(
          bytes: points.vertices,
          length: points.vertices.count * MemoryLayout<PointVertex>.stride, options: [])
    }
  }

  func mtkView(_ view: MTKView, drawableSizeWillChange size: CGSize) { view.setNeedsDisplay() }

  func draw(in view: MTKView) {
    guard let pass = view.currentRenderPassDescriptor, let drawable = view.currentDrawable,
      let pipeline, let depthTest, let commands = queue?.makeCommandBuffer(),
      let encoder = commands.makeRenderCommandEncoder(descriptor: pass)
    else { return }
    if let points, let vertices {
      let size = view.drawableSize
      var projection = PointProjection(
        camera, orientation: points.orientation, isMirror: isMirror,
        intrinsics: points.intrinsics, viewSize: SIMD2(size.width, size.height))
      encoder.setRenderPipelineState(pipeline)
      encoder.setDepthStencilState(depthTest)
      encoder.setVertexBuffer(vertices, offset: 0, index: 0)
      encoder.setVertexBytes(
        &projection, length: MemoryLayout<PointProjection>.stride, index: 1)
      encoder.drawPrimitives(type: .point, vertexStart: 0, vertexCount: points.vertices.count)
    }
    encoder.endEncoding()
    commands.present(drawable)
    commands.commit()
  }

  private static func pipeline(on device: any MTLDevice) -> (any MTLRenderPipelineState)? {
    guard let library = try? device.makeLibrary(source: PointShader.source, options: nil) else {
      return nil
    }
    let description = MTLRenderPipelineDescriptor()
    description.vertexFunction = library.makeFunction(name: PointShader.vertexFunction)
    description.fragmentFunction = library.makeFunction(name: PointShader.fragmentFunction)
    description.colorAttachments[0].pixelFormat = .bgra8Unorm
    description.depthAttachmentPixelFormat = .depth32Float
    return try? device.makeRenderPipelineState(descriptor: description)
  }
}
