// Writes packages/server/settings.schema.json, the table in docs/settings.md and docs/plugin-limits.md from the table of settings.
// --check: writes nothing, and fails where they differ.
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import { generated, generatedPart } from './generated.mjs';

const root = new URL('../', import.meta.url);
const jiti = createJiti(import.meta.url);
const load = (name) => jiti.import(fileURLToPath(new URL(`packages/server/src/settings/${name}.ts`, root)));

const { COMPLETE_SCHEMA } = await load('rare-settings');
const { LIMITS } = await load('plugin-limits');
const { environmentName } = await load('environment-settings');
const { settingsJsonSchema } = await load('export-json-schema');

const escapeCell = (text) => text.replaceAll('|', '\\|');
const code = (text) => `\`${text}\``;
const row = (cells) => `| ${cells.map(escapeCell).join(' | ')} |`;

/** One row for the setting, and one for each member of the records that it holds. */
function settingRows(name, schema, variable) {
  const { expected, default: defaultValue, description } = schema;
  const defaultCell = defaultValue === undefined ? '' : code(JSON.stringify(defaultValue));
  const own = row([code(name), expected, defaultCell, description, variable ? code(variable) : '']);
  return [own, ...memberRows(name, schema, variable)];
}

function memberRows(name, { properties, items, additionalProperties }, variable) {
  if (!properties) {
    const [suffix, entry] = items ? ['[]', items] : ['.<name>', additionalProperties || {}];
    return entry.properties ? memberRows(`${name}${suffix}`, entry) : [];
  }
  return Object.entries(properties).flatMap(([key, member]) =>
    settingRows(`${name}.${key}`, member, variable && environmentName(variable, key)),
  );
}

const HEADER = [row(['Setting', 'Value', 'Default', 'What it does', 'Environment']), row(Array(5).fill('---'))];

const sectionTable = ([name, schema]) =>
  [`### ${name}\n\n${schema.description}`, '', ...HEADER, ...memberRows(name, schema, name)].join('\n');

const limitRows = Object.entries(LIMITS).map(([name, { default: defaultValue, unit, description, beyond }]) =>
  row([code(name), `${defaultValue.toLocaleString('en')} ${unit}`, description, beyond]),
);

const LIMITS_PAGE = `<!-- Written by scripts/settings-docs.mjs from packages/server/src/settings/plugin-limits.ts; do not edit. -->
# Limits of one plugin

The server limits how much data and work one plugin or mounted server can cause, so that it can
serve the others meanwhile.
A limit is checked before the work is done: entries are counted before they are examined, a message is measured before
it is parsed, and a file before it is read.
The defaults are far above what well-behaved plugins need.
The error names the limit, the actual amount, and what to do.

The limits are settings of \`Plugins.Limits\` and apply to each plugin and mounted server separately:

\`\`\`json
{ "Plugins": { "Limits": { "Tools": 2000, "MessageBytes": 16777216 } } }
\`\`\`

Raise a limit only if you trust the plugins: above the defaults, one plugin can delay the calls of others noticeably.
The limits do not cover the processor: plugins share that of the machine.

${[row(['Limit', 'Default', 'What is limited', 'What happens beyond it']), row(Array(4).fill('---')), ...limitRows].join('\n')}

Other limits of a plugin are separate settings in [settings.md](settings.md): \`Plugins.LoadTimeoutMs\`,
\`Plugins.MaxMemoryMb\`, \`Plugins.MaxConcurrentCalls\`, \`Plugins.MaxQueuedCalls\`, \`Tools.TimeoutMs\` and
\`Output.MaxResultBytes\`.
`;

generated('packages/server/settings.schema.json', `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
generatedPart('docs/settings.md#settings', Object.entries(COMPLETE_SCHEMA.properties).map(sectionTable).join('\n\n'));
generated('docs/plugin-limits.md', LIMITS_PAGE);
