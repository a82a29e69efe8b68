export function run(source: any) {
  debugger;
  if (source == 1) return eval(source);
}
