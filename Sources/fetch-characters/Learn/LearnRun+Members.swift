// The common members of the records, and the proof that a picture is one.

import PipelineCore
import PipelineHTTP

extension LearnRun {
    /// The most that a picture may have to prove what it is.
    private static let pictureLimitBytes = 64 << 20

    /// Chooses the members by the values of all records that came.
    /// - Parameter list: the URL of the answer that they came in.
    mutating func chooseMembers(_ figures: MemberFigures, beside list: HTTPURL) throws(ToolFailure) {
        let choice = MemberChoice(figures)
        var members: [(name: Source.CommonName, path: String)] = []
        for name in Source.CommonName.allCases {
            guard let path = choice.path(of: name) else {
                findings.missing.append(name.rawValue)
                continue
            }
            let text = MemberChoice.text(of: path)
            if name == .imageURL, let doubt = try doubt(ofPicture: choice.sample(of: path), beside: list) {
                findings.leftOut.append("\(name.rawValue) from \(text), \(doubt)")
                continue
            }
            members.append((name, text))
        }
        if let path = choice.addressOfMore {
            findings.leftOut.append(
                "what \(MemberChoice.text(of: path)) of each record leads to; see expand in man castline-source")
        }
        description.members = members
        findings.members = members.map { name, path in "\(name.rawValue) from \(path)" }
    }

    /// Why a URL isn't proved to be a picture's; nil if its bytes are one.
    private mutating func doubt(ofPicture text: String, beside list: HTTPURL) throws(ToolFailure) -> String? {
        guard probe.left > 0 else { return "as no request is left to look at one" }
        let result = picture(text, beside: list)
        let response: HTTPResponse
        do throws(HTTPFailure) {
            response = try result.get()
        } catch {
            if error.isRunEnd { throw ToolFailure(error) }
            return "as the picture didn't come: \(error)"
        }
        do throws(ImageError) {
            _ = try ImageInfo(of: response.body.span)
            return nil
        } catch {
            return "whose bytes are no picture"
        }
    }

    /// Requests a picture. At another origin than the list's it has to have a public address.
    private mutating func picture(
        _ text: String, beside list: HTTPURL
    ) -> Result<HTTPResponse, HTTPFailure> {
        let url: HTTPURL
        do throws(HTTPFailure) { url = try list.resolving(text) } catch { return .failure(error) }
        var request = HTTPRequest(url, limitBytes: Self.pictureLimitBytes)
        if url.origin == list.origin {
            request.staysAtOrigin = true
        } else {
            request.refusesPrivateAddresses = true
        }
        return probe.response(to: request, for: "a picture")
    }
}
