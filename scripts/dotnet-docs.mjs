// Writes docs/dotnet-tools.md and docs/dotnet-errors.md from the tables of @mortise/dotnet. With --check: exits with 1
// when a file differs.
import { DICTIONARY_CODES, lookUp } from '../packages/dotnet/dist/diagnose/dictionary.js';
import { PARAMETERS } from '../packages/dotnet/dist/tool/parameters.js';
import { TOOLS } from '../packages/dotnet/dist/tools/index.js';
import { generated } from './generated.mjs';

const code = (text) => `\`${text}\``;
const list = (names = []) => names.map(code).join(', ');
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function toolSection({ name, title, description, actions, common, describes = {} }) {
  const entries = Object.entries(actions);
  const rows = entries.map(([action, { requires, takes, lock, confirm }]) => {
    const asks = confirm ? (confirm.needsForce ? 'yes, or `force`' : 'yes') : '';
    return `| ${action || '(no action)'} | ${list(requires)} | ${list(takes)} | ${lock ? 'yes' : ''} | ${asks} |`;
  });
  const used = new Set(entries.flatMap(([, { requires = [], takes = [] }]) => [...requires, ...takes]));
  for (const parameter of common ?? []) used.add(parameter);
  const parameters = Object.keys(PARAMETERS)
    .filter((parameter) => used.has(parameter))
    .map((parameter) => {
      const own = describes[parameter];
      const schema =
        typeof own === 'object' ? own : { ...PARAMETERS[parameter].schema, ...(own && { description: own }) };
      const type = schema.enum ? schema.enum.map(code).join(', ') : [schema.type].flat().join(' or ');
      return `| ${code(parameter)} | ${type} | ${cell(schema.description ?? '')} |`;
    });
  return [
    `## ${code(name)}: ${title}`,
    description,
    ...(common ? [`Every action also takes ${list(common)}.`] : []),
    ['| Action | Needs | Takes | Holds a lock | Asks the user |', '|---|---|---|---|---|', ...rows].join('\n'),
    ...(parameters.length > 0 ? [['| Parameter | Type | Meaning |', '|---|---|---|', ...parameters].join('\n')] : []),
  ].join('\n\n');
}

generated(
  'docs/dotnet-tools.md',
  `<!-- Written by scripts/dotnet-docs.mjs from the tables of the tools; do not edit. -->
# The .NET tools

A parameter that an action does not take is refused with the actions that do. Relative paths start at \`workingDirectory\`. An action
that holds a lock is refused with CONCURRENCY_CONFLICT while another one writes to the same project, solution or folder; its result has
\`lockInfo\`. Where a client can ask its user, destructive actions do; where it cannot, some of them want \`force: true\`.

${TOOLS.map(toolSection).join('\n\n')}
`,
);

const rows = DICTIONARY_CODES.map(lookUp).map((entry) => {
  const { title, category, hint, suggestedFixes = [], documentationUrl, rootCauseKind = '' } = entry;
  const name = documentationUrl ? `[${code(entry.code)}](${documentationUrl})` : code(entry.code);
  return `| ${name} | ${cell(title)} | ${category} | ${rootCauseKind} | ${cell([hint, ...suggestedFixes].join('; '))} |`;
});

generated(
  'docs/dotnet-errors.md',
  `<!-- Written by scripts/dotnet-docs.mjs from the dictionary; do not edit. -->
# Codes of the .NET toolchain

What the compilers, MSBuild, NuGet and the SDK report, as \`errors[].code\` of a failed call has it: ${rows.length} codes with an
explanation. A code that is not here keeps its own message, and gets its category by its prefix.

| Code | Meaning | Category | Root cause | What to do |
|---|---|---|---|---|
${rows.join('\n')}
`,
);
