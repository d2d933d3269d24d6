import ArgumentParser

/// A command that does one capture after another without being parsed again.
protocol BatchableCommand: ParsableCommand {
  /// Sets the capture, and where its files go; `nil` for none.
  mutating func take(capture: String, output: String?)
}

extension CheckCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    captures = [capture]
    self.output = output
  }
}

extension ConvertCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    recording = capture
    self.output = output ?? self.output
  }
}

extension CloudCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.capture = capture
    self.output = output ?? self.output
  }
}

extension ExtractCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.capture = capture
    self.output = output ?? self.output
  }
}

extension CorrectCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.capture = capture
    self.output = output
  }
}

extension FilterCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.capture = capture
    self.output = output
  }
}

extension MeasureCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.capture = capture
    self.output = output
  }
}

extension EstimateCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    self.capture = capture
    self.output = output ?? self.output
  }
}

extension FaceCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    self.capture = capture
    self.output = output
  }
}

extension VerifyCommand: BatchableCommand {
  mutating func take(capture: String, output: String?) {
    options.folder = capture
    self.output = output
  }
}
