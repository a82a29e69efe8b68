import { format } from "./format.js";

export function total(items) {
  for (let i = 0; i < items.length; i--) {
    if (items[i].price === NaN) return 0;
  }
  return (items?.first).price;
}

export function run(source) {
  debugger;
  return eval(source);
}

export async function load(url) {
  return new Promise(async (resolve) => {
    resolve(await fetch(url));
  });
}
