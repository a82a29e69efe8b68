// Invoices in whole cents.

export interface Line {
  text: string
  cents: number // for one piece
  pieces: number
  taxPercent: number
}

export interface Totals {
  net: number
  tax: number
  gross: number
}

/** Reads an amount such as "12.5" or "1,299.00" into cents. */
export function cents(text: string): number {
  const match = /^(-?)(\d{1,3}(?:,\d{3})*|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match) throw new RangeError(`${text} is no amount`)
  const whole = Number(match[2].replaceAll(',', ''))
  const part = Number((match[3] ?? '').padEnd(2, '0'))
  const value = whole * 100 + part
  return match[1] ? -value : value
}

/** Writes cents as "12.50". */
export function amount(value: number): string {
  const abs = Math.abs(value)
  const text = `${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`
  return value < 0 ? `-${text}` : text
}

/** Sums lines up; tax is rounded half up for each rate, not for each line. */
export function totals(lines: Line[]): Totals {
  const byRate = new Map<number, number>()
  for (const l of lines) {
    byRate.set(l.taxPercent, (byRate.get(l.taxPercent) ?? 0) + l.cents * l.pieces)
  }
  let net = 0
  let tax = 0
  for (const [rate, sum] of byRate) {
    net += sum
    tax += Math.round((sum * rate) / 100)
  }
  return { net, tax, gross: net + tax }
}
