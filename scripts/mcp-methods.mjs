// Writes the table of docs/spec/protocol.md#methods, and what the page has to know of methods, from the table of methods.
// With --check: exits with 1 when one differs.

import { METHODS } from '../packages/mcp/build/protocol/methods.js';
import { generated, generatedPart } from './generated.mjs';

const rows = Object.entries(METHODS).map(([method, { generations, nameParam }]) => {
  const isOf = (generation) => (generations.includes(generation) ? 'yes' : 'no');
  return `| \`${method}\` | ${isOf('session')} | ${isOf('stateless')} | ${nameParam ? `\`${nameParam}\`` : ''} |`;
});
generatedPart(
  'docs/spec/protocol.md#methods',
  ['| Method | Session | Stateless | `Mcp-Name` repeats |', '|---|---|---|---|', ...rows].join('\n'),
);

const names = Object.entries(METHODS).flatMap(([method, { nameParam }]) =>
  nameParam ? [`  '${method}': '${nameParam}',`] : [],
);
generated(
  'packages/workbench/src/rpc/name-parameter.ts',
  `// Written by scripts/mcp-methods.mjs from packages/mcp/src/protocol/methods.ts; do not edit.

/** By method: the parameter that the header \`Mcp-Name\` repeats. */
export const NAME_PARAMETER: Readonly<Record<string, string>> = {
${names.join('\n')}
};
`,
);
