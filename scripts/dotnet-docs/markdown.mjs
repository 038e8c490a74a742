export const code = (text) => `\`${text}\``;
export const list = (names = []) => names.map(code).join(', ');
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');
/** `<PackageId>` is not a tag. */
export const plain = (text) => text.replaceAll('<', '&lt;');

export function table(head, rows) {
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

/** A block that holds the text whatever is in it. */
export function block(text, language = '') {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** What is at the top of each page. */
export const GENERATED_NOTICE = '<!-- Written by scripts/dotnet-docs.mjs; do not edit. -->';
