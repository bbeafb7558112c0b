// Which addresses are special: each range's first and last address, and the neighbours outside it.

import PipelineCore
import PipelineHTTP
import Testing

struct AddressGuardTests {
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.0",
        "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255", "172.16.0.0",
        "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.0", "192.0.2.255", "192.88.99.0", "192.88.99.255",
        "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255",
        "203.0.113.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
        "::", "::1", "::ffff:0.0.0.0", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:255.255.255.255", "::8.8.8.8",
        "64:ff9b::", "64:ff9b::7f00:1", "64:ff9b::ffff:ffff", "64:ff9b:1::", "100::", "1fff:ffff::", "2001::",
        "2001::1", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        "2002::", "2002:7f00:1::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::",
        "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "5f00::", "fc00::", "fd00::1",
        "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe80::", "fe80::1",
        "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fec0::", "ff00::", "ff02::1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    ])
    func `special addresses are refused`(text: String) throws {
        #expect(AddressGuard.isSpecial(try #require(SocketAddress(text: text))))
    }

    @Test(arguments: [
        "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
        "192.0.1.255", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0",
        "223.255.255.255", "2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::",
        "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::",
        "2a00::1", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
    ])
    func `ordinary addresses pass`(text: String) throws {
        #expect(!AddressGuard.isSpecial(try #require(SocketAddress(text: text))))
    }

    @Test func `an address of the system's layout is read, a short or a strange one is special`() {
        // Linux: AF_INET 2, AF_INET6 10; bytes: family, port, address (IPv6: flow first).
        let ipv4: [UInt8] = [2, 0, 0, 80, 8, 8, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(SocketAddress(family: 2, bytes: ipv4.span) == .ipv4(0x0808_0404))
        #expect(SocketAddress(family: 2, bytes: ipv4.span.extracting(..<7)) == .other)
        #expect(SocketAddress(family: 1, bytes: ipv4.span) == .other)
        #expect(AddressGuard.isSpecial(.other))
    }

    @Test(arguments: ["localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "::1", "10.1.2.3", ""])
    func `behind a proxy these names are refused`(host: String) { #expect(AddressGuard.isSpecial(host: host)) }

    @Test(arguments: [
        "localhost.", "localhost..", "..", "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "local\u{AD}host", "①⑥⑨.254.169.254", "169。254。169。254",
        "169.254.169.254.", "１０.0.0.1", "0x7f。1", "2130706433.", "127.1.", "127.0.0.1%2e", "127%E3%80%820.0.1",
        "[::1]",
    ])
    func `however a special host is written, it is seen as it is sent`(host: String) throws {
        #expect(AddressGuard.isSpecial(host: try HTTPURL("http://\(host)/x").asciiHost))
    }

    @Test(arguments: [
        ("bücher.example.", "xn--bcher-kva.example"), ("example.com", "example.com"), ("[2a00::1]", "2a00::1"),
    ])
    func `an ordinary host stays one`(host: String, sent: String) throws {
        let found = try HTTPURL("http://\(host)/x").asciiHost
        #expect(found == sent && !AddressGuard.isSpecial(host: found))
    }

    @Test(arguments: ["example.com", "localhost.example.com", "8.8.8.8", "2a00::1", "mylocalhost"])
    func `behind a proxy these names pass`(host: String) { #expect(!AddressGuard.isSpecial(host: host)) }
}
