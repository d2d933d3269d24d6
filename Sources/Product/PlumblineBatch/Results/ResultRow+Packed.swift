import PlumblineIO

/// A row as the journal keeps it: a list without names, a sixth of the document.
///
/// Tables of 100,000 captures are made from these lists, since reading the documents again would take more
/// than all other work of a run.
extension ResultRow {
  /// What the document told, in a fixed order.
  var packed: JSONValue {
    var list: [JSONValue] = [
      .string(kind), .integer(frames), .string(make), .string(model), .string(os), .string(camera),
      .string(api), .string(capturedAt), .integer(width), .integer(height),
      .number(medianMeters), .number(depthSigmaMillimeters), .number(lengthSigmaPercent),
      .string(verdict), .string(reason), .string(page),
      .array(findings.flatMap { [.string($0.code), .string($0.severity)] }),
    ]
    list.append(
      .array(
        values.flatMap { value -> [JSONValue] in
          [
            .string(value.name), .number(value.value), .number(value.sigma), .string(value.unit),
          ]
        }))
    if let error {
      list.append(
        .array([
          .string(error.place), .string(error.expected), .string(error.found),
          .string(error.message),
        ]))
    }
    return .array(list)
  }

  /// A row of the journal; `nil` for a list that is none.
  init?(
    packed: JSONValue, path: String, bytes: Int?, sha256: String?, isFailed: Bool, code: Int
  ) {
    guard let list = packed.elements, (18...19).contains(list.count),
      let findings = list[16].elements, findings.count % 2 == 0,
      let values = list[17].elements, values.count % 4 == 0
    else { return nil }
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.code = code
    state = isFailed ? .failed : .done
    (kind, frames) = (list[0].string, list[1].integer)
    (make, model, os) = (list[2].string, list[3].string, list[4].string)
    (camera, api, capturedAt) = (list[5].string, list[6].string, list[7].string)
    (width, height) = (list[8].integer, list[9].integer)
    medianMeters = list[10].number
    depthSigmaMillimeters = list[11].number
    lengthSigmaPercent = list[12].number
    (verdict, reason, page) = (list[13].string, list[14].string, list[15].string)
    self.findings = stride(from: 0, to: findings.count, by: 2).map {
      Finding(code: findings[$0].string ?? "", severity: findings[$0 + 1].string ?? "")
    }
    self.values = stride(from: 0, to: values.count, by: 4).map {
      Value(
        name: values[$0].string ?? "", value: values[$0 + 1].number,
        sigma: values[$0 + 2].number, unit: values[$0 + 3].string ?? "")
    }
    guard list.count == 19 else { return }
    guard let parts = list[18].elements, parts.count == 4 else { return nil }
    error = Failure(
      place: parts[0].string, expected: parts[1].string, found: parts[2].string,
      message: parts[3].string ?? "")
  }
}
