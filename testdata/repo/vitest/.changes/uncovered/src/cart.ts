import { add, money, type Money } from './money'

export interface Item {
  sku: string
  price: Money
  quantity: number
}

export class Cart {
  readonly items: Item[] = []

  constructor(readonly currency: string) {}

  put(item: Item): void {
    if (item.quantity <= 0) {
      throw new RangeError('quantity must be positive')
    }
    const known = this.items.find((i) => i.sku === item.sku)
    if (known) {
      known.quantity += item.quantity
      return
    }
    this.items.push({ ...item })
  }

  total(): Money {
    let sum = money(0, this.currency)
    for (const item of this.items) {
      sum = add(sum, money(item.price.cents * item.quantity, item.price.currency))
    }
    return sum
  }

  discount(percent: number): Money {
    if (percent < 0 || percent > 100) {
      throw new RangeError('percent must be between 0 and 100')
    }
    const full = this.total()
    return money(full.cents - Math.round((full.cents * percent) / 100), this.currency)
  }
}
