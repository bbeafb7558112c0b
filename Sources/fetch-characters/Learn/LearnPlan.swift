// The requests that --learn may send. Nothing is sent:
//
//     {"request":1,"method":"GET","for":"the list","url":"https://api.example.org/v2/cards","startSeconds":0.0}
//     {"request":2,"method":"GET","for":"the first page again","startSeconds":0.0}
//     {"requests":8,"seconds":0.0,"rate":null,"more":false}

import PipelineCore
import PipelineHTTP

/// The plan of a run that learns.
struct LearnPlan {
    /// What the requests are for. The answers say which of them are needed, and their URLs.
    private static let purposes = [
        "the list", "the list from its start, or the first page again", "the second page",
        "the second page by another parameter", "the first page by its number or offset", "the last page",
        "a page past the end, or larger pages", "a picture, or one record",
    ]

    private let first: HTTPRequest
    private let rate: Rate?
    private let explanation: RequestExplanation?

    /// - Parameter first: the request for the list.
    init(_ first: HTTPRequest, rate: Rate?, _ explanation: RequestExplanation?) {
        self.first = first
        self.rate = rate
        self.explanation = explanation
    }

    func write() throws(ToolFailure) -> ExitStatus {
        explanation?.tell(first)
        var output = OutputBuffer(.standardOutput)
        let secondsBetween = rate?.intervalSeconds ?? 0
        for (index, purpose) in Self.purposes.enumerated() {
            let line = ByteBuffer.object { object in
                object.addMember("request", index + 1)
                object.addMember("method", first.method.name)
                object.addMember("for", purpose)
                if index == 0 { object.addMember("url", first.url.text) }
                object.addMember("startSeconds", seconds: Double(index) * secondsBetween)
            }
            output.append(line.text + "\n")
        }
        let summary = ByteBuffer.object { object in
            object.addMember("requests", Self.purposes.count)
            object.addMember("seconds", seconds: Double(Self.purposes.count - 1) * secondsBetween)
            object.addMember("rate", rate.map { "\($0)" })
            object.addMember("more", false)
        }
        output.append(summary.text + "\n")
        try output.flush()
        return .done
    }
}
