import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { BIN, createWorkplace, type Workplace } from '../support/workplace.js';

const run = promisify(execFile);

const INTEGRITY = 'sha512-AAAA';
const lockOf = (version: string, integrity = INTEGRITY) =>
  JSON.stringify({ lockfileVersion: 3, packages: { 'node_modules/notes': { version, integrity } } });
const plugin = (text: string) => `
export function register(api) {
  api.registerTool({ name: 'note', description: 'd', inputSchema: { type: 'object' }, run: () => '${text}' });
}`;
const FILES = {
  'package-lock.json': lockOf('1.2.0'),
  'node_modules/notes/package.json': JSON.stringify({
    name: 'notes',
    version: '1.2.0',
    type: 'module',
    main: 'index.js',
  }),
  'node_modules/notes/index.js': plugin('one'),
};

const workplaceWith = (Plugins: object, files: Record<string, string> = FILES) =>
  createWorkplace(files, { Plugins: { Packages: ['notes'], ...Plugins } });

async function mortise({ config, env }: Workplace, ...args: string[]): Promise<string> {
  const started = run(process.execPath, [BIN, ...args, '--config', config], { env });
  return (await started.catch((error: { stdout: string }) => error)).stdout;
}

const listed = async (workplace: Workplace) => JSON.parse(await mortise(workplace, 'list', '--json'));

/** docs/spec/plugins.md#provenance */
it('a package whose files were replaced under the same version is found, and blocked with OnChange refuse', async () => {
  const workplace = workplaceWith({ OnChange: 'refuse' });
  const [first] = (await listed(workplace)).plugins;
  const lockfile = join(workplace.folder, 'package-lock.json');
  expect(first).toMatchObject({
    origin: { from: 'package', package: 'notes', version: '1.2.0', integrity: INTEGRITY, lockfile },
    tools: ['note'],
    problems: [],
  });
  expect(await mortise(workplace, 'list')).toContain(`npm package notes@1.2.0, ${INTEGRITY}`);
  const pins = JSON.parse(readFileSync(join(workplace.folder, 'mortise.lock.json'), 'utf8'));
  expect(pins.plugins['./node_modules/notes'].package.definition).toMatchObject({ package: 'notes', version: '1.2.0' });

  workplace.write('node_modules/notes/index.js', plugin('two'));
  const [replaced] = (await listed(workplace)).plugins;
  expect(replaced).toMatchObject({ tools: [], problems: [{ code: 'PLUGIN_DEFINITION_CHANGED', severity: 'error' }] });
  expect(replaced.problems[0].message).toContain('~ package (files)');
  await mortise(workplace, 'trust', 'notes');
  expect((await listed(workplace)).plugins).toMatchObject([{ tools: ['note'], problems: [] }]);
});

it.each([
  ['without a lock file', undefined, 'no package-lock.json'],
  ['with an entry without integrity', '{"packages": {"node_modules/notes": {"link": true}}}', 'no package-lock.json'],
  ['with another version', lockOf('1.1.0'), 'has version 1.1.0, but 1.2.0 is installed'],
])('with RequireLockfile a package %s is not loaded', async (_, lock, reason) => {
  const { 'package-lock.json': _lock, ...others } = FILES;
  const workplace = workplaceWith({ RequireLockfile: true }, { ...others, ...(lock && { 'package-lock.json': lock }) });
  const [found] = (await listed(workplace)).plugins;
  expect(found).toMatchObject({ state: 'failed', tools: [], problems: [{ code: 'PLUGIN_NOT_LOCKED' }] });
  expect(found.problems[0].message).toContain(reason);
});

it('with RequireLockfile a package with its lock file entry is loaded', async () => {
  expect((await listed(workplaceWith({ RequireLockfile: true }))).plugins).toMatchObject([{ tools: ['note'] }]);
});
