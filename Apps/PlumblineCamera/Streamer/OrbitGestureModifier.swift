import Foundation
import PlumblineScreens
import SwiftUI

/// One finger turns about the points, two pinch and twist, a double tap goes back.
struct OrbitGestureModifier: ViewModifier {
  let model: StreamerModel

  func body(content: Content) -> some View {
    GeometryReader { geometry in
      content
        .onTapGesture(count: 2) { model.screen.gestures.reset() }
        .gesture(drag(height: geometry.size.height))
        .simultaneousGesture(pinch)
        .simultaneousGesture(twist)
    }
  }

  private func drag(height: CGFloat) -> some Gesture {
    DragGesture()
      .onChanged { value in
        model.screen.gestures.drag(
          to: SIMD2(value.translation.width, value.translation.height),
          from: SIMD2(value.startLocation.x, value.startLocation.y), viewHeight: height)
      }
      .onEnded { _ in model.screen.gestures.endDrag() }
  }

  private var pinch: some Gesture {
    MagnifyGesture()
      .onChanged { value in
        model.screen.gestures.pinch(
          to: value.magnification, from: SIMD2(value.startLocation.x, value.startLocation.y))
      }
      .onEnded { _ in model.screen.gestures.endPinch() }
  }

  private var twist: some Gesture {
    RotateGesture()
      .onChanged { value in
        model.screen.gestures.twist(
          to: value.rotation.radians, from: SIMD2(value.startLocation.x, value.startLocation.y))
      }
      .onEnded { _ in model.screen.gestures.endTwist() }
  }
}
