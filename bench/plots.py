"""Bars as SVG, for docs/bench.md: groups side by side, in each a bar for each series."""

import html

COLOURS = ["#9aa5b1", "#c98b4a", "#7a9e7e", "#8d7bb5", "#4f81bd", "#2f5d8a", "#1b3a57"]
BAR, GAP, HEIGHT, LEFT, TOP = 11, 16, 180, 46, 44


def nice(number):
    """The next of 1, 2, 5, 10, ... that is as large."""
    step = 10 ** len(str(int(number))) / 1000
    while step * 10 < number:
        step *= 10
    return next(step * factor for factor in (1, 2, 2.5, 5, 10) if step * factor >= number)


def bars(title, unit, series, groups, top=None):
    """`groups`: [(name, [number or None for each of `series`])]. What is higher than `top` is cut, and says so."""
    highest = top or nice(max(value for _, values in groups for value in values if value is not None))
    width = len(series) * BAR + GAP
    right = LEFT + width * len(groups) + 10
    legend = TOP + HEIGHT + 34
    total = max(right, 520)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{legend + 18 * ((len(series) + 2) // 3) + 6}" '
             'font-family="sans-serif" font-size="11">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="8" y="18" font-size="13" font-weight="bold">{html.escape(title)}</text>',
             f'<text x="8" y="34" fill="#555">{html.escape(unit)}</text>']
    for step in range(5):
        y = TOP + HEIGHT - HEIGHT * step / 4
        parts.append(f'<line x1="{LEFT}" x2="{right}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 5}" y="{y + 4:.0f}" text-anchor="end" fill="#555">{highest * step / 4:g}</text>')
    for number, (name, values) in enumerate(groups):
        left = LEFT + GAP / 2 + width * number
        for place, value in enumerate(values):
            if value is not None:
                parts += bar(left + BAR * place, value, highest, COLOURS[place % len(COLOURS)], f"{name}, {series[place]}")
        parts.append(f'<text x="{left + len(series) * BAR / 2:.0f}" y="{TOP + HEIGHT + 15}" text-anchor="middle">'
                     f'{html.escape(name)}</text>')
    for place, name in enumerate(series):
        x, y = LEFT + 160 * (place % 3), legend + 18 * (place // 3)
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{COLOURS[place % len(COLOURS)]}"/>'
                     f'<text x="{x + 15}" y="{y}">{html.escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def bar(x, value, highest, colour, what):
    height = HEIGHT * min(value, highest) / highest
    yield (f'<rect x="{x:.1f}" y="{TOP + HEIGHT - height:.1f}" width="{BAR - 2}" height="{max(height, 0.5):.1f}" '
           f'fill="{colour}"><title>{html.escape(what)}: {value:g}</title></rect>')
    if value > highest:
        yield f'<text x="{x + BAR / 2 - 1:.1f}" y="{TOP - 2}" text-anchor="middle" font-size="9">{value:g}</text>'
