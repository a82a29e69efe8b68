import { seconds } from './duration'

/** Tells what a clock shows after a while: "23:30" and "1h" make "00:30". */
export function after(time: string, while_: string): string {
  const [hours, minutes] = time.split(':').map(Number)
  const all = hours * 60 + minutes + Math.floor(seconds(while_) / 60)
  const two = (n: number => String(n).padStart(2, '0')
  return `${two(Math.floor(all / 60) % 24)}:${two(all % 60)}`
}
