// Writes the tables of docs/spec/audit.md#audit and docs/spec/audit.md#metrics from those in the sources. With --check: exits with 1
// when one differs.

import { AUDIT_EVENTS, AUDIT_MEMBERS } from '../packages/server/build/access/audit/audit-event.js';
import { COUNTS } from '../packages/server/build/core/server-metrics.js';
import { generatedPart } from './generated.mjs';

/** Links in the sources start at the root of the repository. */
const toLinks = (text) => text.replaceAll('](docs/', '](../').replaceAll('](../spec/', '](');

const table = (titles, rows) =>
  [titles, titles.map(() => '---'), ...rows.map(([name, ...cells]) => [`\`${name}\``, ...cells.map(toLinks)])]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

generatedPart(
  'docs/spec/audit.md#audit',
  [
    table(['Member', 'What it is'], Object.entries(AUDIT_MEMBERS)),
    table(['Event', 'What the line is about'], Object.entries(AUDIT_EVENTS)),
  ].join('\n\n'),
);
generatedPart(
  'docs/spec/audit.md#metrics',
  table(
    ['Metric', 'Type', 'What it counts'],
    Object.values(COUNTS).map(({ type, name, help }) => [name, type, help]),
  ),
);
