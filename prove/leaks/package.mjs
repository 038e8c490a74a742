import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MORTISE } from '../../bench/workplace.mjs';
import { stringsOf } from './strings.mjs';

const MANIFEST = {
  name: 'leaky-package',
  version: '1.0.0',
  license: 'MIT',
  keywords: ['mortise-plugin'],
  exports: './index.cjs',
  files: ['index.cjs', 'texts'],
  peerDependencies: { '@mortise/plugin': '>=0.1.0' },
};
/** Its tools have texts for names, which the problems quote. */
const PLUGIN = `
const { readFileSync } = require('node:fs');
module.exports.register = (api) => {
  for (const name of JSON.parse(readFileSync(TEXTS, 'utf8')))
    api.registerTool({ name, description: 'd', inputSchema: { type: 'object' }, run: () => 'x' });
};`;

/** What counts as a secret in a published file (docs/spec/plugin-authoring.md#pack-secrets). */
const isLiteral = (secret) => /^[^\s(){}<>$,;]{8,}$/.test(secret) && /\d/.test(secret) && /[A-Za-z]/.test(secret);

/**
 * `mortise pack` checks a package whose files have the texts, and whose plugin has them for names. Gives all that it prints,
 * without the marks of the files that it would publish with a secret.
 */
export function packed({ workplace }, cases) {
  const folder = join(workplace, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'texts'), { recursive: true });
  const texts = join(workplace, 'names.json');
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('package.json', JSON.stringify(MANIFEST));
  write('README.md', '# A package');
  write('LICENSE', 'MIT');
  write('index.cjs', PLUGIN.replace('TEXTS', JSON.stringify(texts)));
  writeFileSync(texts, JSON.stringify(cases.map(({ text }) => text)));
  for (const { mark, text } of cases) write(`texts/${mark}.json`, text);
  const config = join(workplace, 'pack.json');
  writeFileSync(config, JSON.stringify({ Dotnet: { Enabled: false } }));
  const args = [MORTISE, 'pack', folder, '--check', '--json', '--config', config];
  const env = { PATH: process.env.PATH, HOME: workplace, XDG_CONFIG_HOME: workplace };
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, cwd: workplace, maxBuffer: 2 ** 27 });
  const report = JSON.parse(`${stdout}`);
  const found = report.problems.filter(({ code }) => code === 'FILE_SECRET').map(({ file }) => file);
  const published = cases.filter(
    ({ mark, forms }) => forms.some(isLiteral) && !found.includes(join(folder, 'texts', `${mark}.json`)),
  );
  return published.reduce((text, { mark }) => text.replaceAll(mark, 'published'), `${stringsOf(report)}\n${stderr}`);
}
