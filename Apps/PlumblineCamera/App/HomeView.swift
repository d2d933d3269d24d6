import PlumblineScreens
import SwiftUI

/// The list of the screens.
///
/// A camera has one user at a time: each screen starts its own when it is entered and stops it when it is
/// left.
struct HomeView: View {
  var body: some View {
    NavigationStack {
      List {
        ForEach(AppScreen.allCases, id: \.self) { screen in
          NavigationLink {
            ScreenView(screen: screen)
          } label: {
            Label(screen.name, systemImage: screen.symbol)
            Text(screen.purpose).font(.caption)
          }
        }
        NavigationLink {
          LibraryView()
        } label: {
          Label("Files", systemImage: "folder")
        }
      }
      .navigationTitle("Plumbline")
    }
  }
}

/// One screen.
struct ScreenView: View {
  let screen: AppScreen

  var body: some View {
    switch screen {
    case .streamer: StreamerView()
    case .photos: PhotosView()
    case .streams: StreamsView()
    case .estimation: EstimationView()
    case .faces: FacesView()
    case .verification: VerificationView()
    }
  }
}
