import PlumblineModel
import Testing

@Suite struct FindingCodeTests {
  @Test("Each code's family is the first part of its name")
  func families() {
    for code in FindingCode.allCases {
      #expect(code.rawValue.hasPrefix("\(code.family.rawValue)."), "\(code.rawValue)")
      // A case is named by both parts: `file.cutOff` is `fileCutOff`.
      #expect("\(code)".hasPrefix(code.family.rawValue), "\(code)")
    }
    let families = Set(FindingCode.allCases.map(\.family))
    #expect(families.count == FindingFamily.allCases.count)
  }

  @Test("Each code is explained, and no two in the same words")
  func explanations() {
    var codes: [String: String] = [:]
    for code in FindingCode.allCases {
      let explanation = code.explanation
      for text in [explanation.meaning, explanation.cause, explanation.remedy] {
        #expect(text.hasSuffix(".") && !text.contains("\n") && !text.contains("  "), "\(text)")
      }
      let other = codes.updateValue(code.rawValue, forKey: explanation.meaning)
      #expect(other == nil, "\(code.rawValue) means what \(other ?? "") means")
    }
  }

  /// A sentence goes behind “you can”, and names neither a command nor a flag.
  @Test func remediesAreDistinctPlainSentences() {
    let sentences = Remedy.allCases.map(\.sentence)
    #expect(Set(sentences).count == sentences.count)
    for sentence in sentences {
      #expect(sentence.first?.isLowercase == true && sentence.last?.isLetter == true, "\(sentence)")
      #expect(!sentence.contains("plumbline") && !sentence.contains("--"), "\(sentence)")
    }
  }
}
