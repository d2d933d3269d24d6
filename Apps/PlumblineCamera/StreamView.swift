import Plumbline
import SwiftUI

/// Where a stream goes, how it is, and what went wrong.
struct StreamView: View {
  @Bindable var streaming: StreamModel

  var body: some View {
    VStack(alignment: .leading) {
      if streaming.isWanted {
        if let status = streaming.status {
          Text(status.phaseText)
          Text(status.countText).monospacedDigit()
          Text(status.lossText)
        }
        Button("Stop streaming") { streaming.stop() }
      } else {
        TextField("Link of plumbline serve", text: $streaming.linkText)
          .textInputAutocapitalization(.never)
          .autocorrectionDisabled()
        HStack {
          Button("Stream") { streaming.start() }
            .disabled(streaming.linkText.isEmpty)
            .accessibilityLabel("Stream to the computer of this link")
          Button(streaming.isScanning ? "Stop looking for its code" : "Scan its code") {
            streaming.isScanning.toggle()
          }
        }
      }
      if let doubted = streaming.doubted, let fingerprint = doubted.fingerprint {
        Text("\(doubted.host) shows a certificate that nobody vouches for: \(fingerprint)")
          .foregroundStyle(.orange)
        Button("The computer shows the same: believe it") { streaming.believe() }
      }
      if let message = streaming.message { Text(message).foregroundStyle(.orange) }
    }
    .font(.caption)
  }
}
