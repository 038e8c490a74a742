/** The name of a test without the arguments of a row: `T.Rows` of `T.Rows(n: 2)`; display names that are prose stay. */
export function withoutArguments(name: string): string {
  const withoutParameters = /^([\w.+`<>]+)\s?\(.*\)$/s.exec(name)?.[1];
  return withoutParameters ?? name;
}

/** Whether a name has a class, and is not a sentence. */
export function isFullName(name: string): boolean {
  return /^[A-Za-z_]\w*(?:[.+][A-Za-z_]\w*)+$/.test(name);
}

const FRAME = /^\s*at (?:async )?([\w.+`]+)\.(\w+)(?:\[[^\]]*\])?\(/;

/** `Shop.T.Works` of `Works`, where a frame of the stack is that method: some runners print the method alone. */
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
 * The name that the framework shows, if it is more specific than the test's name: with the arguments of a row. `Rows(2)` becomes
 * `Shop.T.Rows(2)` for the name `Shop.T.Rows`; a name in prose is not changed.
 */
export function shownAs(displayName: string, testName: string): { displayName?: string } {
  if (displayName === testName || testName.endsWith(`.${displayName}`)) return {};
  const method = withoutArguments(displayName);
  const qualifier = testName.endsWith(`.${method}`) ? testName.slice(0, -method.length) : '';
  return { displayName: qualifier + displayName };
}
