def wrap(text, width):
    """Break text into lines of at most width characters, words kept whole."""
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        elif line:
            line += " " + word
        else:
            line = word
    if line:
        lines.append(line)
    return lines


def longest(lines):
    """Length of the longest line."""
    return max((len(line) for line in lines), default=0)
