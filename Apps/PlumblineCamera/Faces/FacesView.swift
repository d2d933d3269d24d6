import Foundation
import Plumbline
import PlumblineScreens
import QuickLook
import SwiftUI
import UniformTypeIdentifiers

/// The screen with faces.
struct FacesView: View {
  @State private var model = FacesModel()
  @State private var isImporting = false
  @Environment(\.scenePhase) private var scenePhase

  var body: some View {
    ScrollView {
      VStack(alignment: .leading) {
        Text(model.screen.instruction)
        if let message = model.screen.message {
          Text(message).foregroundStyle(.orange)
          if model.screen.needsCamera { Button("Start the camera again") { model.retry() } }
        }
        if case .done(let summary) = model.screen.phase {
          FaceSummaryView(model: model, summary: summary)
        } else {
          if model.screen.needsCamera {
            HStack {
              PreviewImage(raster: model.preview?.color, name: "Color")
              PreviewImage(raster: model.preview?.depth, name: "Depth, red is near")
            }
            Button("Fit") { Task { await model.fit() } }
              .accessibilityLabel("Fit a head to the face")
          }
          Button("Import a morphable model") { isImporting = true }
        }
      }
      .padding()
    }
    .navigationTitle(AppScreen.faces.name)
    .fileImporter(isPresented: $isImporting, allowedContentTypes: [.item]) { file in
      Task { await model.take(file) }
    }
    .quickLookPreview($model.shown)
    .task { await model.load() }
    .task(id: model.run) { await model.runCamera() }
    .onChange(of: scenePhase) { _, phase in model.isActive = phase != .background }
    .onDisappear { model.isActive = false }
  }
}

/// The fitted head in numbers, in space and as files.
private struct FaceSummaryView: View {
  let model: FacesModel
  let summary: FaceSummary

  var body: some View {
    Text(summary.headline).font(.headline)
    ForEach(summary.rows) { row in
      Text("\(row.name): \(row.value)").monospacedDigit()
    }
    if let text = summary.fitText { Text(text).font(.caption) }
    ForEach(summary.cautions, id: \.self) { Text($0).font(.caption).foregroundStyle(.orange) }
    ForEach(model.files, id: \.self) { url in
      HStack {
        ShareLink(item: url) { Text(url.lastPathComponent) }
        if url.pathExtension == "usdz" {
          Button("Look at it in 3D") { model.shown = url }
        }
      }
    }
    Button("Another face") { model.again() }
  }
}
