extension FindingCode {
  /// What a kind of finding means, where it comes from and what helps.
  public struct Explanation: Hashable, Sendable {
    /// What it means for a measurement.
    public var meaning: String
    /// What makes it happen.
    public var cause: String
    /// What the user can do.
    public var remedy: String
  }

  /// What this code means, where it comes from and what helps.
  public var explanation: Explanation {
    switch self {
    case .fileUnknownAuxiliary, .fileSharedAuxiliary, .fileDamagedIndex, .fileTrailer,
      .fileDamagedMetadata, .fileDamagedImage, .fileSeveralDepthMaps, .fileCutOff:
      fileExplanation
    case .calibrationMissing, .calibrationDamaged, .calibrationFocalAspect,
      .calibrationPrincipalPoint, .calibrationFieldOfView, .calibrationAspect,
      .calibrationOtherSize, .calibrationDistorted, .calibrationRectified,
      .calibrationDistortionUnknown, .calibrationReplaced, .calibrationUnmodeledLens,
      .calibrationUncovered:
      calibrationExplanation
    case .imageCropped, .imageTurned, .imageMirrored, .imageEdited, .imageCompanionsLeftOut,
      .deviceUnknown,
      .deviceUnmeasured:
      imageExplanation
    case .deviceFocalBeforeCorrection, .deviceDepthZoomed, .depthMisaligned:
      deviceExplanation
    case .fileUnequalSizes, .depthTruncatedToMeters, .calibrationPrescaled, .depthUnitAssumed,
      .depthEncodingAssumed, .calibrationAssumed:
      recordingExplanation
    case _ where rawValue.hasPrefix("sequence."): recordingExplanation
    case _ where rawValue.hasPrefix("stereo."): stereoExplanation
    case _ where rawValue.hasPrefix("estimate."): estimateExplanation
    case _ where rawValue.hasPrefix("face."): faceExplanation
    case _ where rawValue.hasPrefix("photo."): photoExplanation
    default: depthExplanation
    }
  }

  private var fileExplanation: Explanation {
    switch self {
    case .fileUnknownAuxiliary:
      Explanation(
        meaning: "The file holds an auxiliary image of a kind that is not known here; it is left "
          + "alone and touches no number.",
        cause: "Phones add kinds with every release.", remedy: "None needed.")
    case .fileSharedAuxiliary:
      Explanation(
        meaning: "One auxiliary image belongs to several images; each of them may use it.",
        cause: "iPhone 16 Pro and later write it so; some readers refuse such files whole.",
        remedy: "None needed.")
    case .fileDamagedIndex:
      Explanation(
        meaning: "The file's index of its images is wrong; they were found by their own bytes.",
        cause: "iPhone X and several editors write multi-picture lengths that are too short.",
        remedy: "None needed.")
    case .fileTrailer:
      Explanation(
        meaning: "Bytes of another maker follow the images; they may hold depth that is not read.",
        cause: "Samsung, Huawei and Xiaomi append undocumented data.",
        remedy: "Export the depth with the maker's own application.")
    case .fileDamagedMetadata:
      Explanation(
        meaning: "A block of metadata could not be read; what it would have said is unknown.",
        cause: "A damaged or edited file.", remedy: "Use the original file of the phone.")
    case .fileDamagedImage:
      Explanation(
        meaning: "An image beside the depth map is damaged; the depth map itself is sound. A color "
          + "image of which any part may be shifted or missing is not used, since its colors would "
          + "lie on the wrong depths.",
        cause: "A transfer that broke off, or a damaged disk.", remedy: "Copy the file again.")
    default:
      Explanation(
        meaning: "The file holds more than one depth map; the first one of the main image is used.",
        cause: "Dual photos and some editors.", remedy: "Extract the others by their item.")
    }
  }
}
