def total(prices):
    return sum(prices)


def tax(amount, rate):
    return amount * rate
