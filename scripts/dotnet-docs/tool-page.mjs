import { parametersOf } from '../../packages/dotnet/build/actions/action.js';
import { PARAMETERS } from '../../packages/dotnet/build/actions/parameters.js';
import { sentenceLines } from '../sentence-lines.mjs';
import { block, cell, code, GENERATED_NOTICE, list, table } from './markdown.mjs';

/** Where failures are described; the pages are in docs/dotnet. */
const CONTRACT = 'docs/spec/contract.md#error-response';

/** The page of a tool: what it is for, its actions and parameters, and examples with their real results. */
export function toolPage(tool, examples, sdk) {
  const { name, title, description, common, actions } = tool;
  const locks = Object.values(actions).some(({ lock }) => lock !== undefined);
  return `${[
    GENERATED_NOTICE,
    `# ${code(name)}: ${title}`,
    sentenceLines(description),
    hints(tool),
    ...(common ? [sentenceLines(`Every action also takes ${list(common)}.`)] : []),
    '## Actions',
    actionTable(tool),
    ...(locks ? ['An action that holds a lock also takes `waitSeconds`.'] : []),
    ...parameterSection(tool),
    '## What comes back',
    outputs(tool),
    '## Examples',
    `Real results of SDK ${sdk}; paths, times and process ids are neutral.`,
    ...examples.map(exampleSection),
    'All tools: [the .NET tools](../dotnet-tools.md).',
  ].join('\n\n')}\n`;
}

/** Hints that MCP defines only for tools that change something. */
const HINTS_OF_CHANGES = ['destructiveHint', 'idempotentHint'];
const HINTS = [
  ['readOnlyHint', 'changes nothing', 'changes files or the machine'],
  ['destructiveHint', 'can destroy something', 'destroys nothing'],
  ['idempotentHint', 'changes nothing more if it is called again', undefined],
  ['openWorldHint', 'may use the network', 'stays on this machine'],
];

function hints({ annotations, actions }) {
  const isReadOnly = annotations.readOnlyHint ?? Object.values(actions).every((action) => action.isReadOnly);
  const shown = HINTS.filter(([hint]) => !isReadOnly || !HINTS_OF_CHANGES.includes(hint));
  const hints = shown.flatMap(
    ([hint, yes, no]) => (({ ...annotations, readOnlyHint: isReadOnly })[hint] ? yes : no) ?? [],
  );
  return sentenceLines(`According to its annotations, the tool ${conjunction(hints)}.`);
}

function actionTable({ actions }) {
  const rows = Object.entries(actions).map(
    ([action, { optional, isReadOnly, writesWith, lock, confirm, ...needed }]) => {
      const asks = confirm ? (confirm.needsForce ? 'yes, or `force`' : 'yes') : '';
      return [
        action || '(no action)',
        needs(needed),
        list(optional),
        readsOnly(isReadOnly, writesWith),
        lock ? 'yes' : '',
        asks,
      ];
    },
  );
  return table(['Action', 'Needs', 'Takes', 'Only reads', 'Holds a lock', 'Asks the user'], rows);
}

function readsOnly(isReadOnly, writesWith) {
  if (!isReadOnly) return '';
  return writesWith ? `yes, without ${list(writesWith)}` : 'yes';
}

const conjunction = (parts) => parts.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** What is found in the folder, what must be given, and of which two one must be. */
function needs({ finds, required = [], requiredOneOf }) {
  const found = finds ? [`${code(finds)} (or the only one in the folder)`] : [];
  const either = requiredOneOf ? [requiredOneOf.map(code).join(' or ')] : [];
  return [...found, ...required.map(code), ...either].join(', ');
}

function parameterSection(tool) {
  const { actions, describes = {} } = tool;
  const used = new Set(Object.values(actions).flatMap((action) => parametersOf(tool, action)));
  const rows = Object.keys(PARAMETERS)
    .filter((parameter) => used.has(parameter))
    .map((parameter) => {
      const own = describes[parameter];
      const schema =
        typeof own === 'object' ? own : { ...PARAMETERS[parameter].schema, ...(own && { description: own }) };
      const type = schema.enum ? schema.enum.map(code).join(', ') : [schema.type].flat().join(' or ');
      return [code(parameter), type, cell(schema.description ?? '')];
    });
  return rows.length === 0 ? [] : ['## Parameters', table(['Parameter', 'Type', 'Meaning'], rows)];
}

function outputs({ output, actions }) {
  const rows = Object.entries(output).map(([name, type]) => [code(name), type]);
  const contract = CONTRACT.replace('docs', '..');
  const locks = Object.values(actions).some(({ lock }) => lock !== undefined);
  return [
    'An action returns those of these members of `structuredContent` that it knows.',
    '',
    table(['Member', 'Type'], rows),
    '',
    ...(locks ? ['If a lock was held, there is also `lockInfo`.'] : []),
    'A failure has `success`, `errors`, `exitCode` and `metadata`,',
    `as [the contract of results](${contract}) says.`,
  ].join('\n');
}

function exampleSection({ title, arguments: args, text, structured }) {
  return [
    `### ${title}`,
    block(JSON.stringify(args), 'json'),
    'Text:',
    block(text),
    'structuredContent:',
    block(JSON.stringify(structured, undefined, 2), 'json'),
  ].join('\n\n');
}
