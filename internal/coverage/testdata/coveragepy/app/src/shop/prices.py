"""Prices of a small shop."""


def price(amount, rate=0.2):
    if amount < 0:
        raise ValueError("negative amount")
    return (
        amount
        * (1 + rate)
    )


class Basket:
    def __init__(self):
        self.items = []

    def add(self, name, amount):
        self.items.append((name, amount))
        return self

    def total(self):
        total = 0
        for _, amount in self.items:
            if amount > 100:
                total += price(amount) * 0.9
            else:
                total += price(amount)
        return total

    def debug(self):  # pragma: no cover
        print(self.items)
