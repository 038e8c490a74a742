const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns the time at which a key expires, in milliseconds since 1970: the end of a date, or a time. Both are UTC
 * unless a time names its zone. Returns undefined for other text.
 */
export function parseExpiry(text: string): number | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !TIME.test(text)) return undefined;
  const hasZone = isDate || /(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = Date.parse(hasZone ? text : `${text}Z`);
  // Date.parse takes 31 February as a day in March.
  if (Number.isNaN(time) || (isDate && new Date(time).toISOString().slice(0, 10) !== text)) return undefined;
  return isDate ? time + DAY_MS : time;
}
