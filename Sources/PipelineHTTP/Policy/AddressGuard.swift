// The addresses that no URL from foreign data may reach: this machine, the networks around it, and everything else that
// isn't an ordinary host on the Internet. It checks the address about to be connected to, whatever name or spelling led
// there: `127.1`, `0x7f.0.0.1`, `[::ffff:127.0.0.1]`, a name that resolves differently the second time.

import CCurl
package import PipelineCore

/// The special-purpose addresses in IANA's two registries (RFC 6890 and its successors).
package enum AddressGuard {
    /// IPv4 networks: first address and prefix length.
    private static let specialIPv4: [(network: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8),  // 0.0.0.0, this network
        (0x0A00_0000, 8),  // 10.0.0.0, private
        (0x6440_0000, 10),  // 100.64.0.0, shared by a carrier's customers
        (0x7F00_0000, 8),  // 127.0.0.0, loopback
        (0xA9FE_0000, 16),  // 169.254.0.0, link-local: the metadata of cloud machines
        (0xAC10_0000, 12),  // 172.16.0.0, private
        (0xC000_0000, 24),  // 192.0.0.0, protocol assignments
        (0xC000_0200, 24),  // 192.0.2.0, documentation
        (0xC058_6300, 24),  // 192.88.99.0, 6to4 relays
        (0xC0A8_0000, 16),  // 192.168.0.0, private
        (0xC612_0000, 15),  // 198.18.0.0, benchmarks
        (0xC633_6400, 24),  // 198.51.100.0, documentation
        (0xCB00_7100, 24),  // 203.0.113.0, documentation
        (0xE000_0000, 3),  // 224.0.0.0, multicast; 240.0.0.0, reserved; broadcast
    ]

    /// Networks inside 2000::/3, by the upper half of the address. Everything outside is special: `::`, `::1`, IPv4
    /// in IPv6 (::ffff:0:0/96, 64:ff9b::/96), fc00::/7, fe80::/10, ff00::/8 and what isn't assigned.
    private static let specialIPv6: [(network: UInt64, bits: UInt64)] = [
        (0x2001_0000_0000_0000, 23),  // 2001::, protocol assignments, Teredo
        (0x2001_0DB8_0000_0000, 32),  // 2001:db8::, documentation
        (0x2002_0000_0000_0000, 16),  // 2002::, 6to4: an IPv4 address in disguise
        (0x3FFF_0000_0000_0000, 20),  // 3fff::, documentation
    ]

    /// Whether the address is loopback, private, link-local or otherwise not a host on the public Internet.
    package static func isSpecial(_ address: SocketAddress) -> Bool {
        switch address {
        case .ipv4(let number):
            return specialIPv4.contains { (number ^ $0.network) >> (32 - $0.bits) == 0 }
        case .ipv6(let upper, _):
            return upper >> 61 != 1 || specialIPv6.contains { (upper ^ $0.network) >> (64 - $0.bits) == 0 }
        case .other:
            return true
        }
    }

    /// Whether a host's name alone shows that it is special. Over a proxy nothing else can be checked.
    /// - Parameter host: as sent, without the brackets of IPv6 or a dot at its end.
    package static func isSpecial(host: String) -> Bool {
        let name = host.lowercased()
        if let address = SocketAddress(text: name) { return isSpecial(address) }
        return name == "localhost" || name.hasSuffix(".localhost") || name.isEmpty
    }
}

extension SocketAddress {
    @unsafe init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
        let start = unsafe castline_address_bytes(address)
        // SAFETY: libcurl lends an address of that length for the duration of the call.
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(address.pointee.addrlen))
        unsafe self.init(family: address.pointee.family, bytes: Span<UInt8>(_unsafeBytes: bytes))
    }
}
