// Dates as HTTP writes them (RFC 9110, 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".

import Foundation

/// The preferred form, IMF-fixdate.
enum HTTPDate {
    static func text(_ date: Date = Date()) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 64)
        // Names of days and months are in English, as this process sets no locale.
        let count = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
