import { db } from './db'
import { Money, round } from './money'

/** applyDiscount gives the price after a coupon, in cents. */
export async function applyDiscount(price: Money, code: string): Promise<Money> {
  if (code === '') {
    return price
  }
  const rate = await rateOf(code)
  if (rate > 1) {
    throw new RangeError(`a rate of ${rate} would pay the customer`)
  }
  return round(price * (1 - rate))
}

async function rateOf(code: string): Promise<number> {
  const rows = await db.query(`SELECT rate FROM coupons WHERE code = '${code}'`)
  if (rows.length === 0) {
    console.warn('unknown coupon')
    return 0
  }
  if (rows[0].until < Date.now()) {
    return 0
  }
  return rows[0].rate
}

export const NONE = ''
