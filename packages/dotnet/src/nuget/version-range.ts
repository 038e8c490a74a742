/**
 * Converts a NuGet version or range to the form in which NuGet writes it: `13.0` and `[13.0.0,)` become `[13.0.0, )`,
 * and the empty text becomes `(, )`. Parts that are not versions are only trimmed and in lower case.
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

/** Normalizes a version to three numbers, or four if the fourth is not 0, without build metadata. */
function normalizeVersion(text: string): string {
  const match = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(-[^+]*)?(?:\+.*)?$/.exec(text.trim());
  if (!match) return text.trim();
  const [, major, minor = '0', patch = '0', revision = '0', label = ''] = match;
  const numbers = [major!, minor, patch, ...(Number(revision) === 0 ? [] : [revision])];
  return numbers.map((number) => number.replace(/^0+(?=\d)/, '')).join('.') + label;
}

const VERSION = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9a-z.-]+))?(?:\+.*)?$/i;

/**
 * Compares two versions as NuGet does (SemVer 2.0 with a fourth number).
 * @returns a number below 0 if the first is lower; undefined unless both are single versions (`1.0.0` or `[1.0.0]`)
 */
export function compareVersions(first: string, second: string): number | undefined {
  const [a, b] = [first, second].map((text) =>
    VERSION.exec(
      text
        .trim()
        .replace(/^\[([^,\]]+)\]$/, '$1')
        .trim(),
    ),
  );
  if (!a || !b) return undefined;
  for (let index = 1; index <= 4; index++) {
    const difference = Number(a[index] ?? 0) - Number(b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareLabels(a[5], b[5]);
}

/** Compares prerelease labels. A version without a label is higher than one with a label. */
function compareLabels(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [first, second] = [a.toLowerCase().split('.'), b.toLowerCase().split('.')];
  for (let index = 0; index < Math.min(first.length, second.length); index++) {
    const difference = compareParts(first[index]!, second[index]!);
    if (difference !== 0) return difference;
  }
  return first.length - second.length;
}

function compareParts(a: string, b: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOther) return Number(a) - Number(b);
  if (isNumber !== isOther) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
