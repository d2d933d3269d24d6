import PlumblineIO

/// Where the file of a model is fetched, and what is known of it beforehand.
public struct ModelSource: Sendable, Hashable {
  /// The addresses, tried in turn; each gives the same file.
  public var addresses: [String]
  /// The SHA-256 of the file, as 64 lowercase hexadecimal digits; `nil` where none was published that is
  /// known here, so that the user has to compare it.
  public var sha256: String?
  /// The size of the file in bytes; `nil` where it is not known.
  public var byteCount: Int?
  /// Where the checksum was read, for people; `nil` without one.
  public var checksumOrigin: String?
  /// The license of the weights.
  public var license: ModelLicense

  /// Creates it from its parts.
  package init(
    addresses: [String], sha256: String? = nil, byteCount: Int? = nil,
    checksumOrigin: String? = nil, license: ModelLicense
  ) {
    self.addresses = addresses
    self.sha256 = sha256
    self.byteCount = byteCount
    self.checksumOrigin = checksumOrigin
    self.license = license
  }

  /// The most addresses of a file.
  static let maximumAddresses = 8

  /// Whether an address can be fetched: HTTPS anywhere, HTTP on this machine only.
  ///
  /// Names and passwords have no place in it, nor has anything that a program could read as more than
  /// one address.
  package static func isAddress(_ text: String) -> Bool {
    guard (12...2048).contains(text.utf8.count),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Array("\"\\{}[]".utf8).contains($0) })
    else { return false }
    let isSecure = text.hasPrefix("https://")
    guard isSecure || text.hasPrefix("http://") else { return false }
    let host = text.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" }
    guard !host.isEmpty, !host.contains("@") else { return false }
    let name = host.prefix { $0 != ":" }
    return isSecure || name == "127.0.0.1" || name == "localhost"
  }

  /// An address at another server, as mirrors copy whole paths.
  ///
  /// - Parameters:
  ///   - address: An address.
  ///   - mirror: The mirror, such as `https://mirror.example/models`.
  /// - Returns: The address there.
  package static func address(_ address: String, at mirror: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let path = address[scheme.upperBound...].drop { $0 != "/" }
    return (mirror.hasSuffix("/") ? String(mirror.dropLast()) : mirror) + path
  }

  /// Whether a text is a SHA-256 as it is written here.
  package static func isSHA256(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

/// The license of a model's weights, as it is shown before they are fetched.
public struct ModelLicense: Sendable, Hashable {
  /// The name, as SPDX where there is one.
  public var name: String
  /// The text that is shown and kept beside the file: the license, or its notice with the address.
  public var text: String
  /// Whether it restricts the use, so that the user has to accept it.
  public var needsAcceptance: Bool

  /// Creates it from its parts.
  package init(name: String, text: String, needsAcceptance: Bool) {
    self.name = name
    self.text = text
    self.needsAcceptance = needsAcceptance
  }

  /// The Apache License 2.0, by its own short notice.
  ///
  /// - Source: the appendix of the license, which gives this notice.
  static func apache2(_ holder: String) -> ModelLicense {
    ModelLicense(
      name: "Apache-2.0",
      text: """
        Copyright \(holder)

        Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file \
        except in compliance with the License. You may obtain a copy of the License at

            https://www.apache.org/licenses/LICENSE-2.0

        Unless required by applicable law or agreed to in writing, software distributed under the \
        License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, \
        either express or implied. See the License for the specific language governing permissions \
        and limitations under the License.
        """, needsAcceptance: false)
  }

  /// The MIT license.
  package static func mit(_ holder: String) -> ModelLicense {
    ModelLicense(
      name: "MIT",
      text: """
        Copyright (c) \(holder)

        Permission is hereby granted, free of charge, to any person obtaining a copy of this software \
        and associated documentation files (the "Software"), to deal in the Software without \
        restriction, including without limitation the rights to use, copy, modify, merge, publish, \
        distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the \
        Software is furnished to do so, subject to the following conditions:

        The above copyright notice and this permission notice shall be included in all copies or \
        substantial portions of the Software.

        THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING \
        BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND \
        NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, \
        DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, \
        OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
        """, needsAcceptance: false)
  }
}
