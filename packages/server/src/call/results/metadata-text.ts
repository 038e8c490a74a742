/** A map of strings: other values are their JSON as text. Undefined if it would be empty. */
export function toMetadataText(values: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const texts = Object.entries(values).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
