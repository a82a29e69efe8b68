export function run(source: string): unknown {
  return JSON.parse(source);
}
