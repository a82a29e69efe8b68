import { format } from "./format.js";

export function total(items) {
  for (let i = 0; i < items.length; i++) {
    if (Number.isNaN(items[i].price)) return format(0);
  }
  return items?.first?.price;
}

export function run(source) {
  return JSON.parse(source);
}

export async function load(url) {
  return await fetch(url);
}
