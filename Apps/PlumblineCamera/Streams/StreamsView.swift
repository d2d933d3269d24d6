import Plumbline
import PlumblineScreens
import SwiftUI
import UIKit

/// The screen with synchronized streams.
struct StreamsView: View {
  @State private var model = StreamsModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        HStack {
          PreviewImage(raster: model.preview?.color, name: "Color")
          PreviewImage(raster: model.preview?.depth, name: "Depth, red is near")
        }
        FiguresView(screen: model.screen)
        CameraMessage(run: model.screen.run) { model.screen.retry() }
        RecordButton(model: model)
        CameraPicker(camera: $model.screen.camera, isFiltered: $model.screen.isFiltered)
          .disabled(model.screen.recording.isOpen)
        Text(model.screen.smoothingText).font(.caption)
        ServerView(server: $model.screen.server)
      }
      .padding()
    }
    .navigationTitle(AppScreen.streams.name)
    .navigationBarBackButtonHidden(!model.screen.canLeave)
    .task(id: model.screen.request) { await model.run() }
    .task(id: model.serverRun) { await model.send() }
    .onChange(of: model.screen.keepsScreenOn) { _, keepsOn in
      UIApplication.shared.isIdleTimerDisabled = keepsOn
    }
    .onChange(of: scenePhase) { _, phase in model.screen.isActive = phase != .background }
    .onDisappear { model.screen.stop() }
  }
}

/// Rates, losses by reason, the camera's numbers, warmth, disk.
private struct FiguresView: View {
  let screen: StreamsScreen

  var body: some View {
    VStack(alignment: .leading) {
      Text(screen.figures.status.rateText).monospacedDigit()
      Text(screen.figures.synchronizationText).monospacedDigit()
      Text(screen.figures.intrinsicsText).monospacedDigit()
      ForEach(screen.figures.configurationLines, id: \.self) { Text($0) }
      Text(screen.figures.status.lossText)
      ForEach(screen.figures.losses, id: \.self) { loss in
        Text("\(loss.countText): \(loss.explanation)")
      }
      Text(screen.figures.status.warmthText)
      Text(screen.diskText)
    }
    .font(.caption)
  }
}

/// Starts and ends a recording, and says how it is.
private struct RecordButton: View {
  let model: StreamsModel

  var body: some View {
    let recording = model.screen.recording
    Button(recording.buttonTitle) { model.toggleRecording() }
      .disabled(recording.phase == .finishing || !recording.isOpen && !model.screen.canRecord)
      .foregroundStyle(recording.isOpen ? .red : .primary)
      .accessibilityLabel(recording.isOpen ? "Stop recording" : "Start recording")
    if let text = recording.text { Text(text).monospacedDigit().font(.caption) }
  }
}
