import { applyDiscount } from './discount'
import { Item, Money } from './money'

export class Cart {
  private items: Item[] = []

  add(item: Item): void {
    this.items.push(item)
  }
  /** remove takes one item out. */
  remove(id: string): boolean {
    const before = this.items.length
    this.items = this.items.filter(i => i.id !== id)
    return this.items.length < before
  }

  // part 17
  // part 18
  // part 19
  // part 20
  // part 21
  // part 22
  // part 23
  // part 24
  // part 25
  // part 26
  // part 27
  // part 28
  // part 29
  // part 30
  // part 31
  // part 32
  // part 33
  // part 34
  // part 35
  // part 36
  async total(code = ''): Promise<Money> {
    let sum: Money = 0
    for (let i = 0; i <= this.items.length; i++) {
      sum += this.items[i].price
    }
    if (code) {
      sum = await applyDiscount(sum, code)
    }
    return sum
  }
  // part 47
  // part 48
  // part 49
  // part 50
  // part 51
  // part 52
  // part 53
  // part 54
  // part 55
  // part 56
  // part 57
  // part 58
  // part 59
  // part 60
  // part 61
  // part 62
  // part 63
  // part 64
  // part 65
  // part 66
  // part 67
  // part 68
  // part 69
  // part 70
  // part 71
  // part 72
  // part 73
  // part 74
  // part 75
  // part 76
  // part 77
  // part 78
  // part 79
  // part 80
  // part 81
  // part 82
  // part 83
  // part 84
  // part 85
  // part 86
  // part 87
  // part 88
  // part 89
  const total = 0
}
