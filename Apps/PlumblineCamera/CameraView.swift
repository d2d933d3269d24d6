import Plumbline
import SwiftUI

/// The screen: images, numbers, choices, buttons.
struct CameraView: View {
  @State private var model = CameraModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    NavigationStack {
      VStack {
        HStack {
          PreviewImage(raster: model.preview?.color, name: "Color")
          PreviewImage(raster: model.preview?.depth, name: "Depth, red is near")
        }
        StatusView(model: model)
        if let message = model.message {
          Text(message).foregroundStyle(.orange)
          Button("Start the camera again") { model.retry() }.disabled(model.recording != nil)
        }
        ChoiceView(model: model).disabled(model.recording != nil)
        ProximityView(proximity: model.proximity)
        StreamView(streaming: model.streaming)
        HStack {
          RecordButton(model: model)
          Button("Photo") { Task { await model.takePhoto() } }
            .disabled(!model.canTakePhoto)
            .accessibilityLabel("Take a photo with depth")
          NavigationLink("Files") { LibraryView() }
            .disabled(model.recording != nil)
        }
      }
      .padding()
      .navigationTitle("Plumbline")
    }
    .task(id: model.stream) { await model.run() }
    .task(id: model.streaming.run(on: model.relay)) {
      await model.streaming.stream(model.relay)
    }
    .onChange(of: model.recording != nil || model.streaming.isWanted) { _, isBusy in
      // A locked phone takes the camera away.
      UIApplication.shared.isIdleTimerDisabled = isBusy
    }
    .onChange(of: scenePhase) { _, phase in model.isInForeground = phase != .background }
  }
}

/// Which camera, and how.
private struct ChoiceView: View {
  @Bindable var model: CameraModel

  var body: some View {
    VStack {
      Picker("Camera", selection: $model.camera) {
        ForEach(CameraSelection.allCases, id: \.self) { Text($0.name).tag($0) }
      }
      Toggle("Let the system smooth depth and fill holes", isOn: $model.isFiltered)
        .disabled(!model.camera.hasFilterChoice)
    }
  }
}

/// Starts and ends a recording.
private struct RecordButton: View {
  let model: CameraModel

  var body: some View {
    if model.recording == nil {
      Button("Record") { model.startRecording() }
        .disabled(!model.canRecord)
        .accessibilityLabel("Start recording")
    } else {
      Button("Stop") { model.stopRecording() }
        .foregroundStyle(.red)
        .accessibilityLabel("Stop recording")
    }
  }
}
