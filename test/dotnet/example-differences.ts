const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/**
 * How a result differs from an example of the published contract. Every member of the example is there, in its order and with its
 * value; the value of a member in `differs` is another one of the same type, or missing.
 * @param differs dotted paths
 */
export function exampleDifferences(
  actual: unknown,
  example: unknown,
  differs: readonly string[] = [],
  at = '',
): string[] {
  const where = at === '' ? 'the result' : at;
  const shown = () => `${where} is ${JSON.stringify(actual)}, not ${JSON.stringify(example)}`;
  if (differs.includes(at)) return actual === undefined || kindOf(actual) === kindOf(example) ? [] : [shown()];
  if (typeof example !== 'object' || example === null) {
    // The document writes … for the rest of what a tool printed.
    const isShortened = typeof example === 'string' && example.endsWith('...');
    const isLike = isShortened
      ? String(actual).startsWith(example.slice(0, -'...'.length))
      : Object.is(actual, example);
    return isLike ? [] : [shown()];
  }
  if (typeof actual !== 'object' || actual === null || kindOf(actual) !== kindOf(example)) return [shown()];
  if (Array.isArray(example) && (actual as unknown[]).length !== example.length) return [shown()];
  const pathOf = (key: string) => (at === '' ? key : `${at}.${key}`);
  const keys = Object.keys(example).filter((key) => key in actual || !differs.includes(pathOf(key)));
  const actualKeys = Object.keys(actual).filter((key) => keys.includes(key));
  return [
    ...(actualKeys.join() === keys.join() ? [] : [`the members of ${where} are ${actualKeys}, not ${keys}`]),
    ...keys.flatMap((key) =>
      exampleDifferences(
        (actual as Record<string, unknown>)[key],
        (example as Record<string, unknown>)[key],
        differs,
        pathOf(key),
      ),
    ),
  ];
}
