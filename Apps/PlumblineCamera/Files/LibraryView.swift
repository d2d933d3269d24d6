import Foundation
import SwiftUI

/// What was recorded, to be shared and removed.
struct LibraryView: View {
  @State private var files = CaptureLibrary.files
  @State private var message: String?

  var body: some View {
    List {
      if let message { Text(message).foregroundStyle(.orange) }
      ForEach(files, id: \.self) { file in
        VStack(alignment: .leading) {
          ShareLink(item: file) { Text(file.lastPathComponent) }
            .accessibilityLabel("Share " + file.lastPathComponent)
          if file.pathExtension == "partial" {
            Text("Not finished; plumbline recover opens it.").font(.caption)
          }
        }
      }
      .onDelete { indices in
        message = indices.compactMap { CaptureLibrary.remove(files[$0]) }.first
        files = CaptureLibrary.files
      }
    }
    .navigationTitle("Files")
  }
}
