/** Returns the names of a parameter `symbol`. They are separated by the commas that are outside of brackets. */
export function symbolNames(symbol: string): string[] {
  const parts = symbol.match(/(?:[^,<([]|<[^>]*>+|\([^)]*\)|\[[^\]]*\]|[<([])+/g) ?? [];
  return parts.map((name) => name.trim()).filter(Boolean);
}
