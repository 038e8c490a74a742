import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrustedWorkplace, runMortise } from '../packages/server/test/cli/run-mortise.js';
import { connect } from './support/clients.js';
import { waitFor } from './support/wait-for.js';
import { linkContract, ROOT, type Workplace } from './support/workplace.js';

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const NOTES = 'mortise-test-notes';
const WORDS = 'mortise-test-words';

/** A plugin that says its own text and that of a package that it depends on. */
const pluginText = (text: string) => `
import { ok } from '@mortise/plugin';
import { word } from '${WORDS}';
export function register(api) {
  const words = '${text} ' + word;
  api.registerTool({ name: 'note', description: words, inputSchema: { type: 'object' }, run: () => ok(words) });
}`;

let tarballs = '';
/** A folder that has the plugin installed by npm, and nothing else. */
let installed = '';
beforeAll(() => {
  tarballs = mkdtempSync(join(tmpdir(), 'mortise-npm-'));
  installed = mkdtempSync(join(tmpdir(), 'mortise-npm-'));
  writeFileSync(join(installed, 'package.json'), '{"private": true}');
  const contract = packFolder(join(ROOT, 'packages/plugin'));
  runNpm(installed, 'install', contract, packWords('1.0.0', 'first'), packNotes('1.0.0', 'one'));
});
afterAll(() => {
  for (const folder of [tarballs, installed]) rmSync(folder, { recursive: true, force: true });
});

/** The tarball of a package, as it would be published. */
function pack(name: string, version: string, index: string, more: object = {}): string {
  const folder = mkdtempSync(join(tarballs, 'package-'));
  writeFileSync(join(folder, 'index.js'), index);
  const manifest = { name, version, license: 'MIT', type: 'module', exports: './index.js', ...more };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  return packFolder(folder);
}

function packFolder(folder: string): string {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs];
  return join(tarballs, execFileSync(npm, args, { cwd: folder, encoding: 'utf8' }).trim());
}

const packNotes = (version: string, text: string) =>
  pack(NOTES, version, pluginText(text), {
    dependencies: { [WORDS]: '^1.0.0' },
    peerDependencies: { '@mortise/plugin': '>=0.1.0' },
  });
const packWords = (version: string, word: string) => pack(WORDS, version, `export const word = '${word}';`);

function runNpm(folder: string, ...args: string[]): void {
  execFileSync(npm, [...args, '--silent', '--offline', '--no-audit', '--no-fund'], { cwd: folder });
}

/** A workplace of a test's own with that. */
function createInstalled(): Workplace {
  const workplace = createTrustedWorkplace({}, { Plugins: { Packages: [NOTES] } });
  rmSync(join(workplace.folder, 'plugins'), { recursive: true });
  cpSync(installed, workplace.folder, { recursive: true });
  return workplace;
}

async function noteOf(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'note', arguments: {} });
  return (content[0] as { text: string }).text;
}

describe('a plugin that npm installed', () => {
  it('is served, and replaced while the server runs when npm updates it or what it depends on', async () => {
    const workplace = createInstalled();
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, undefined, ['--watch']);
    expect(await noteOf(client)).toBe('one first');
    runNpm(workplace.folder, 'install', packNotes('1.1.0', 'two'));
    await waitFor(async () => (await noteOf(client)) === 'two first');
    runNpm(workplace.folder, 'install', packWords('1.1.0', 'second'));
    await waitFor(async () => (await noteOf(client)) === 'two second');
  });

  it('is known to every command; the remembered definition ends with an update, the plugin with npm uninstall', async () => {
    const workplace = createInstalled();
    const listed = async () => JSON.parse((await runMortise(workplace, ['list', '--json'])).stdout);
    const descriptionOf = ({ tools }: { tools: { name: string; description: string }[] }) =>
      tools.find(({ name }) => name === 'note')?.description;

    const first = await listed();
    expect(first).toMatchObject({
      packages: [NOTES],
      plugins: [{ name: NOTES, version: '1.0.0', path: join(workplace.folder, 'node_modules', NOTES), problems: [] }],
      problems: [],
    });
    expect(descriptionOf(first)).toBe('one first');
    expect(descriptionOf(await listed())).toBe('one first');
    expect((await runMortise(workplace, ['validate', NOTES])).stdout).toContain('✓ Valid: ');
    expect((await runMortise(workplace, ['doctor'])).stdout).toContain(`\n✓ Plugin ${NOTES} 1.0.0: 1 tool, loaded in `);

    runNpm(workplace.folder, 'install', packWords('1.1.0', 'second'));
    expect(descriptionOf(await listed())).toBe('one second');
    expect((await runMortise(workplace, ['trust', NOTES])).stdout).toContain(`Trusted: ${NOTES}, 1 tool`);

    runNpm(workplace.folder, 'uninstall', NOTES);
    const { code, stdout } = await runMortise(workplace, ['validate']);
    expect(code).toBe(1);
    expect(stdout).toContain(`✗ ${NOTES}: The package '${NOTES}' is not installed: `);
    const line = readFileSync(workplace.config, 'utf8').split('\n').indexOf(`      "${NOTES}"`) + 1;
    expect(stdout).toContain(`    ${workplace.config}:${line}:7 (Plugins.Packages[0])\n`);
    expect(stdout).toContain(`    → In ${workplace.folder}, run: npm install ${NOTES}\n`);
  });
});

it('a linked package with a scope is served, and what is edited behind the link is taken over', async () => {
  const workplace = createTrustedWorkplace(
    {
      'work/notes/package.json': '{"name": "@acme/notes", "version": "1.0.0", "type": "module"}',
      'work/notes/index.js': pluginText('one').replace(`'${WORDS}'`, "'./words.js'"),
      'work/notes/words.js': "export const word = 'first';",
    },
    { Plugins: { Packages: ['@acme/notes'] } },
  );
  linkContract(workplace);
  mkdirSync(join(workplace.folder, 'node_modules/@acme'));
  symlinkSync(join(workplace.folder, 'work/notes'), join(workplace.folder, 'node_modules/@acme/notes'), 'junction');
  const client = await connect(workplace, { transport: 'stdio', version: '2026-07-28' }, {}, undefined, ['--watch']);
  expect(await noteOf(client)).toBe('one first');
  let polls = 0;
  await waitFor(async () => {
    // Again after some time: the first may be before the watch begins.
    if (polls++ % 60 === 0) workplace.write('work/notes/words.js', "export const word = 'second';");
    return (await noteOf(client)) === 'one second';
  });
  const trusted = await runMortise(workplace, ['trust', '@acme/notes']);
  expect(trusted.stdout).toContain('@acme/notes, 1 tool');
});
