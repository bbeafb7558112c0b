"""Flat shapes on a square of 100 by 100, painted one over another and sampled to pixels.

A shape is (bounds, inside, colour): the box it lies in, a test of a point, and an (r, g, b).
"""

import math

PAPER, INK, WHITE = (250, 244, 230), (45, 42, 66), (255, 255, 255)
CORAL, AMBER, LEMON, MOSS = (232, 105, 92), (240, 166, 72), (250, 214, 105), (122, 166, 91)
TEAL, SKY, NAVY, PLUM = (64, 145, 140), (128, 190, 220), (56, 84, 140), (134, 92, 150)
ROSE, SAND, BROWN, STONE = (240, 160, 170), (222, 196, 152), (140, 96, 70), (164, 168, 178)
SAMPLES = 3


def ellipse(colour, x, y, rx, ry=None, turn=0):
    ry = ry or rx
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def inside(px, py):
        dx, dy = px - x, py - y
        return ((dx * cos + dy * sin) / rx) ** 2 + ((dy * cos - dx * sin) / ry) ** 2 <= 1

    reach = max(rx, ry)
    return (x - reach, y - reach, x + reach, y + reach), inside, colour


def polygon(colour, *points):
    def inside(px, py):
        odd = False
        for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
            if (ay > py) != (by > py) and px < ax + (py - ay) * (bx - ax) / (by - ay):
                odd = not odd
        return odd

    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys)), inside, colour


def box(colour, x, y, width, height, corner=0):
    """A rectangle with round corners."""

    def inside(px, py):
        dx = max(x + corner - px, px - (x + width - corner), 0)
        dy = max(y + corner - py, py - (y + height - corner), 0)
        return dx * dx + dy * dy <= corner * corner if corner else dx == dy == 0

    return (x, y, x + width, y + height), inside, colour


def line(colour, ax, ay, bx, by, width):
    """A stroke with round ends."""
    length = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-9)

    def inside(px, py):
        along = min(1, max(0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length))
        return math.hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay)) <= width / 2

    half = width / 2
    return (min(ax, bx) - half, min(ay, by) - half, max(ax, bx) + half, max(ay, by) + half), inside, colour


def arc(colour, x, y, radius, width, start, end):
    """A part of a ring, from one angle to another in degrees; 0 is right and 90 is down."""

    def inside(px, py):
        if abs(math.hypot(px - x, py - y) - radius) > width / 2:
            return False
        return (math.degrees(math.atan2(py - y, px - x)) - start) % 360 <= end - start

    reach = radius + width / 2
    return (x - reach, y - reach, x + reach, y + reach), inside, colour


def star(colour, x, y, points, outer, inner, turn=-90):
    corners = []
    for step in range(2 * points):
        radius, angle = (outer, inner)[step % 2], math.radians(turn + 180 * step / points)
        corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return polygon(colour, *corners)


def eyes(y, *xs, size=7):
    """Eyes that look a little to the right."""
    shapes = []
    for x in xs:
        shapes += [ellipse(WHITE, x, y, size), ellipse(INK, x + size * 0.2, y + 1, size * 0.55)]
        shapes.append(ellipse(WHITE, x + size * 0.4, y - size * 0.2, size * 0.18))
    return shapes


def mirrored(*shapes):
    """The shapes and their images in the upright line through the middle."""
    both = list(shapes)
    for (left, top, right, bottom), inside, colour in shapes:
        both.append(((100 - right, top, 100 - left, bottom), lambda x, y, test=inside: test(100 - x, y), colour))
    return both


def pixels(shapes, size, background=PAPER):
    """Rows of (r, g, b), each the mean of a few samples."""
    grid, step = size * SAMPLES, 100 / (size * SAMPLES)
    samples = [[background] * grid for _ in range(grid)]
    for (left, top, right, bottom), inside, colour in shapes:
        for row in range(max(0, int(top / step)), min(grid, int(bottom / step) + 1)):
            for column in range(max(0, int(left / step)), min(grid, int(right / step) + 1)):
                if inside((column + 0.5) * step, (row + 0.5) * step):
                    samples[row][column] = colour
    return [[mean(samples, row, column) for column in range(size)] for row in range(size)]


def mean(samples, row, column):
    block = [
        samples[row * SAMPLES + down][column * SAMPLES + right] for down in range(SAMPLES) for right in range(SAMPLES)
    ]
    return tuple(sum(colour[part] for colour in block) // len(block) for part in range(3))
