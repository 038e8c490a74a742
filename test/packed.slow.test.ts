import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasSdk } from '../packages/dotnet/test/sdk.js';
import { STYLES } from '../packages/server/src/cli/new/scaffold.js';
import { stop } from './support/clients.js';
import { CheckedStdioTransport } from './support/wire-check.js';
import { ROOT } from './support/workplace.js';

const PACKAGES = ['plugin', 'redact', 'mcp', 'dotnet', 'server', 'create-mortise-plugin'];
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** The declarations that a declaration imports from its package. */
function relativeImports(file: string): string[] {
  const specifiers = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*from '(\.[^']+)\.js'/gm)];
  return specifiers.map(([, path]) => join(dirname(file), `${path}.d.ts`));
}

/** The packages as people install them, in an empty folder with nothing of the repository near. */
describe('the packed packages', () => {
  let folder = '';
  let env: Record<string, string> = {};
  const mortise = () => join(folder, 'node_modules/mortise/bin/mortise.mjs');
  const run = (file: string, args: string[], cwd = folder) =>
    spawnSync(process.execPath, [file, ...args], { cwd, env, encoding: 'utf8' });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-packed-'));
    const home = join(folder, 'home');
    mkdirSync(home);
    env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      USERPROFILE: home,
      APPDATA: home,
      Plugins__StartWaitMs: '60000',
      Plugins__LoadTimeoutMs: '60000',
    };
    const tarballs = mkdtempSync(join(tmpdir(), 'mortise-tarballs-'));
    const workspaces = PACKAGES.map((name) => `--workspace=packages/${name}`);
    execFileSync(npm, ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs, ...workspaces], {
      cwd: ROOT,
    });
    writeFileSync(join(folder, 'package.json'), '{"private": true}');
    const files = readdirSync(tarballs).map((name) => join(tarballs, name));
    execFileSync(npm, ['install', '--silent', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', ...files], {
      cwd: folder,
    });
    rmSync(tarballs, { recursive: true });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['javascript', 'node_modules/mortise/bin/mortise.mjs', ['new']],
    ['typescript', 'node_modules/create-mortise-plugin/bin/create-mortise-plugin.mjs', []],
  ])(
    'scaffold a plugin in style %s that lacks only a license, and load its tarball by its name elsewhere',
    (style, bin, args) => {
      const name = `${style}-published`;
      expect(run(join(folder, bin), [...args, name, '--style', style]).status).toBe(0);
      const made = join(folder, 'plugins', name);
      const refused = run(mortise(), ['pack', '--json'], made);
      expect(JSON.parse(refused.stdout).problems).toMatchObject([{ code: 'PACKAGE_LICENSE', severity: 'error' }]);
      execFileSync(npm, ['pkg', 'set', 'license=MIT'], { cwd: made, env });
      copyFileSync(join(ROOT, 'LICENSE'), join(made, 'LICENSE'));
      const { valid, problems, tarball } = JSON.parse(run(mortise(), ['pack', '--json'], made).stdout);
      expect({ valid, problems }).toEqual({ valid: true, problems: [] });

      const elsewhere = mkdtempSync(join(folder, 'elsewhere-'));
      writeFileSync(join(elsewhere, 'package.json'), '{"private": true}');
      const install = ['install', '--silent', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball];
      execFileSync(npm, install, { cwd: elsewhere, env });
      writeFileSync(join(elsewhere, 'appsettings.json'), JSON.stringify({ Plugins: { Packages: [name] } }));
      expect(run(mortise(), ['trust', '.'], elsewhere).status).toBe(0);
      const tool = name.replace('-', '_');
      expect(run(mortise(), ['call', tool, '--arg', 'name=Ada'], elsewhere).stdout).toBe('Hello, Ada!\n');
    },
  );

  it.each(STYLES.filter((style) => style !== 'dotnet'))(
    'scaffold a plugin in style %s whose own test passes, and answer a call to its tool',
    (style) => {
      const made = run(mortise(), ['new', `${style}-made`, '--style', style]);
      expect(made.stderr).toBe('');
      expect(made.status).toBe(0);
      const tested = spawnSync(npm, ['test', '--silent'], {
        cwd: join(folder, 'plugins', `${style}-made`),
        env,
        encoding: 'utf8',
      });
      expect(tested.status, tested.stdout + tested.stderr).toBe(0);
      const called = run(mortise(), ['call', `${style}_made`, '--json', '{"name": "Ada"}']);
      expect(called.stdout).toContain('Ada');
      expect(called.status).toBe(0);
    },
  );

  it.skipIf(!hasSdk)('scaffold a C# plugin that builds into the plugins folder, and answer a call to its tool', () => {
    const made = run(mortise(), ['new', 'sharp-made', '--style', 'dotnet']);
    expect(made.status, made.stderr).toBe(0);
    const built = spawnSync('dotnet', ['build', 'sharp-made'], { cwd: folder, encoding: 'utf8' });
    expect(built.status, built.stdout + built.stderr).toBe(0);
    const called = run(mortise(), ['call', 'sharp_made', '--json', '{"name": "Ada"}']);
    expect(called.stdout + called.stderr).toContain('Ada');
    expect(called.status).toBe(0);
  });

  it('scaffold by npm create', () => {
    const made = run(join(folder, 'node_modules/create-mortise-plugin/bin/create-mortise-plugin.mjs'), ['created']);
    expect(made.status, made.stderr).toBe(0);
    expect(run(mortise(), ['list']).stdout).toContain('created');
  });

  it('contain the licences of what is bundled in them, and the declarations of their entries with all that these import', () => {
    const licences = readFileSync(join(folder, 'node_modules/mortise/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@modelcontextprotocol/client', 'ajv', 'commander', 'jsonc-parser', 'zod'])
      expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(\\S.+\\)$`, 'm'));
    for (const name of PACKAGES) {
      const { name: installed } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'));
      const dist = join(folder, 'node_modules', installed, 'dist');
      const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
      const missing = files
        .filter((file) => file.endsWith('.d.ts'))
        .flatMap((file) => relativeImports(join(dist, file)))
        .filter((file) => !existsSync(file));
      expect(missing).toEqual([]);
      expect(files.filter((file) => /\.c?js$/.test(file)).length).toBeLessThan(80);
    }
  });

  it('contain the page, and serve it with all its files', async () => {
    const server = spawn(process.execPath, [mortise(), 'serve', '--http', '--port', '0'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: server.stderr }).on('line', (line) => {
        const [found] = /http:\/\/[^\s"]+(?=\/mcp)/.exec(line) ?? [];
        if (found) resolve(found);
      });
    });
    const pageFolder = join(folder, 'node_modules/mortise/workbench');
    const html = await (await fetch(url)).text();
    expect(html.replace('data-keys="none" ', '')).toBe(readFileSync(join(pageFolder, 'index.html'), 'utf8'));
    const assets = readdirSync(join(pageFolder, 'assets'));
    for (const [, name] of html.matchAll(/"\/assets\/([^"]+)"/g)) expect(assets).toContain(name);
    for (const name of assets) {
      const body = await (await fetch(`${url}/assets/${name}`)).text();
      expect(body).toBe(readFileSync(join(pageFolder, 'assets', name), 'utf8'));
    }
    expect(readFileSync(join(pageFolder, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toMatch(
      /^preact \d+\.\d+\.\d+ \(MIT\)$/m,
    );
    await stop(server);
  });

  it('serve a client', async () => {
    const client = new Client({ name: 'packed', version: '1' });
    await client.connect(
      new CheckedStdioTransport({
        command: process.execPath,
        args: [mortise(), 'serve'],
        cwd: folder,
        env,
        stderr: 'ignore',
      }),
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('class_made');
    const result = await client.callTool({ name: 'class_made', arguments: { name: 'Ada' } });
    expect(result.isError).toBeUndefined();
    await client.close();
  });
});
