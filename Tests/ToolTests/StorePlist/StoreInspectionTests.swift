// What stands where a store shall go, told from its first bytes; also where those are damaged.

import Foundation
import PipelineCore
import TestSupport
import Testing

@testable import store_plist

@Suite struct StoreInspectionTests {
    /// A binary list with one object, its trailer's numbers as given.
    private static func binary(
        _ marker: UInt8, offsetSize: UInt8 = 1, root: UInt64 = 0, table: UInt64 = 9, offset: [UInt8] = [8]
    ) -> Data {
        var bytes = Array("bplist00".utf8) + [marker] + offset + [0, 0, 0, 0, 0, 0, offsetSize, 1]
        for number in [1, root, table] { bytes += (0..<8).map { UInt8(number >> (56 - 8 * $0) & 0xFF) } }
        return Data(bytes)
    }

    enum Content { case none, empty, filled, unreadable }

    private static func content(_ found: StoreInspection) -> Content {
        if found.fault(of: "s", in: StoreLayout()) != nil { return .unreadable }
        if found.format == nil { return .none }
        return found.isFilled ? .filled : .empty
    }

    private static let contents: [(Data, Content)] = [
        (Data(), .none), (Data("mick".utf8), .unreadable), (Data("bplist00".utf8), .unreadable),
        (Data("<plist><array/></plist>".utf8), .empty), (Data("<plist>\n<dict></dict>\n</plist>\n".utf8), .empty),
        (Data("<plist><array><dict/></array></plist>".utf8), .filled),
        (Data("<plist><string>mick</string></plist>".utf8), .unreadable),
        (Data("<plist><array><string>mick</string></array></plist>".utf8), .unreadable),
        (Data("<!--\(String(repeating: "x", count: 9000))--><plist><array><dict/></array></plist>".utf8), .filled),
        (binary(0xA0), .empty), (binary(0xD0), .empty), (binary(0xA1), .unreadable), (binary(0x5F), .unreadable),
        (binary(0xA0, offsetSize: 8, offset: [0, 0, 0, 0, 0, 0, 0, 8]), .empty),
        (binary(0xA0, offsetSize: 8, offset: [0x80, 0, 0, 0, 0, 0, 0, 8]), .unreadable),
        (binary(0xA0, offsetSize: 0), .unreadable), (binary(0xA0, offsetSize: 9), .unreadable),
        (binary(0xA0, root: .max), .unreadable), (binary(0xA0, root: 1), .unreadable),
        (binary(0xA0, table: .max), .unreadable), (binary(0xA0, table: .max - 1), .unreadable),
        (binary(0xA0, offset: [0xFF]), .unreadable),
        (Data("{}".utf8), .filled), (Data("\n{\"$seal\":{}}\n".utf8), .empty),
        (Data("{\"a\":1,}".utf8), .unreadable),
        (Data("[{}]".utf8), .unreadable), (Data(" \n".utf8), .unreadable),
    ]

    @Test(arguments: contents)
    func `a store is empty, filled or unreadable`(_ data: Data, _ expected: Content) throws {
        let folder = try ScratchFolder()
        try data.write(to: URL(fileURLWithPath: folder.path("store.plist")))
        #expect(Self.content(try StoreInspection(FileLocation(folder.path("store.plist")))) == expected)
    }

    @Test(arguments: [StoreFormat.xml, .binary])
    func `one that isn't small and lacks its end is cut off`(_ format: StoreFormat) throws {
        let folder = try ScratchFolder()
        let records = (0..<500).map { ["name": "Mick \($0)"] }
        let whole = try PropertyListSerialization.data(
            fromPropertyList: records, format: format == .xml ? .xml : .binary, options: 0)
        func found(_ count: Int) throws -> StoreInspection {
            try whole.prefix(count).write(to: URL(fileURLWithPath: folder.path("store.plist")))
            return try StoreInspection(FileLocation(folder.path("store.plist")))
        }
        #expect(Self.content(try found(whole.count)) == .filled)
        // In XML the last characters are a line end and a bracket.
        for missing in [3, 8, 31, 32, 33, 100, whole.count - 5000] {
            let fault = try found(whole.count - missing).fault(of: "s", in: StoreLayout())
            #expect(fault?.what == "s is damaged or cut off", "\(missing)")
        }
    }
}
