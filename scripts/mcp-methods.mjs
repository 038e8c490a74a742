// Writes the table of docs/spec/protocol.md#methods from the table of methods.
// With --check: exits with 1 when it differs.

import { METHODS } from '../packages/mcp/build/protocol/methods.js';
import { generatedPart } from './generated.mjs';

const rows = Object.entries(METHODS).map(([method, { generations, nameParam }]) => {
  const isOf = (generation) => (generations.includes(generation) ? 'yes' : 'no');
  return `| \`${method}\` | ${isOf('session')} | ${isOf('stateless')} | ${nameParam ? `\`${nameParam}\`` : ''} |`;
});
generatedPart(
  'docs/spec/protocol.md#methods',
  ['| Method | Session | Stateless | `Mcp-Name` repeats |', '|---|---|---|---|', ...rows].join('\n'),
);
