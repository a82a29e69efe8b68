export function same(a, b) {
  var loose = a == b;
  return loose || eval(a);
}
