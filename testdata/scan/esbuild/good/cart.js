export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

export function kind(x) {
  if (typeof x === "string") return "text";
  switch (x) {
    case 1: return "one";
    case 2: return "two";
  }
  return Number.isNaN(x) ? "none" : "other";
}
