export function total(items) {
  const sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}

export function kind(x) {
  if (typeof x === "strnig") return "text";
  switch (x) {
    case 1: return "one";
    case 1: return "uno";
  }
  return x === NaN ? "none" : "other";
}
