import Plumbline
import PlumblineScreens
import SwiftUI
import UniformTypeIdentifiers

/// The screen with depth from one image.
struct EstimationView: View {
  @State private var model = EstimationModel()
  @State private var isImporting = false
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        NetworkView(model: model) { isImporting = true }
        if let frame = model.screen.latest { EstimateView(frame: frame) }
        if let message = model.screen.message { Text(message).foregroundStyle(.orange) }
        EstimationChoices(model: model)
      }
      .padding()
    }
    .navigationTitle(AppScreen.estimation.name)
    .fileImporter(isPresented: $isImporting, allowedContentTypes: [.item]) { file in
      Task { await model.take(file) }
    }
    .task(id: model.screen.loadRequest) { await model.load() }
    .task(id: model.run) { await model.estimate() }
    .onChange(of: scenePhase) { _, phase in model.isActive = phase != .background }
    .onDisappear { model.isActive = false }
  }
}

/// The network: which, whether it is ready, and the question what its numbers mean, where nothing says it.
private struct NetworkView: View {
  let model: EstimationModel
  let importFile: () -> Void

  var body: some View {
    Text(model.screen.modelText)
    ForEach(model.models) { network in
      Button(network.name) { model.screen.choose(network) }
    }
    if case .asking = model.screen.model {
      // Points need a card, which names their other outputs.
      ForEach(
        ModelCard.OutputMeaning.allCases.filter { $0.kind == .depth && $0 != .affinePoints },
        id: \.self
      ) { meaning in
        Button(meaning.question) { model.screen.say(meaning) }
      }
    }
    Button("Import a Core ML model or its card") { importFile() }
  }
}

/// The image, its map in gray, times and what the numbers are worth.
private struct EstimateView: View {
  let frame: EstimationFrame

  var body: some View {
    HStack {
      PreviewImage(raster: frame.image, name: "Image")
      PreviewImage(raster: frame.map.image, name: "Estimated depth, black is near")
    }
    Text(frame.map.legend).monospacedDigit()
    Text(frame.times.text).monospacedDigit()
    Text(frame.worth)
    if let nearness = frame.nearness {
      Text(nearness).monospacedDigit().foregroundStyle(frame.isNear ? .red : .primary)
    }
  }
}

/// The camera, the processors and the warning.
private struct EstimationChoices: View {
  @Bindable var model: EstimationModel

  var body: some View {
    Picker("Camera", selection: $model.camera) {
      ForEach(CameraSelection.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    Picker("Processors", selection: $model.screen.computeUnits) {
      ForEach(ComputeUnits.allCases, id: \.self) { Text($0.name).tag($0) }
    }
    Picker("Images are scaled", selection: $model.screen.scaling) {
      Text("by Vision").tag(ImageScaling.system)
      Text("as on other platforms").tag(ImageScaling.plumbline)
    }
    Toggle("Fit to sensor depth where there is some", isOn: $model.screen.usesSensor)
    Toggle("Sound and vibrate when something is near", isOn: $model.screen.warns)
    if model.screen.warns {
      Picker("Nearer than", selection: $model.screen.nearMeters) {
        ForEach(EstimationScreen.distances, id: \.self) { Text("\($0.fixed(1)) m").tag($0) }
      }
    }
  }
}
