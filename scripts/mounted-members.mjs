// Writes the table of docs/spec/mounted-servers.md#all-members from test/cases/mounted-members.json. With --check: exits with 1 when it
// differs.

import { readFileSync } from 'node:fs';
import { generatedPart } from './generated.mjs';

const file = new URL('../test/cases/mounted-members.json', import.meta.url);
const code = (names) => names.map((name) => `\`${name}\``).join(', ');
const rows = JSON.parse(readFileSync(file, 'utf8')).map(({ definitions, members, decision, how = '' }) => {
  const of = definitions[0] === '*' ? 'every message' : code(definitions);
  return `| ${of} | ${code(members)} | ${decision} | ${how} |`;
});
generatedPart(
  'docs/spec/mounted-servers.md#all-members',
  ['| Of | Members | | How, or why |', '|---|---|---|---|', ...rows].join('\n'),
);
