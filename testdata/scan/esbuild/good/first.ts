export function first(list: string[]): string | undefined {
  return list[0];
}
