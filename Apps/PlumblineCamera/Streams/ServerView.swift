import Plumbline
import PlumblineScreens
import SwiftUI

/// Where a stream goes, how it is, and what went wrong.
struct ServerView: View {
  @Binding var server: ServerConnection

  var body: some View {
    VStack(alignment: .leading) {
      if server.isWanted {
        if let status = server.status {
          Text(status.phaseText)
          Text(status.countText).monospacedDigit()
          Text(status.lossText)
        }
        Button("Stop streaming") { server.stop() }
      } else {
        TextField("Link of the computer", text: $server.linkText)
          .textInputAutocapitalization(.never)
          .autocorrectionDisabled()
        HStack {
          Button("Stream") { server.start() }
            .disabled(!server.canStart)
            .accessibilityLabel("Stream to the computer of this link")
          Button(server.isScanning ? "Stop looking for its code" : "Scan its code") {
            server.isScanning.toggle()
          }
        }
      }
      if let question = server.question {
        Text(question).foregroundStyle(.orange)
        Button("The computer shows the same: trust it") { server.trustFingerprint() }
      }
      if let message = server.message { Text(message).foregroundStyle(.orange) }
    }
    .font(.caption)
  }
}
