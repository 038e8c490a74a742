/**
 * A NuGet version or range in the form that NuGet writes it: `13.0` and `[13.0.0,)` are both `[13.0.0, )`. A text that
 * is no range is given back as it is; the empty one is `(, )`.
 */
export function normalizeRange(text: string): string {
  const range = text.trim().toLowerCase();
  if (range === '') return '(, )';
  const bounds = /^([[(])([^,]*)(?:(,)([^,]*))?([\])])$/.exec(range);
  if (!bounds) return `[${normalizeVersion(range)}, )`;
  const [, open, low = '', comma, high = '', close] = bounds;
  const upper = comma ? high : low;
  return `${open}${normalizeVersion(low)}, ${normalizeVersion(upper)}${close}`;
}

/** Three numbers at least, the fourth only where it is not 0; build metadata is left out. */
function normalizeVersion(text: string): string {
  const match = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(-[^+]*)?(?:\+.*)?$/.exec(text.trim());
  if (!match) return text.trim();
  const [, major, minor = '0', patch = '0', revision = '0', label = ''] = match;
  const numbers = [major!, minor, patch, ...(Number(revision) === 0 ? [] : [revision])];
  return numbers.map((number) => number.replace(/^0+(?=\d)/, '')).join('.') + label;
}
