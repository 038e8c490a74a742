// Writes docs/error-codes.md from the code tables of @mortise/plugin. With --check: exits with 1 when the file differs.

import { ERROR_CODES } from '../packages/plugin/build/index.js';
import { PROBLEM_CODES } from '../packages/plugin/build/runtime/index.js';
import { PACK_CODES } from '../packages/server/build/cli/shared/pack-codes.js';
import { OUTCOMES } from '../packages/server/build/core/call-outcome.js';
import { generated } from './generated.mjs';
import { sentenceLines } from './sentence-lines.mjs';

const callRows = Object.entries(ERROR_CODES).map(
  ([code, { category, mcpErrorCode, meaning, hint }]) =>
    `| \`${code}\` | ${category} | ${mcpErrorCode ?? ''} | ${meaning} | ${hint ?? ''} |`,
);
const refusals = Object.entries({ ...OUTCOMES, ...ERROR_CODES }).flatMap(([code, { isRefusal }]) =>
  isRefusal ? [`\`${code}\``] : [],
);
const ofServer = Object.entries(ERROR_CODES).flatMap(([code, { isOfServer }]) => (isOfServer ? [`\`${code}\``] : []));
const outcomeRows = Object.entries(OUTCOMES).map(([outcome, { meaning }]) => `| \`${outcome}\` | ${meaning} |`);
const rowsOf = (codes) => Object.entries(codes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);

generated(
  'docs/error-codes.md',
  `<!-- Written by scripts/error-codes-docs.mjs from the code tables; do not edit. -->
# Codes

## Codes of calls

These are values of \`structuredContent.errors[].code\` of a failed call.
A tool can also have codes of its own.
It raises a code with \`fail(message, { code, hint })\`.

${sentenceLines(`The default hints of ${ofServer.join(', ')} are for the server alone. A tool that uses one of these codes gives its own hint.`)}

| Code | Category | mcpErrorCode | When | Default hint |
|---|---|---|---|---|
${callRows.join('\n')}

<a id="how-calls-end"></a>
### How calls end

The audit, the log and the metrics say how each call ended.
For a call that fails this is its first code, or \`JSON_RPC_<code>\` for a JSON-RPC error without a code of Mortise.
For other calls it is one of these:

| Outcome | When |
|---|---|
${outcomeRows.join('\n')}

${sentenceLines(`The server refuses calls with ${refusals.join(', ')}. No code of a plugin has run then, unless the tool itself failed with that code.`)}

## Codes of plugins that are refused, in whole or in part

\`mortise list\`, \`mortise doctor\`, the log and the resource \`mortise://plugins\` show these codes.
Each problem has its place and the next step.

| Code | When |
|---|---|
${rowsOf(PROBLEM_CODES).join('\n')}

## Codes of packages before they are published

\`mortise pack\` shows these codes beside the codes of plugins ([publishing-plugins.md](publishing-plugins.md)).

| Code | When |
|---|---|
${rowsOf(PACK_CODES).join('\n')}
`,
);
