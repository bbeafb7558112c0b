// The C library, under whichever name the system has for it.

#if canImport(Darwin)
@_exported public import Darwin
#else
@_exported public import Glibc
#endif
