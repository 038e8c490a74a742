// Writes docs/error-codes.md from the code tables of @mortise/plugin. With --check: exits with 1 when the file differs.

import { ERROR_CODES } from '../packages/plugin/build/index.js';
import { PROBLEM_CODES } from '../packages/plugin/build/runtime/index.js';
import { PACK_CODES } from '../packages/server/build/cli/shared/pack-codes.js';
import { OUTCOMES } from '../packages/server/build/core/call-outcome.js';
import { generated } from './generated.mjs';

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

## Of calls

What \`structuredContent.errors[].code\` of a failed call can be, beside the codes of a tool's own. A tool raises one of them,
or its own, with \`fail(message, { code, hint })\`. With ${ofServer.join(', ')} the default hint is the server's alone: a tool that
uses one of these codes gives its own hint.

| Code | Category | mcpErrorCode | When | Default hint |
|---|---|---|---|---|
${callRows.join('\n')}

<a id="how-calls-end"></a>
### How calls end

The audit, the log and the metrics have the first code of a call that fails, \`JSON_RPC_<code>\` for a JSON-RPC error without a code of ours, or else one of these:

| Outcome | When |
|---|---|
${outcomeRows.join('\n')}

The server refuses calls with ${refusals.join(', ')}: no code of a plugin has run then, unless the tool itself failed with that code.

## Of plugins that are refused, in whole or in part

What \`mortise list\`, \`mortise doctor\`, the log and the resource \`mortise://plugins\` show, each with its place and the next step.

| Code | When |
|---|---|
${rowsOf(PROBLEM_CODES).join('\n')}

## Of packages before they are published

What \`mortise pack\` shows beside the codes above ([publishing-plugins.md](publishing-plugins.md)).

| Code | When |
|---|---|
${rowsOf(PACK_CODES).join('\n')}
`,
);
