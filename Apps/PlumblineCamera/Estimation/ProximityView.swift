import Plumbline
import SwiftUI

/// Whether and how near the phone warns, and how near the nearest thing is.
struct ProximityView: View {
  @Bindable var proximity: ProximityModel

  var body: some View {
    VStack(alignment: .leading) {
      Toggle("Sound and vibrate when something is near", isOn: $proximity.isWanted)
      if proximity.isWanted {
        Picker("Nearer than", selection: $proximity.nearMeters) {
          ForEach(ProximityModel.distances, id: \.self) { Text("\($0.fixed(1)) m").tag($0) }
        }
        if let text = proximity.text {
          Text(text).monospacedDigit().foregroundStyle(proximity.isNear ? .red : .primary)
        }
      }
    }
  }
}
