import PlumblineModel

extension DepthPhotoSettings {
  /// The settings that an output would refuse or ignore, in their order; empty for none.
  public func problems(on output: PhotoCapabilities) -> [DepthPhotoProblem] {
    depthProblems(output) + matteProblems(output) + fileProblems(output) + bracketProblems(output)
      + livePhotoProblems(output) + constantColorProblems(output)
  }

  private func depthProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    var problems: [DepthPhotoProblem] = []
    if deliversDepth {
      if !output.supportsDepth {
        problems.append(.depthUnsupported)
      } else if !output.prepared.depth {
        problems.append(.depthNotPrepared)
      } else if let depthKind, !output.depthKinds.isEmpty, !output.depthKinds.contains(depthKind) {
        problems.append(.depthConverted(depthKind))
      }
    }
    if deliversDualPhotos {
      if !output.supportsDualPhotos {
        problems.append(.dualPhotosUnsupported)
      } else if !output.prepared.dualPhotos {
        problems.append(.dualPhotosNotPrepared)
      }
    }
    if deliversCalibration {
      if !deliversDualPhotos { problems.append(.calibrationWithoutDualPhotos) }
      if output.correctsGeometricDistortion {
        problems.append(.calibrationWithGeometricDistortionCorrection)
      }
      if output.correctsContentAware {
        problems.append(.calibrationWithContentAwareCorrection)
      }
    }
    return problems
  }

  private func matteProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    var problems: [DepthPhotoProblem] = []
    for matte in Matte.Kind.allCases where mattes.contains(matte) {
      if !output.supportedMattes.contains(matte) {
        problems.append(.matteUnsupported(matte))
      } else if !output.prepared.mattes.contains(matte) {
        problems.append(.matteNotPrepared(matte))
      }
      if matte == .portraitEffects, !deliversDepth { problems.append(.matteWithoutDepth(matte)) }
    }
    return problems
  }

  private func fileProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    var problems: [DepthPhotoProblem] = []
    if container == .raw, deliversDepth, embedsDepth { problems.append(.rawHoldsNoDepth) }
    if !output.containers.contains(container) { problems.append(.containerUnsupported(container)) }
    if flash != .off, !output.flashModes.contains(flash) {
      problems.append(.flashUnsupported(flash))
    }
    if quality > output.prepared.quality { problems.append(.qualityNotPrepared(quality)) }
    if let size = maximumSize {
      if !output.photoSizes.contains(size) {
        problems.append(.sizeUnsupported(size))
      } else if output.prepared.maximumSize != size {
        problems.append(.sizeNotPrepared(size))
      }
    }
    return problems
  }

  private func bracketProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    guard let bracket else { return [] }
    var problems: [DepthPhotoProblem] = []
    if bracket.count < 1 || bracket.count > output.maximumBracketCount {
      problems.append(.bracketCount(bracket.count, maximum: output.maximumBracketCount))
    }
    problems += exposureProblems(of: bracket, output)
    if flash != .off { problems.append(.bracketWithFlash) }
    if takesLivePhoto { problems.append(.bracketWithLivePhoto) }
    if deliversDepth { problems.append(.bracketWithDepth) }
    if hasConstantColor { problems.append(.bracketWithConstantColor) }
    if !mattes.isEmpty { problems.append(.bracketWithMattes) }
    if deliversCalibration { problems.append(.bracketWithCalibration) }
    return problems
  }

  private func exposureProblems(
    of bracket: Bracket, _ output: PhotoCapabilities
  ) -> [DepthPhotoProblem] {
    switch bracket {
    case .exposureBias(let values):
      let range = output.exposureBias
      return values.first { !range.contains($0) }.map {
        let (low, high) = (rateText(range.lowerBound), rateText(range.upperBound))
        return [.bracketExposure("\(rateText($0)) EV of \(low) to \(high) EV")]
      } ?? []
    case .manual(let exposures):
      guard let times = output.exposureSeconds, let isos = output.iso else {
        return [.bracketWithoutManualExposure]
      }
      return exposures.first { !times.contains($0.seconds) || !isos.contains($0.iso) }.map {
        [.bracketExposure("\($0.seconds) s at ISO \(rateText($0.iso))")]
      } ?? []
    }
  }

  private func livePhotoProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    guard takesLivePhoto else { return [] }
    if container == .raw { return [.livePhotoWithRaw] }
    if !output.supportsLivePhoto { return [.livePhotoUnsupported] }
    if !output.prepared.livePhoto { return [.livePhotoNotPrepared] }
    return output.isLivePhotoSuspended ? [.livePhotoSuspended] : []
  }

  private func constantColorProblems(_ output: PhotoCapabilities) -> [DepthPhotoProblem] {
    guard hasConstantColor else { return [] }
    var problems: [DepthPhotoProblem] = []
    if !output.supportsConstantColor {
      problems.append(.constantColorUnsupported)
    } else if !output.prepared.constantColor {
      problems.append(.constantColorNotPrepared)
    }
    if flash == .off { problems.append(.constantColorWithoutFlash) }
    if container == .raw { problems.append(.constantColorWithRaw) }
    if output.hasLockedWhiteBalance { problems.append(.constantColorWithLockedWhiteBalance) }
    return problems
  }
}
