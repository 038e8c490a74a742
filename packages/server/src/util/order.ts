/** Makes a comparison by a text, in the order of character codes, so that it does not depend on the locale. */
export function by<T>(textOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [first, second] = [textOf(a), textOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}
