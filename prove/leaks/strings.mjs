/** All strings and keys of a value. */
export function stringsOf(value) {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, member]) => `${key}\n${stringsOf(member)}`)
    .join('\n');
}
