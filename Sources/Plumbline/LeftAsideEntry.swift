import PlumblineModel

/// A kind of entry of a folder that no reader of recordings can use.
enum LeftAsideEntry: CaseIterable {
  case notUTF8, brokenLink, outwardLink, forbidden, deepFolder, folderLink, pipe, socket, device

  /// Whether a frame may be behind it.
  var mayBeFrame: Bool {
    switch self {
    case .notUTF8, .brokenLink, .outwardLink, .forbidden, .deepFolder, .folderLink: true
    case .pipe, .socket, .device: false
    }
  }

  /// So many of them, in words.
  func words(for count: Int) -> String {
    switch self {
    case .notUTF8:
      count == 1 ? "1 name that is not UTF-8" : "\(count) names that are not UTF-8"
    case .brokenLink:
      count == 1 ? "1 link that leads nowhere" : "\(count) links that lead nowhere"
    case .outwardLink:
      count == 1
        ? "1 link that leads out of the folder" : "\(count) links that lead out of the folder"
    case .forbidden: "\(count) without permission"
    case .deepFolder: "\(count.counting("folder")) below the \(FolderListing.maximumDepth)th level"
    case .folderLink:
      count == 1 ? "1 link to a folder" : "\(count) links to folders"
    case .pipe: count.counting("pipe")
    case .socket: count.counting("socket")
    case .device: count.counting("device")
    }
  }
}
