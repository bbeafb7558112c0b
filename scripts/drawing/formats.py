"""Pixels to picture files: PNG, GIF, BMP and ICO, written out by hand."""

import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, size=None):
    """Eight bits for red, green and blue. `size` is what the header claims, where that is not the truth."""
    width, height = size or (len(rows[0]), len(rows))
    data = b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def palette(frames):
    """The 64 most frequent colours, and the index of each pixel's nearest."""
    counts = {}
    for rows in frames:
        for row in rows:
            for pixel in row:
                counts[pixel] = counts.get(pixel, 0) + 1
    colours = sorted(counts, key=lambda colour: (-counts[colour], colour))[:64]
    nearest = {
        pixel: min(range(len(colours)), key=lambda i: sum((a - b) ** 2 for a, b in zip(colours[i], pixel)))
        for pixel in counts
    }
    return colours + [(0, 0, 0)] * (64 - len(colours)), nearest


def gif(frames, width=None):
    """One frame, or several that go round, each half a second."""
    colours, nearest = palette(frames)
    height = len(frames[0])
    size = struct.pack("<HH", height if width is None else width, height)
    data = b"GIF89a" + size + b"\xf5\0\0" + bytes(part for colour in colours for part in colour)
    if len(frames) > 1:
        data += b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    for rows in frames:
        packed = lzw([nearest[pixel] for row in rows for pixel in row], 6)
        blocks = b"".join(bytes([len(packed[i : i + 255])]) + packed[i : i + 255] for i in range(0, len(packed), 255))
        data += b"\x21\xf9\x04\0\x32\0\0\0" + b"\x2c\0\0\0\0" + size + b"\0\x06" + blocks + b"\0"
    return data + b"\x3b"


def lzw(indices, bits):
    clear, end = 1 << bits, (1 << bits) + 1
    fresh = {(i,): i for i in range(clear)}
    table, width, following = dict(fresh), bits + 1, end + 1
    accumulator, held, packed = clear, width, bytearray()
    prefix = ()

    def put(code):
        nonlocal accumulator, held
        accumulator |= code << held
        held += width
        while held >= 8:
            packed.append(accumulator & 255)
            accumulator, held = accumulator >> 8, held - 8

    for index in indices:
        longer = prefix + (index,)
        if longer in table:
            prefix = longer
            continue
        put(table[prefix])
        table[longer] = following
        if following == 1 << width:
            width += 1
        following += 1
        if following == 4096:
            put(clear)
            table, width, following = dict(fresh), bits + 1, end + 1
        prefix = (index,)
    put(table[prefix])
    put(end)
    return bytes(packed) + bytes([accumulator & 255] if held else [])


def bmp(rows):
    colours, nearest = palette([rows])
    width, height = len(rows[0]), len(rows)
    data = b"".join(bytes(nearest[p] for p in row) + bytes(-width % 4) for row in reversed(rows))
    header = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, len(data), 2835, 2835, 64, 0)
    table = b"".join(bytes([blue, green, red, 0]) for red, green, blue in colours)
    start = 14 + len(header) + len(table)
    return b"BM" + struct.pack("<IHHI", start + len(data), 0, 0, start) + header + table + data


def ico(rows):
    width, height = len(rows[0]), len(rows)
    data = b"".join(bytes([blue, green, red, 255]) for row in reversed(rows) for red, green, blue in row)
    mask = bytes(((width + 31) // 32) * 4 * height)
    header = struct.pack("<IiiHHIIiiII", 40, width, 2 * height, 1, 32, 0, len(data) + len(mask), 0, 0, 0, 0)
    image = header + data + mask
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, width, height, 0, 0, 1, 32, len(image), 22) + image
