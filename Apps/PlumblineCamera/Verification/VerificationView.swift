import Foundation
import Plumbline
import PlumblineScreens
import SwiftUI

/// The screen that verifies this device with a printed board.
struct VerificationView: View {
  @State private var model = VerificationModel()
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        switch model.screen.phase {
        case .choosing: BoardChoice(model: model)
        case .collecting(let capture): CollectingView(model: model, capture: capture)
        case .measuring: Text("The camera is being measured; this takes some seconds.")
        case .done(let outcome): OutcomeView(model: model, outcome: outcome)
        case .failed(let message):
          Text(message).foregroundStyle(.orange)
          Button("Start again") { model.screen.reset() }
        }
      }
      .padding()
    }
    .navigationTitle(AppScreen.verification.name)
    .task(id: model.run) { await model.collect() }
    .task(id: model.isMeasuring) { await model.measure() }
    .onChange(of: scenePhase) { _, phase in model.isActive = phase != .background }
    .onDisappear { model.isActive = false }
  }
}

/// Which board, and by which camera.
private struct BoardChoice: View {
  @Bindable var model: VerificationModel

  var body: some View {
    Text("Print a board with plumbline board, measure the side of a square, and write it here.")
    TextField("Board", text: $model.screen.boardText)
      .textInputAutocapitalization(.never)
      .autocorrectionDisabled()
    if let problem = model.screen.boardProblem { Text(problem).foregroundStyle(.orange) }
    Picker("Camera", selection: $model.camera) {
      ForEach(CameraSelection.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    Button("Start") { model.screen.start() }
  }
}

/// The live image with the corners that were found, what to do and how far it has come.
private struct CollectingView: View {
  let model: VerificationModel
  let capture: BoardCapture

  var body: some View {
    PreviewImage(raster: model.preview, name: "Camera with the board's corners")
    Text(capture.instruction).font(.headline)
    ProgressView(value: capture.progressShare)
    Text(capture.progress).monospacedDigit()
    Button("Measure now") { model.screen.finish() }.disabled(!capture.canFinish)
    Button("Another board") { model.screen.reset() }
  }
}

/// Factory against measured, and the report.
private struct OutcomeView: View {
  let model: VerificationModel
  let outcome: VerificationOutcome

  var body: some View {
    Text(outcome.headline).font(.headline)
    Text(outcome.reason)
    ForEach(outcome.rows) { row in
      Text("\(row.name): \(row.value)").monospacedDigit()
    }
    ForEach(model.files, id: \.self) { url in
      ShareLink(item: url) { Text(url.lastPathComponent) }
    }
    Button("Again") { model.screen.reset() }
  }
}
