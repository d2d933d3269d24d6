import PlumblineModel

/// The names of the files of one shot.
public struct PhotoFileNames: Hashable, Sendable {
  /// The time of the shot, such as `2026-11-28T104500Z`, which all names begin with.
  public let time: String

  /// Names by the time of a shot.
  public init(time: String) { self.time = time }

  /// The name of one file.
  ///
  /// - Parameters:
  ///   - index: Its position among the photos of the shot, from 0.
  ///   - fileExtension: Without a period, such as `heic`.
  /// - Returns: `TIME.heic` for the first, `TIME-2.heic` for the second. The movie of a Live Photo has the
  ///   name of its photo and its own extension, as Photos expects of a pair.
  public func name(_ index: Int = 0, fileExtension: String) -> String {
    time + (index == 0 ? "" : "-\(index + 1)") + "." + fileExtension
  }
}

/// Where the photos of a shot are kept, and the result.
public struct PhotoStorage: Hashable, Sendable {
  /// What became of the photos at one place.
  public enum Result: Hashable, Sendable {
    /// All are there.
    case stored
    /// They are not, and why.
    case refused(String)
  }

  /// Whether photos go to the app's folder, which Files shows.
  public var usesFiles = true
  /// Whether photos go to the user's photo library.
  public var usesPhotos = false
  /// What became of the last shot in the app's folder; `nil` for nothing.
  public private(set) var files: Result?
  /// What became of the last shot in the photo library; `nil` for nothing.
  public private(set) var photos: Result?

  /// Keeps photos in the app's folder alone: the library is asked for by a person.
  public init() {}

  /// Whether a shot is kept anywhere; a shot that is kept nowhere is not taken.
  public var keepsShots: Bool { usesFiles || usesPhotos }

  /// A new shot begins.
  public mutating func begin() { (files, photos) = (nil, nil) }

  /// The app's folder took the photos, or not.
  public mutating func takeFiles(_ result: Result) { files = result }

  /// The photo library took the photos, or not.
  public mutating func takePhotos(_ result: Result) { photos = result }

  /// What became of the last shot, one line a place; empty before one.
  public func lines(count: Int) -> [String] {
    func line(_ place: String, _ result: Result?) -> String? {
      switch result {
      case .stored: "\(count.counting("file")) stored in \(place)."
      case .refused(let reason): "Not stored in \(place): \(reason)."
      case nil: nil
      }
    }
    return [line("Files", files), line("Photos", photos)].compactMap(\.self)
  }
}

/// Whether the app may add to the photo library, by the system's answer.
public enum PhotoLibraryAccess: Hashable, Sendable {
  /// The person was not asked yet.
  case unasked
  /// The app may add photos.
  case allowed
  /// The person said no.
  case denied
  /// A rule of the device forbids it.
  case restricted

  /// Why photos cannot be added; `nil` where they can, or where the question comes first.
  public var refusal: String? {
    switch self {
    case .unasked, .allowed: nil
    case .denied:
      "the app may not add to Photos; allow it in Settings, under Privacy, Photos"
    case .restricted: "a rule of this device forbids adding to Photos"
    }
  }
}
