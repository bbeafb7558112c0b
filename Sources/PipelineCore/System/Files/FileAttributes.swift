// Extended attributes, which a file that replaces another takes over: those that people and programs gave it (`user.…`,
// such as where a download is from), and its access control list, which says who else may read it.

import CLibrary

#if canImport(Glibc)
import CAttributes
#endif

extension FileLocation {
    /// Gives them to the new file, which has the mode and the owner of the old one already. One that may not be read has
    /// none to give.
    func giveAttributes(to file: Descriptor) throws(SystemError) {
        let old: Descriptor?
        do throws(SystemError) { old = try reading() } catch {
            guard error.isDenied else { throw error }
            return
        }
        guard let old else { return }
        defer { old.closeUnchecked() }
        guard file.copyAttributes(of: old) else { throw .last("keep the extended attributes of", path) }
    }
}

#if canImport(Glibc)
extension Descriptor {
    /// The system makes those of other kinds itself, as the label of SELinux.
    private static let kept = ["user.", "system.posix_acl_access"]

    /// - Returns: false if one can't be kept, as `errno` says.
    fileprivate func copyAttributes(of old: Descriptor) -> Bool {
        for name in old.attributeNames where Self.kept.contains(where: name.span.text.hasPrefix) {
            guard let value = old.attribute(name) else { return false }
            let isSet = unsafe name.withUnsafeBytes { name in
                unsafe value.withUnsafeBytes { value in
                    guard let name = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                        return false
                    }
                    // SAFETY: the name ends with a zero, and the value has as many bytes as it says.
                    return unsafe fsetxattr(rawValue, name, value.baseAddress, value.count, 0) == 0
                }
            }
            guard isSet else { return false }
        }
        return true
    }

    /// Each ends with a zero. None where the file system has no such attributes.
    private var attributeNames: [[UInt8]] {
        let size = flistxattr(rawValue, nil, 0)
        guard size > 0 else { return [] }
        var list = [UInt8](repeating: 0, count: size)
        let count = unsafe list.withUnsafeMutableBytes { buffer in
            // SAFETY: at most as many bytes are written as the buffer has.
            unsafe flistxattr(rawValue, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard count > 0 else { return [] }
        return list[..<count].split(separator: 0).map { Array($0) + [0] }
    }

    private func attribute(_ name: [UInt8]) -> [UInt8]? {
        unsafe name.withUnsafeBytes { name in
            guard let name = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            let size = unsafe fgetxattr(rawValue, name, nil, 0)
            guard size >= 0 else { return nil }
            var value = [UInt8](repeating: 0, count: size)
            let count = unsafe value.withUnsafeMutableBytes { buffer in
                // SAFETY: at most as many bytes are written as the buffer has.
                unsafe fgetxattr(rawValue, name, buffer.baseAddress, buffer.count)
            }
            return count == size ? value : nil
        }
    }
}
#else
extension Descriptor {
    fileprivate func copyAttributes(of old: Descriptor) -> Bool {
        fcopyfile(old.rawValue, rawValue, nil, copyfile_flags_t(COPYFILE_XATTR | COPYFILE_ACL)) == 0
    }
}
#endif
