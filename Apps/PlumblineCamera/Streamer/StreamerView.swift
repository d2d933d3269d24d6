import Foundation
import Plumbline
import PlumblineScreens
import SwiftUI

/// The screen with live depth: 2D or 3D, colors, distances, touch.
struct StreamerView: View {
  @State private var model = StreamerModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        DepthPane(model: model)
        Text(model.screen.touchText).monospacedDigit()
        if let legend = model.screen.legend { Text(legend).font(.caption) }
        Text(model.screen.run.status.rateText).monospacedDigit().font(.caption)
        Text(model.screen.run.status.lossText).font(.caption)
        CameraMessage(run: model.screen.run) { model.screen.retry() }
        DisplayControls(display: $model.screen.display)
        CameraPicker(camera: $model.screen.camera, isFiltered: $model.screen.isFiltered)
      }
      .padding()
    }
    .navigationTitle(AppScreen.streamer.name)
    .task(id: model.screen.request) { await model.run() }
    .onChange(of: scenePhase) { _, phase in model.screen.isActive = phase != .background }
    .onDisappear { model.screen.stop() }
  }
}

/// The image or the points of the latest frame.
private struct DepthPane: View {
  let model: StreamerModel

  var body: some View {
    if model.screen.display.view == .points {
      PointCloudView(
        points: model.drawing?.points, camera: model.screen.gestures.camera,
        isMirror: model.screen.camera.isAtFront
      )
      .aspectRatio(0.75, contentMode: .fit)
      .modifier(OrbitGestureModifier(model: model))
      .accessibilityLabel("Points of the depth camera")
    } else {
      PreviewImage(raster: model.drawing?.image, name: "Depth as colors")
        .overlay { TouchLayer(model: model) }
    }
  }
}

/// Takes touches on the image and marks the place that is read.
private struct TouchLayer: View {
  let model: StreamerModel

  var body: some View {
    GeometryReader { geometry in
      let size = geometry.size
      ZStack(alignment: .topLeading) {
        Color.clear.contentShape(Rectangle())
          .onTapGesture { location in
            model.screen.touch(
              TouchedPlace(
                location: SIMD2(location.x, location.y), viewSize: SIMD2(size.width, size.height)))
          }
        if let place = model.screen.place {
          Circle().stroke(.white, lineWidth: 2).frame(width: 24, height: 24)
            .position(x: place.share.x * size.width, y: place.share.y * size.height)
        }
      }
    }
  }
}

/// Colors, their distances, and how much of the image is mixed in.
private struct DisplayControls: View {
  @Binding var display: DepthDisplay

  var body: some View {
    Picker("View", selection: $display.view) {
      ForEach(DepthDisplay.View.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    .pickerStyle(.segmented)
    Picker("Colors", selection: $display.colorMap) {
      ForEach(ColorMap.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    Picker("Distances", selection: $display.span) {
      ForEach(DepthDisplay.Span.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    if display.span == .chosen {
      Text("From " + display.range.text).monospacedDigit()
      Slider(value: $display.range.nearMeters, in: display.range.limits) { Text("Nearest color") }
      Slider(value: $display.range.farMeters, in: display.range.limits) { Text("Farthest color") }
    }
    Text("Image to depth")
    Slider(value: $display.depthShare, in: 0...1) { Text("From the image to the depth's colors") }
  }
}
