export interface Money {
  cents: number
  currency: string
}

export function money(cents: number, currency: string): Money {
  if (!Number.isInteger(cents)) {
    throw new RangeError(`cents must be a whole number, got ${cents}`)
  }
  return { cents, currency }
}

export function add(a: Money, b: Money): Money {
  if (a.currency !== b.currency) {
    throw new TypeError(`cannot add ${b.currency} to ${a.currency}`)
  }
  return money(a.cents + b.cents, a.currency)
}

export function format(m: Money): string {
  const sign = m.cents < 0 ? '-' : ''
  const abs = Math.abs(m.cents)
  const rest = String(abs % 100).padStart(2, '0')
  return `${sign}${Math.floor(abs / 100)}.${rest} ${m.currency}`
}
