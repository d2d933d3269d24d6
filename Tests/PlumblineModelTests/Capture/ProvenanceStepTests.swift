import PlumblineModel
import Testing

@Suite struct ProvenanceStepTests {
  @Test func namesAreLowercaseWordsJoinedByHyphens() {
    for kind in ProvenanceStep.Kind.allCases {
      let words = kind.rawValue.split(separator: "-", omittingEmptySubsequences: false)
      let areWords = words.allSatisfy { word in
        !word.isEmpty && word.unicodeScalars.allSatisfy { ("a"..."z").contains($0) }
      }
      #expect(areWords, "\(kind.rawValue)")
    }
  }

  @Test func namesAreDistinct() {
    let names = ProvenanceStep.Kind.allCases.map(\.rawValue)
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: ProvenanceStep.Kind.allCases)
  func aStepKnowsItsKind(_ kind: ProvenanceStep.Kind) {
    let step = ProvenanceStep(kind, "by 3 %")
    #expect(step.kind == kind)
    #expect(step == ProvenanceStep(name: kind.rawValue, detail: "by 3 %"))
  }

  @Test func aNameOfAnotherProgramHasNoKind() {
    #expect(ProvenanceStep(name: "polished", detail: "").kind == nil)
    #expect(ProvenanceStep(name: "", detail: "").kind == nil)
  }

  @Test func aStepTakenBackIsKnownAsSuch() {
    #expect(ProvenanceStep(.undoneMirrored, "").isUndo)
    #expect(ProvenanceStep(name: "undone-undone-mirrored", detail: "").isUndo)
    #expect(!ProvenanceStep(.mirrored, "").isUndo)
  }
}
