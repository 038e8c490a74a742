/** Returns a comparison by a text. It uses the order of character codes, so it does not depend on the locale. */
export function by<T>(textOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [first, second] = [textOf(a), textOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}
