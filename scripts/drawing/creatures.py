"""The pictures of the project's own characters, as shapes."""

from .shapes import (
    AMBER, BROWN, CORAL, INK, LEMON, MOSS, NAVY, PAPER, PLUM, ROSE, SAND, SKY, STONE, TEAL, WHITE,
    arc, box, ellipse, eyes, line, mirrored, polygon, star,
)


def sun(colour):
    """The disc that most of them stand before."""
    return ellipse(colour, 50, 50, 46)


def smile(x=50, y=60, radius=8, colour=INK):
    return arc(colour, x, y, radius, 3, 20, 160)


def lantern(flame):
    return [
        sun(NAVY), arc(STONE, 50, 24, 11, 4, 180, 360), box(BROWN, 32, 26, 36, 8, 3), box(LEMON, 35, 33, 30, 42),
        ellipse(AMBER, 50, 60, 11, 13), polygon(AMBER, (39, 58), (50 + flame, 36), (61, 58)), *eyes(60, 45, 55, size=4),
        line(BROWN, 35, 34, 35, 75, 4), line(BROWN, 65, 34, 65, 75, 4), box(BROWN, 30, 74, 40, 8, 3),
    ]


PICTURES = {
    "fox": [
        sun(SKY), *mirrored(polygon(AMBER, (17, 14), (49, 34), (20, 50)), polygon(BROWN, (22, 22), (36, 32), (25, 40))),
        polygon(AMBER, (16, 44), (50, 26), (84, 44), (50, 88)), *mirrored(polygon(WHITE, (16, 44), (40, 56), (50, 86))),
        *eyes(50, 36, 64, size=6), ellipse(INK, 50, 83, 6, 5),
    ],
    "owl": [
        sun(PLUM), *mirrored(polygon(BROWN, (26, 14), (50, 30), (26, 42))), ellipse(BROWN, 50, 56, 29, 34),
        ellipse(SAND, 50, 68, 18, 20), *mirrored(ellipse(SAND, 38, 42, 14)), *eyes(42, 38, 62, size=10),
        polygon(AMBER, (45, 50), (55, 50), (50, 60)), *mirrored(line(AMBER, 42, 88, 42, 94, 5)),
    ],
    "crab": [
        sun(SAND), *mirrored(line(CORAL, 30, 66, 12, 80, 5), line(CORAL, 34, 70, 20, 90, 5), line(CORAL, 28, 50, 15, 38, 6),
        ellipse(CORAL, 17, 28, 13), polygon(SAND, (17, 30), (8, 10), (24, 10)), line(CORAL, 42, 44, 40, 32, 4)),
        ellipse(CORAL, 50, 62, 30, 20), *eyes(30, 40, 60, size=7), smile(50, 62, 9),
    ],
    "robot": [
        sun(TEAL), line(STONE, 50, 26, 50, 12, 4), ellipse(CORAL, 50, 11, 5), *mirrored(box(NAVY, 13, 42, 10, 20, 3)),
        box(STONE, 21, 26, 58, 50, 9), box(WHITE, 27, 33, 46, 26, 7), *eyes(46, 39, 61, size=8),
        box(INK, 34, 64, 32, 6, 3), box(NAVY, 34, 78, 32, 14, 4), *mirrored(line(STONE, 42, 64, 42, 70, 2)),
    ],
    "ghost": [
        sun(NAVY), ellipse(PAPER, 50, 44, 27), box(PAPER, 23, 44, 54, 38), *mirrored(ellipse(PAPER, 32, 82, 9)),
        ellipse(PAPER, 50, 82, 9), *mirrored(ellipse(INK, 40, 44, 5, 7), ellipse(ROSE, 32, 56, 6, 4)), ellipse(INK, 50, 60, 5, 6),
    ],
    "cat": [
        sun(LEMON), *mirrored(polygon(INK, (22, 12), (48, 34), (20, 50)), polygon(ROSE, (27, 23), (38, 33), (27, 40))),
        ellipse(INK, 50, 56, 31, 28), *mirrored(ellipse(MOSS, 38, 52, 8, 9), ellipse(INK, 38, 52, 3, 8)),
        polygon(ROSE, (45, 63), (55, 63), (50, 69)), *mirrored(line(STONE, 40, 68, 12, 62, 1.5), line(STONE, 40, 71, 13, 74, 1.5)),
    ],
    "fish": [
        sun(SKY), polygon(CORAL, (64, 50), (92, 28), (88, 50), (92, 72)), polygon(AMBER, (36, 32), (54, 14), (66, 36)),
        ellipse(CORAL, 44, 50, 32, 22), line(WHITE, 52, 32, 52, 68, 6), line(WHITE, 66, 38, 66, 62, 5), *eyes(45, 28, size=8),
        ellipse(WHITE, 14, 26, 4), ellipse(WHITE, 22, 16, 3), arc(INK, 18, 58, 5, 2.5, 0, 90),
    ],
    "snail": [
        sun(MOSS), box(SAND, 12, 72, 72, 12, 6), line(SAND, 76, 76, 80, 48, 11), line(SAND, 78, 48, 72, 34, 3),
        line(SAND, 82, 48, 86, 34, 3), ellipse(INK, 72, 33, 3.5), ellipse(INK, 86, 33, 3.5), ellipse(CORAL, 42, 54, 26),
        arc(PAPER, 42, 54, 18, 4, 0, 300), arc(PAPER, 42, 54, 9, 4, 90, 360), arc(INK, 78, 56, 4, 2, 20, 160),
    ],
    "ship": [
        sun(SKY), line(BROWN, 50, 12, 50, 70, 4), polygon(PAPER, (53, 14), (84, 58), (53, 58)),
        polygon(CORAL, (47, 22), (22, 58), (47, 58)), polygon(BROWN, (14, 64), (86, 64), (72, 84), (28, 84)),
        *[arc(NAVY, x, 92, 9, 5, 180, 360) for x in (23, 41, 59, 77)], *eyes(73, 42, 58, size=5),
    ],
    "moon": [
        sun(NAVY), ellipse(LEMON, 46, 50, 34), ellipse(NAVY, 62, 42, 30), ellipse(INK, 26, 50, 4, 5), arc(INK, 28, 62, 7, 3, 20, 120),
        *[star(WHITE, x, y, 4, r, r / 3) for x, y, r in ((66, 30, 10), (80, 52, 6), (56, 52, 5))],
    ],
    "mushroom": [
        sun(MOSS), box(PAPER, 36, 48, 28, 40, 10), ellipse(CORAL, 50, 44, 38, 28), box(PAPER, 36, 52, 28, 24),
        box(MOSS, 12, 53, 24, 22), box(MOSS, 64, 53, 24, 22),
        *[ellipse(WHITE, x, y, r) for x, y, r in ((50, 26, 8), (28, 40, 7), (72, 40, 7))], *eyes(62, 43, 57, size=5), smile(50, 70, 5),
    ],
    "cactus": [
        sun(AMBER), line(TEAL, 50, 28, 50, 76, 24), *mirrored(line(TEAL, 42, 62, 24, 56, 11), line(TEAL, 23, 56, 23, 40, 11)),
        polygon(BROWN, (32, 72), (68, 72), (62, 92), (38, 92)), star(ROSE, 50, 16, 5, 10, 4), *eyes(42, 44, 57, size=6), smile(50, 54, 6),
    ],
    "teapot": [
        sun(ROSE), arc(TEAL, 76, 56, 13, 6, 240, 480), line(TEAL, 30, 66, 15, 48, 9), line(TEAL, 15, 48, 9, 44, 7), ellipse(TEAL, 50, 60, 28, 24),
        box(NAVY, 34, 35, 32, 6, 3), ellipse(AMBER, 50, 30, 6), box(NAVY, 36, 81, 28, 5, 2), *eyes(56, 42, 58, size=6), smile(50, 66, 8),
    ],
    "dragon": [
        sun(LEMON), *mirrored(polygon(PLUM, (30, 52), (4, 30), (8, 66)), polygon(AMBER, (36, 24), (30, 6), (44, 20))),
        ellipse(MOSS, 50, 42, 25, 22), ellipse(MOSS, 50, 60, 20, 16), *eyes(38, 40, 60, size=8), *mirrored(ellipse(INK, 44, 58, 2.5)),
        smile(50, 64, 9), *[polygon(PLUM, (x, 22), (x + 4, 10), (x + 8, 22)) for x in (46,)], ellipse(LEMON, 50, 86, 12, 8),
    ],
    "bear": [
        sun(TEAL), *mirrored(ellipse(BROWN, 26, 28, 12), ellipse(SAND, 26, 28, 6)), ellipse(BROWN, 50, 54, 33, 31),
        ellipse(SAND, 50, 66, 16, 13), ellipse(INK, 50, 60, 6, 4), *eyes(46, 37, 63, size=6), smile(50, 66, 6),
    ],
    "whale": [
        sun(SAND), arc(SKY, 44, 20, 8, 4, 180, 360), arc(SKY, 28, 20, 8, 4, 180, 360), polygon(NAVY, (74, 60), (80, 34), (96, 26), (92, 50)),
        ellipse(NAVY, 44, 58, 36, 26), ellipse(PAPER, 40, 76, 26, 10), *eyes(54, 26, size=6), arc(INK, 22, 64, 8, 2.5, 10, 100),
    ],
    "rocket": [
        sun(INK), polygon(CORAL, (34, 60), (20, 84), (36, 78)), polygon(CORAL, (66, 60), (80, 84), (64, 78)), ellipse(PAPER, 50, 48, 18, 36),
        polygon(AMBER, (40, 80), (60, 80), (50, 98)), ellipse(SKY, 50, 42, 10), *eyes(42, 46, 55, size=4),
        *[star(LEMON, x, y, 4, 6, 2) for x, y in ((18, 36), (82, 30), (24, 62))],
    ],
    "hedgehog": [
        sun(SKY), *[star(BROWN, 44, 54, 15, 36, 25)], ellipse(SAND, 62, 60, 24, 18), ellipse(INK, 87, 62, 5), *eyes(54, 66, size=6),
        arc(INK, 74, 64, 7, 2.5, 30, 130), *[ellipse(BROWN, x, 84, 6, 4) for x in (40, 62)],
    ],
}

LANTERN_FRAMES = [lantern(-4), lantern(4)]
BEE = [
    sun(SKY), *mirrored(ellipse(WHITE, 30, 34, 12, 18, -30)), ellipse(LEMON, 50, 58, 30, 22), box(INK, 46, 37, 9, 42), box(INK, 62, 40, 8, 36),
    polygon(INK, (78, 52), (92, 58), (78, 64)), *eyes(52, 30, size=7), arc(INK, 30, 62, 6, 2.5, 20, 140),
    line(INK, 28, 40, 20, 26, 2.5), line(INK, 36, 37, 34, 22, 2.5),
]
DROP = [sun(SAND), polygon(SKY, (50, 8), (75, 52), (25, 52)), ellipse(SKY, 50, 60, 28), *eyes(58, 41, 59, size=7), smile(50, 68, 8)]
GEM = [
    polygon(TEAL, (20, 20), (80, 20), (96, 42), (50, 92), (4, 42)), polygon(SKY, (20, 20), (80, 20), (68, 42), (32, 42)),
    polygon(MOSS, (32, 42), (68, 42), (50, 92)), line(WHITE, 32, 26, 44, 26, 4),
]
