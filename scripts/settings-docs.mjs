// Writes packages/server/settings.schema.json and the table in docs/settings.md from the table of settings.
// --check: writes nothing, and fails where they differ.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import { generated } from './generated.mjs';

const root = new URL('../', import.meta.url);
const jiti = createJiti(import.meta.url);
const load = (name) => jiti.import(fileURLToPath(new URL(`packages/server/src/settings/${name}.ts`, root)));

const { SECTIONS } = await load('schema');
const { describeType } = await load('value-type');
const { environmentName } = await load('environment');
const { settingsJsonSchema } = await load('json-schema');

const escapeCell = (text) => text.replaceAll('|', '\\|');
const code = (text) => `\`${text}\``;
const row = (cells) => `| ${cells.map(escapeCell).join(' | ')} |`;

/** One row for the setting, and one for each member of the records that it holds. */
function settingRows(name, { type, default: byDefault, description }, variable) {
  const shown = byDefault === undefined ? '' : code(JSON.stringify(byDefault));
  const own = row([code(name), describeType(type), shown, description, variable ? code(variable) : '']);
  const [suffix, entry] = type.kind === 'map' ? ['.<name>', type.of] : type.kind === 'list' ? ['[]', type.of] : [];
  if (entry?.kind !== 'record') return [own];
  return [
    own,
    ...Object.entries(entry.members).flatMap(([key, member]) => settingRows(`${name}${suffix}.${key}`, member)),
  ];
}

const HEADER = [row(['Setting', 'Value', 'Default', 'What it does', 'Environment']), row(Array(5).fill('---'))];

function sectionTable(name, { description, settings }) {
  const rows = Object.entries(settings).flatMap(([key, member]) =>
    settingRows(`${name}.${key}`, member, environmentName(name, key)),
  );
  const heading = `### ${name}\n\n${description}`;
  if (!rows.length) return `${heading} It has no settings yet, so every key in it is an error.`;
  return [heading, '', ...HEADER, ...rows].join('\n');
}

const MARKS = ['<!-- settings:begin -->', '<!-- settings:end -->'];

function withTable(page) {
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark));
  if (begin < 0 || end < begin) throw new Error(`docs/settings.md lacks ${MARKS.join(' … ')}`);
  const tables = Object.entries(SECTIONS).map(([name, section]) => sectionTable(name, section));
  return `${page.slice(0, begin + MARKS[0].length)}\n\n${tables.join('\n\n')}\n\n${page.slice(end)}`;
}

generated('packages/server/settings.schema.json', `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
generated('docs/settings.md', withTable(readFileSync(new URL('docs/settings.md', root), 'utf8')));
