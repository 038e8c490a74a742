/** Converts the values to strings, those of other types to JSON. Returns undefined if no value is left. */
export function toMetadataText(values: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const texts = Object.entries(values).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
