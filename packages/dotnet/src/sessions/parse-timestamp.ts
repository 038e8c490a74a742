const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A moment in ISO 8601; UTC where it names no offset, as our own times are. Undefined for anything else. */
export function parseSince(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const moment = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** `Date` takes February 30 for March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
