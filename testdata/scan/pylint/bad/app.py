import os


def load(path, seen=[]):
    seen.append(path)
    return eval(path), missing
