import PlumblineModel

// Prints Documentation/findings.md; Scripts/findings-page compares the two.
print(
  """
  # Findings

  Made from `FindingCode` by `Scripts/findings-page`; edit `Sources/Base/PlumblineModel/Findings` instead.

  A finding is one doubt about a capture. Its severity says how far it stands between you and a
  measurement: a *note* changes no number, a *caution* leaves numbers usable but less exact, a
  *fault* says why there are no meters, or none to trust, until it is corrected. Findings explain the
  verdict; it is decided by the accuracy and unit of the depth map, by known distances or what else the
  depth was fitted to, and by the calibration. The JSON documents carry the code, what it costs (`effect`)
  and what was done (`correction`).

  """)
for code in FindingCode.allCases {
  let explanation = code.explanation
  print("## `\(code.rawValue)`\n")
  print("\(explanation.meaning)\n")
  print("- Cause: \(explanation.cause)")
  print("- What helps: \(explanation.remedy)\n")
}
