// Where the output of a run goes, as far as the run that goes on from there has to know it.
//
//     the same file     as long as noted: goes on     longer: cut back     shorter: its records are lost
//     another place     what was written stands elsewhere, and is no part of what is written now

import PipelineCore

enum OutputPlace: Equatable {
    case file(device: UInt64, inode: UInt64)
    /// A pipe, a terminal, or whatever has no length.
    case stream

    /// That of stdout.
    static var current: OutputPlace {
        Descriptor.standardOutput.fileIdentity.map { .file(device: $0.device, inode: $0.inode) } ?? .stream
    }

    /// - Parameter text: `2049-1311`, nil for a stream. The place is nil for any other.
    init?(saved text: String?) {
        guard let text else {
            self = .stream
            return
        }
        let numbers = text.split(separator: "-").map { UInt64($0) }
        guard numbers.count == 2, let device = numbers[0], let inode = numbers[1] else { return nil }
        self = .file(device: device, inode: inode)
    }

    var text: String? {
        switch self {
        case .file(let device, let inode): "\(device)-\(inode)"
        case .stream: nil
        }
    }

    /// How a run goes on whose records went to this place.
    /// - Parameters:
    ///   - bytes: the length of the output when the state was saved.
    ///   - records: those that were written.
    ///   - size: of the file at the place of this run, nil for a stream.
    func continued(at place: OutputPlace, after bytes: Int, _ records: Int, size: Int?) -> OutputContinuation {
        guard let size else { return records > 0 ? .elsewhere : .here }
        if self == place {
            if size > bytes { return .longer(by: size - bytes) }
            return size == bytes || records == 0 ? .here : .lost
        }
        guard records > 0 else { return .here }
        // A new file in place of the old one is rather a `>` than a wish for the rest alone.
        return self != .stream && size == 0 ? .lost : .elsewhere
    }
}

enum OutputContinuation: Equatable {
    /// The output ends where the earlier run left it, or that has written nothing.
    case here
    /// Something stands behind that: the start of a line, or a page that wasn't noted.
    case longer(by: Int)
    /// What the earlier run wrote is in another place.
    case elsewhere
    /// The file lacks what the earlier run wrote.
    case lost
}
