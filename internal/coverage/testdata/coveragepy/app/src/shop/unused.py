def never(x):
    while x:
        x -= 1
    return x
