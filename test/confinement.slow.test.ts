import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BIN, createWorkplace, ROOT, type Workplace } from './support/workplace.js';

const run = promisify(execFile);

/** A Node.js with a stable permission model, from npm. */
const NODE = 'node@24.21.0';
let folder = '';
let node: string | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mortise-node-'));
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['install', '--no-audit', '--no-fund', NODE];
  const isFetched = await run(npm, args, { cwd: folder }).then(
    () => true,
    () => false,
  );
  const program = join(folder, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  node = isFetched ? program : undefined;
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function mortise({ config, env }: Workplace, ...args: string[]): Promise<string> {
  const started = run(node!, [BIN, ...args, '--config', config], { env });
  return (await started.catch((error: { stdout: string }) => error)).stdout;
}

const SPY = `
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } };
const TOOLS = {
  read: ({ path }) => readFileSync(path, 'utf8'),
  later: ({ path }) => readFile(path, 'utf8'),
  write: ({ path }) => (writeFileSync(path, 'x'), 'written'),
  run: ({ path }) => execFileSync(path, ['-p', '1'], { encoding: 'utf8' }),
};
export function register(api) {
  for (const [name, run] of Object.entries(TOOLS)) api.registerTool({ name, description: 'd', inputSchema, run });
}`;
const packageJson = (needs: object) =>
  JSON.stringify({ name: 'spy', type: 'module', main: 'index.js', mortise: { needs } });
const spyWith = (needs: object, Confine: object, more: object = {}) =>
  createWorkplace(
    { 'plugins/spy/package.json': packageJson(needs), 'plugins/spy/index.js': SPY, 'secret.txt': 'hidden words' },
    { Plugins: { Confine, ...more } },
  );

const call = (workplace: Workplace, tool: string, path: string) =>
  mortise(workplace, 'call', tool, '--arg', `path=${path}`);

/** docs/spec/plugins.md#confinement */
describe('a confined plugin', { timeout: 300_000 }, () => {
  beforeEach(({ skip }) => skip(node === undefined, 'node@24 could not be fetched from the registry'));

  it.each([
    ['read', 'read'],
    ['later', 'read'],
    ['write', 'write'],
    ['run', 'run'],
  ])('that tries to %s outside of its folder gets an error with the path and the setting', async (tool, setting) => {
    const workplace = spyWith({}, { Default: { network: true }, Required: true });
    const path = tool === 'run' ? node! : join(workplace.folder, 'secret.txt');
    const answer = await call(workplace, tool, path);
    expect(answer).toContain('PLUGIN_CONFINED');
    expect(answer).toContain(`'${path}'`);
    expect(answer).toContain(`'${setting}' of the plugin in Plugins.Confine.Plugins`);
    expect(answer).not.toContain('hidden words');
  });

  it('can do what it declares, and only what the operator sets for it', async () => {
    const declaring = spyWith({ read: ['../../secret.txt'], network: true }, { Default: {} });
    const secret = join(declaring.folder, 'secret.txt');
    expect(await call(declaring, 'read', secret)).toContain('hidden words');
    expect(await call(declaring, 'write', secret)).toContain('PLUGIN_CONFINED');
    expect(await mortise(declaring, 'list')).toContain('declares that it needs read ../../secret.txt, network');
    const set = spyWith({ read: ['../../secret.txt'] }, { Plugins: { spy: { network: true } } });
    expect(await call(set, 'read', join(set.folder, 'secret.txt'))).toContain('PLUGIN_CONFINED');
    const granted = spyWith({}, { Plugins: { spy: { write: ['secret.txt'], run: true } } });
    expect(await call(granted, 'write', join(granted.folder, 'secret.txt'))).toContain('written');
    expect(await call(granted, 'run', node!)).toContain('1');
  });

  it('that declares more than before is blocked with OnChange refuse', async () => {
    const workplace = spyWith({ network: true }, { Default: {} }, { OnChange: 'refuse' });
    expect(await mortise(workplace, 'list')).not.toContain('PLUGIN_DEFINITION_CHANGED');
    workplace.write('plugins/spy/package.json', packageJson({ network: true, run: true }));
    expect(await mortise(workplace, 'list')).toContain('PLUGIN_DEFINITION_CHANGED');
    expect(await call(workplace, 'run', node!)).not.toContain('written');
  });

  it('without the declaration of the network is not loaded with Required, if Node.js cannot restrict it', async () => {
    const listed = await mortise(spyWith({}, { Default: {}, Required: true }), 'list');
    expect(listed).toContain('cannot restrict the network [PLUGIN_NOT_CONFINED]');
    expect(listed).toContain('not loaded');
  });

  it('may be each of the examples', async () => {
    const workplace = createWorkplace({}, { Plugins: { Confine: { Default: { network: true }, Required: true } } });
    cpSync(join(ROOT, 'examples/plugins'), join(workplace.folder, 'plugins'), { recursive: true });
    const { plugins } = JSON.parse(await mortise(workplace, 'list', '--json'));
    expect(plugins.length).toBeGreaterThan(3);
    for (const plugin of plugins) expect(plugin).toMatchObject({ state: 'loaded', problems: [], confinedTo: {} });
    expect(await mortise(workplace, 'call', 'welcome', '--arg', 'name=Ada')).toContain('Welcome, Ada!');
    const kilometre = '{"value": 1, "from": "km", "to": "m"}';
    expect(await mortise(workplace, 'call', 'convert_units', '--json', kilometre)).toContain('1000');
    expect(await mortise(workplace, 'call', 'weather_temperature', '--arg', 'city=London')).toContain('London');
  });
});
