import Plumbline
import PlumblineScreens
import SwiftUI

/// The screen with photos.
struct PhotosView: View {
  @State private var model = PhotosModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        PhotoPreview(model: model)
        ShotView(model: model)
        Picker("Camera", selection: $model.screen.device) {
          ForEach(DepthDevice.allCases, id: \.self) { Text($0.name).tag($0) }
        }
        PhotoOptionsView(screen: $model.screen)
      }
      .padding()
    }
    .navigationTitle(AppScreen.photos.name)
    .navigationBarBackButtonHidden(!model.screen.canLeave)
    .task(id: model.screen.previewRequest) { await model.runPreview() }
    .onChange(of: scenePhase) { _, phase in model.screen.isActive = phase != .background }
    .onDisappear { model.screen.stop() }
  }
}

/// The preview, with an effect where one is chosen, and how fast that is.
private struct PhotoPreview: View {
  @Bindable var model: PhotosModel

  var body: some View {
    PreviewImage(raster: model.preview, name: "Preview")
    if let text = model.screen.missingPreviewText { Text(text) }
    CameraMessage(run: model.screen.run) { model.screen.retry() }
    Picker("Effect of the preview", selection: $model.screen.effect.effect) {
      ForEach(PreviewEffect.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    .pickerStyle(.segmented)
    if model.screen.effect.effect == .portrait {
      Text("Aperture f/\(model.screen.effect.fNumber.fixed(1))").monospacedDigit()
      Slider(value: $model.screen.effect.fNumber, in: 1.4...16) { Text("Aperture") }
    }
    if let rate = model.screen.effect.rateText { Text(rate).monospacedDigit().font(.caption) }
    if let message = model.screen.effectMessage {
      Text(message).foregroundStyle(.orange).font(.caption)
    }
  }
}

/// The shutter, how far a shot has come, and what is said of its photos.
private struct ShotView: View {
  let model: PhotosModel

  var body: some View {
    Button("Photo") { Task { await model.takePhoto() } }
      .disabled(!model.screen.canShoot)
      .accessibilityLabel("Take a photo with depth")
    if let text = model.screen.phase.text { Text(text).monospacedDigit() }
    ForEach(model.screen.storageLines, id: \.self) { Text($0).font(.caption) }
    ForEach(model.screen.remarks, id: \.self) { Text($0).font(.caption) }
    ForEach(model.screen.verdicts, id: \.self) { VerdictView(verdict: $0) }
  }
}

/// The verdict on one photo.
struct VerdictView: View {
  let verdict: PhotoVerdict

  var body: some View {
    VStack(alignment: .leading) {
      Label(verdict.headline, systemImage: symbol).font(.headline).foregroundStyle(color)
      Text(verdict.reason)
      ForEach(verdict.figures, id: \.self) { Text($0).monospacedDigit().font(.caption) }
      ForEach(verdict.findings, id: \.self) { Text($0).font(.caption) }
      Text(verdict.fileName).font(.caption)
    }
  }

  private var symbol: String {
    switch verdict.tone {
    case .good: "checkmark.circle"
    case .limited: "circle.lefthalf.filled"
    case .bad: "xmark.circle"
    }
  }

  private var color: Color {
    switch verdict.tone {
    case .good: .green
    case .limited: .orange
    case .bad: .red
    }
  }
}
