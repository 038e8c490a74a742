import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noRedis, startRedis } from '../../../../test/support/redis.js';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { BROKEN, ECHO, SILENT } from './plugins.js';
import { createQuickWorkplace, createTrustedWorkplace, runMortise, withoutIsolation } from './run-mortise.js';

/** Its configuration does not count. */
const createUntrusted = (files: Record<string, string>) => withoutIsolation(createWorkplace(files));

const THROWS = "throw new Error('a neighbour ran');\n";

describe('mortise validate', () => {
  it('says that all is well', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo.mjs': ECHO });
    const { code, stdout } = await runMortise(workplace, ['validate']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `✓ Valid: ${workplace.config}, 1 plugin, 5 tools.\n` });
  });

  it('shows every problem of the settings with its place and the suggestion', async () => {
    const workplace = createQuickWorkplace();
    workplace.write('appsettings.json', '{\n  "Plugins": { "Directori": "x", "MaxMemoryMb": "much" }\n}\n');
    const { code, stdout } = await runMortise(workplace, ['validate']);
    expect(code).toBe(1);
    expect(stdout).toContain(
      `✗ Plugins.Directori is not a setting.\n    ${workplace.config}:2:16\n    → Did you mean Plugins.Directory?\n`,
    );
    expect(stdout).toContain(`    ${workplace.config}:2:49\n`);
    expect(stdout).toContain(`\n✗ 2 errors: ${workplace.config}, 0 plugins, 0 tools.\n`);
  });

  it('gives the problems of settings to machines', async () => {
    const workplace = createQuickWorkplace({}, { Tools: { NameStyle: 'nice' } });
    const { code, stdout } = await runMortise(workplace, ['validate', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      configuration: workplace.config,
      problems: [
        { severity: 'error', code: 'SETTINGS_INVALID', subject: 'Tools.NameStyle', file: workplace.config, line: 6 },
      ],
    });
  });

  it('finds in one run everything that is wrong with keys, issuers, profiles, limits, shared state, audit, metrics and plugins', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const key = (letter: string) => letter.repeat(32);
    const workplace = createQuickWorkplace(
      { 'plugins/echo.mjs': ECHO, 'plugins/broken.js': BROKEN },
      {
        Auth: {
          Keys: [
            { Name: 'short', Key: 'abc' },
            { Name: 'one', Key: key('a') },
            { Name: 'ONE', Key: key('b') },
            { Name: 'two', Key: key('a'), Profile: 'fev', Expires: '2001-01-01' },
            { Name: 'three', Key: key('c'), Scopes: ['mortise:reed'], Limits: { Sessions: 0 } },
          ],
          Issuers: [
            { Name: 'corp', Issuer: 'http://login.example', Audience: 'tools' },
            { Name: 'Corp', Issuer: 'https://login.example', Principal: 'exp', Algorithms: ['HS256'] },
          ],
        },
        Http: { PublicUrl: 'http://tools.example/mcp' },
        State: { Redis: { Urls: [] } },
        Profiles: { few: { Include: ['ecko'], Limits: { ConcurrentCalls: 0 } } },
        Limits: { Streams: 0 },
        Audit: { File: 'plugins' },
        Telemetry: { Metrics: true, MetricsPort: port },
      },
    );
    const { code, stdout } = await runMortise(workplace, ['validate', '--json']);
    expect(code).toBe(1);
    const { problems, plugins } = JSON.parse(stdout) as {
      problems: { subject?: string; code: string; hint?: string }[];
      plugins: { name: string }[];
    };
    const ofSettings = problems.filter((one) => one.code === 'SETTINGS_INVALID').map(({ subject }) => subject);
    expect(ofSettings.sort()).toEqual([
      'Audit.File',
      'Auth.Issuers[0].Issuer',
      'Auth.Issuers[1].Algorithms[0]',
      'Auth.Issuers[1].Audience',
      'Auth.Issuers[1].Name',
      'Auth.Issuers[1].Principal',
      'Auth.Keys[0].Key',
      'Auth.Keys[2].Name',
      'Auth.Keys[3].Expires',
      'Auth.Keys[3].Key',
      'Auth.Keys[3].Profile',
      'Auth.Keys[4].Limits.Sessions',
      'Auth.Keys[4].Scopes[0]',
      'Http.PublicUrl',
      'Limits.Streams',
      'Profiles.few.Limits.ConcurrentCalls',
      'State.Redis',
      'State.Redis.Urls',
      'Telemetry.MetricsPort',
    ]);
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'PROFILE_NAME_UNKNOWN', hint: "Did you mean 'echo'?" }),
    );
    expect(plugins.map(({ name }) => name)).toEqual(['broken', 'echo']);
    expect(stdout).toContain('Syntax error');
  });

  it.skipIf(noRedis)(
    'finds a store of shared state that refuses the password, as a start does, and warns of one that is away',
    async () => {
      const { port, stop } = await startRedis([], { password: 'right-password' });
      const settings = (password: string) => ({
        Http: { Port: 0, StateKeys: ['a-key-of-all-replicas'] },
        State: { Redis: { Urls: [`redis://:${password}@127.0.0.1:${port}`] } },
      });
      const right = createQuickWorkplace({ 'plugins/echo.mjs': ECHO }, settings('right-password'));
      expect((await runMortise(right, ['validate'])).stdout).toMatch(/^✓ Valid/);
      const wrong = createQuickWorkplace({ 'plugins/echo.mjs': ECHO }, settings('wrong-password'));
      const validated = await runMortise(wrong, ['validate', '--json']);
      expect(JSON.parse(validated.stdout).problems).toMatchObject([
        { subject: 'State.Redis.Urls', severity: 'error', code: 'SETTINGS_INVALID' },
      ]);
      const served = await runMortise(wrong, ['serve', '--http']);
      expect({ validated: validated.code, served: served.code }).toEqual({ validated: 1, served: 2 });
      expect(served.stderr).toContain('it refuses the user or the password');
      expect(validated.stdout + served.stderr).not.toContain('wrong-password');
      await stop();
      const away = await runMortise(right, ['validate', '--json']);
      expect({ code: away.code, problems: JSON.parse(away.stdout).problems }).toMatchObject({
        code: 0,
        problems: [{ severity: 'warning', message: expect.stringContaining('it cannot be reached (ECONNREFUSED)') }],
      });
    },
  );

  it('does not load plugins by settings that are half right', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO }, { Plugins: { Isolation: 'some' } });
    const { stdout } = await runMortise(workplace, ['validate', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ plugins: [], problems: [{ subject: 'Plugins.Isolation' }] });
  });

  it.each([
    ['an error', { 'plugins/broken.js': BROKEN }, 1, '✗ broken: Syntax error: '],
    ['a warning alone', { 'plugins/silent.cjs': SILENT }, 0, "! silent: Tool 'silent' has no description."],
  ])('loads the plugins: %s', async (_, files, expected, line) => {
    const { code, stdout } = await runMortise(createQuickWorkplace(files), ['validate']);
    expect(code).toBe(expected);
    expect(stdout).toContain(line);
  });

  it.each([
    ['a good file', 'plugins/echo.mjs', 0, '✓ Valid: no configuration file, 1 plugin, 5 tools.\n'],
    ['a bad file', 'plugins/broken.js', 1, '✗ broken: Syntax error: '],
    ['a folder that is a plugin', 'plugins/packed', 0, '✓ Valid: no configuration file, 1 plugin, 5 tools.\n'],
    ['a folder of plugins', 'plugins', 1, '[TOOL_NAME_DUPLICATE]'],
  ])('checks %s alone', async (_, path, expected, line) => {
    const workplace = createUntrusted({
      'plugins/echo.mjs': ECHO,
      'plugins/broken.js': BROKEN,
      'plugins/throws.mjs': THROWS,
      'plugins/packed/index.mjs': ECHO,
    });
    const { code, stdout } = await runMortise(workplace, ['validate', path, '--json'].slice(0, 2), {
      cwd: workplace.folder,
    });
    expect(code).toBe(expected);
    expect(stdout).toContain(line);
    if (path !== 'plugins') expect(stdout).not.toContain('a neighbour ran');
  });

  it('shows likely mistakes of authors', async () => {
    const tool = "{ name: 'greet', description: 'd', inputSchema: { type: 'object' }, timeout: 5, run: () => 'x' }";
    const workplace = createUntrusted({
      'plugins/empty.mjs': '',
      'plugins/greet.mjs': `export const register = (api) => api.registerTool(${tool});`,
      'plugins/look.mjs': 'export class Look { inputSchema = {}; async execute() {} }',
    });
    const { code, stdout } = await runMortise(workplace, ['validate', 'plugins', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).problems).toMatchObject([
      { plugin: 'empty', code: 'EXPORTS_MISSING', severity: 'error' },
      { plugin: 'greet', code: 'MEMBER_UNKNOWN', severity: 'warning' },
      { plugin: 'look', code: 'EXECUTE_MISSING', severity: 'error' },
    ]);
  });

  it('checks one plugin by its name', async () => {
    const workplace = createQuickWorkplace({ 'plugins/echo/index.mjs': ECHO, 'plugins/bad.mjs': '' });
    const { code, stdout } = await runMortise(workplace, ['validate', 'echo']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(', 1 plugin, 5 tools.') });
  });

  it.each([
    ['nowhere.js', /nowhere\.js does not exist\.\n/],
    [join('plugins', 'echo.test.mjs'), /echo\.test\.mjs is not a plugin and is ignored\.\n/],
  ])('knows no plugin %s', async (path, message) => {
    const workplace = createUntrusted({ 'plugins/echo.test.mjs': ECHO });
    const { code, stdout, stderr } = await runMortise(workplace, ['validate', path]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
