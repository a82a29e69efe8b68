// Opening hours, in the local time of a shop.

export interface Hours {
  opens: number // minutes after midnight
  closes: number
}

/** Hours by day of the week, Sunday first; null is closed. */
export type Week = (Hours | null)[]

/** A moment in the local time of a shop that is `offset` minutes east of UTC. */
function local(at: Date, offset: number): { day: number; minute: number } {
  const shifted = new Date(at.getTime() + offset * 60_000)
  return { day: shifted.getUTCDay(), minute: shifted.getUTCHours() * 60 + shifted.getUTCMinutes() }
}

/** Whether a shop is open at a moment. */
export function isOpen(week: Week, at: Date, offset: number): boolean {
  const { day, minute } = local(at, offset)
  const hours = week[day]
  return hours !== null && minute >= hours.opens && minute < hours.closes
}

/** The day of the week on which a shop opens next, from tomorrow on. */
export function nextDay(week: Week, at: Date, offset: number): number | null {
  const { day } = local(at, offset)
  for (let i = 1; i <= 7; i++) {
    if (week[(day + i) % 7] !== null) return (day + i) % 7
  }
  return null
}

/** Writes minutes after midnight as "09:30". */
export function clock(minute: number): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
}
