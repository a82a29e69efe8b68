def route(s):
    if s == "0":
        return 0
    if s == "1":
        return 1
    if s == "2":
        return 2
    if s == "3":
        return 3
    if s == "4":
        return 4
    if s == "5":
        return 5
    if s == "6":
        return 6
    if s == "7":
        return 7
    return -1
