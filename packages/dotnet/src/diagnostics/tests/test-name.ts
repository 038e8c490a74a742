/** Removes the arguments of a row from a name: `T.Rows(n: 2)` becomes `T.Rows`. Display names in prose stay. */
export function withoutArguments(name: string): string {
  const withoutParameters = /^([\w.+`<>]+)\s?\(.*\)$/s.exec(name)?.[1];
  return withoutParameters ?? name;
}

/** True for a name with a class, false for a bare method and for prose. */
export function isFullName(name: string): boolean {
  return /^[A-Za-z_]\w*(?:[.+][A-Za-z_]\w*)+$/.test(name);
}

const FRAME = /^\s*at (?:async )?([\w.+`]+)\.(\w+)(?:\[[^\]]*\])?\(/;

/** Finds the full name of a bare method (`Shop.T.Works` for `Works`) in stack frames. Some runners omit the class. */
export function nameInFrames(name: string, frames: readonly string[]): string {
  const withoutParameters = withoutArguments(name);
  if (isFullName(withoutParameters)) return withoutParameters;
  for (const frame of frames) {
    const [, type, method] = FRAME.exec(frame) ?? [];
    if (type !== undefined && method === withoutParameters) return `${type.replaceAll('+', '.')}.${method}`;
  }
  return withoutParameters;
}

/**
 * Returns the display name if it is more specific than the name of the test, for example with the arguments of a row.
 * For the test `Shop.T.Rows`, `Rows(2)` becomes `Shop.T.Rows(2)`. A name in prose is not changed.
 */
export function shownAs(displayName: string, testName: string): { displayName?: string } {
  if (displayName === testName || testName.endsWith(`.${displayName}`)) return {};
  const method = withoutArguments(displayName);
  const qualifier = testName.endsWith(`.${method}`) ? testName.slice(0, -method.length) : '';
  return { displayName: qualifier + displayName };
}
