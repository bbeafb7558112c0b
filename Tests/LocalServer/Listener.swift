// The listening socket, on 127.0.0.1 and nowhere else, and a thread for each connection.

import Foundation
import PipelineCore

/// A bound port.
struct Listener {
    /// More connections than this wait in the queue of the system.
    static let connectionLimit = 512

    private let number: Int32
    let port: UInt16

    var url: String { "http://127.0.0.1:\(port)" }

    /// - Throws: status 69 where the port is taken.
    init(port: UInt16) throws(ToolFailure) {
        #if canImport(Darwin)
        number = socket(AF_INET, SOCK_STREAM, 0)
        #else
        number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var isOn: Int32 = 1
        unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let number = number
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            // SAFETY: a sockaddr_in may be passed as the sockaddr it begins with, with its own size.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(number, generic, size) == 0
                    && listen(number, 1024) == 0
                    && getsockname(number, generic, &size) == 0
            }
        }
        guard isBound else {
            throw ToolFailure(.unavailable, "\(SystemError.last("listen on", "port \(port)"))")
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Accepts for as long as the process lives.
    func serve(_ site: Site) -> Never {
        let places = DispatchSemaphore(value: Self.connectionLimit)
        var count = 0
        while true {
            places.wait()
            let accepted = accept(number, nil, nil)
            guard accepted >= 0 else {
                // The client has gone again, or all descriptors are taken for the moment.
                _ = MonotonicClock.wait(seconds: 0.01)
                places.signal()
                continue
            }
            count += 1
            let connection = Connection(socket: Socket(accepted: accepted), number: count, site: site)
            Thread.detachNewThread {
                connection.serve()
                places.signal()
            }
        }
    }
}
