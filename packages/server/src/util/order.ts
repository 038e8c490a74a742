/** Orders by a text, character code by character code: the same everywhere, whatever the locale. */
export function by<T>(textOf: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => {
    const [first, second] = [textOf(a), textOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}
