import Foundation
import Metal
import MetalKit
import PlumblineScreens
import SwiftUI
import UIKit

/// The points of a frame, drawn by the graphics processor whenever something changes.
struct PointCloudView: UIViewRepresentable {
  let points: LivePoints?
  let camera: OrbitCamera
  let isMirror: Bool

  func makeCoordinator() -> PointRenderer {
    PointRenderer(device: MTLCreateSystemDefaultDevice())
  }

  func makeUIView(context: Context) -> MTKView {
    let view = MTKView(frame: .zero, device: context.coordinator.device)
    view.colorPixelFormat = .bgra8Unorm
    view.depthStencilPixelFormat = .depth32Float
    view.clearColor = MTLClearColor(red: 0, green: 0, blue: 0, alpha: 1)
    // Between two frames and movements nothing is drawn.
    view.isPaused = true
    view.enableSetNeedsDisplay = true
    view.delegate = context.coordinator
    return view
  }

  func updateUIView(_ view: MTKView, context: Context) {
    context.coordinator.show(points, from: camera, isMirror: isMirror)
    view.setNeedsDisplay()
  }
}
