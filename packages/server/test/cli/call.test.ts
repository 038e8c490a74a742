import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import type { Workplace } from '../../../../test/support/workplace.js';
import { BROKEN, CARELESS, ECHO, IN_PROCESS, PAGES, SLOW } from './plugins.js';
import {
  createQuickWorkplace,
  createTrustedWorkplace,
  finish,
  type RunOptions,
  record,
  runMortise,
  runProcess,
  startMortise,
} from './run-mortise.js';

/** The calls change nothing in it. */
const workplace = shared(async (finished) =>
  createQuickWorkplace({ 'plugins/echo.mjs': ECHO, 'args.json': '{"text": "file"}' }, {}, finished),
);
const WHY_BROKEN =
  "The plugin 'broken' did not load: Syntax error: Unexpected token ','. Correct the code at this location.";

/** A folder of code that is no plugin. */
const workplaceWithIgnored = shared(async (finished) =>
  createQuickWorkplace({ 'plugins/echo.mjs': ECHO, 'plugins/foo/main.js': 'export const x = 1;' }, {}, finished),
);

/** The same with a plugin that does not load. */
const workplaceWithBroken = shared(async (finished) =>
  createQuickWorkplace({ 'plugins/echo.mjs': ECHO, 'plugins/broken.js': BROKEN }, {}, finished),
);

interface Row extends RunOptions {
  args: string[];
  code: number;
  stdout: string;
  stderr?: string;
  in?: () => Workplace;
}

const MEDIA = `
const data = 'aGVsbG8=';
const image = { type: 'image', mimeType: 'image/png', data };
export const media = {
  name: 'media', description: 'Draws', inputSchema: { type: 'object' },
  executeAsync: async () => ({ content: [
    { type: 'text', text: 'Here:' }, image, { ...image }, { type: 'audio', mimeType: 'audio/mpeg', data },
    { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: data } },
    { type: 'resource', resource: { uri: 'data://b', blob: data } },
  ] }),
};`;

const STYLES = `
import { ok } from '@mortise/plugin';
const data = { city: 'Oslo', days: [1, 2] };
export function register(api) {
  const rest = { title: 't', description: 'd', inputSchema: { type: 'object' } };
  api.defineTool({ ...rest, name: 'text_and_data', run: () => ok('Two days in Oslo', data) });
  api.defineTool({ ...rest, name: 'data', run: () => data });
  const kind = { type: 'object', properties: { kind: { const: 'circle' } } };
  api.defineTool({ ...rest, name: 'union', inputSchema: { oneOf: [kind] }, run: () => 'drawn' });
  api.registerTool({ ...rest, name: 'metadata', run: () => ({ content: 'Two days in Oslo', metadata: data }) });
}`;

describe('mortise call', () => {
  it.each<Row>([
    { args: ['echo', '--arg', 'text=5', '--arg', 'size=5'], code: 0, stdout: '{"text":"5","size":5}\n' },
    { args: ['echo', '--json', '-'], stdin: '{"text": "stdin"}', code: 0, stdout: '{"text":"stdin"}\n' },
    { args: ['echo', '--json', '@args.json'], code: 0, stdout: '{"text":"file"}\n' },
    { args: ['echo', '--arg', 'text=@-'], stdin: 'piped\n', code: 0, stdout: '{"text":"piped\\n"}\n' },
    { args: ['weather.today', '--arg', 'days=2'], code: 0, stdout: 'sunny number\n' },
    { args: ['weather_today', '--arg', 'days=2'], code: 0, stdout: 'sunny number\n' },
    { args: ['picture'], code: 0, stdout: 'Here:\n[image/png, 5 bytes]\n' },
    { args: ['failing'], code: 1, stdout: 'no such city\n' },
    {
      args: ['weather.today', '--arg', 'dyas=2'],
      code: 0,
      stdout: 'sunny undefined\n',
      stderr: "! The tool has no parameter 'dyas'. Did you mean 'days'?\n",
    },
    {
      args: ['ehco'],
      in: workplaceWithBroken,
      code: 3,
      stdout: '',
      stderr: `mortise: There is no tool 'ehco'. ${WHY_BROKEN}\n  → Did you mean echo?\n`,
    },
    {
      args: ['zzzzzz'],
      in: workplaceWithBroken,
      code: 3,
      stdout: '',
      stderr: `mortise: There is no tool 'zzzzzz'. ${WHY_BROKEN}\n  → See \`mortise list\`.\n`,
    },
    {
      args: ['foo'],
      in: workplaceWithIgnored,
      code: 3,
      stdout: '',
      stderr:
        "mortise: There is no tool 'foo': The folder 'foo' is ignored: it has no package.json, index.* or foo.dll.\n" +
        '  → Name the file that is the plugin index.js, or add a package.json. A folder whose name begins with _ is ignored without this warning.\n',
    },
    {
      args: ['echo', '--arg', 'text=@missing.txt'],
      code: 2,
      stdout: '',
      stderr:
        'mortise: missing.txt cannot be read: there is no such file.\n  → Correct the path. For a value that begins with @, write @@.\n',
    },
    {
      args: ['echo', '--json', '-', '--arg', 'text=@-'],
      stdin: '{}',
      code: 2,
      stdout: '',
      stderr: 'mortise: stdin can be read only once.\n  → Use - only once.\n',
    },
  ])('$args ends with $code', async ({ args, code, stdout, stderr = '', in: place = workplace, ...options }) => {
    const { signal, ...finished } = await runMortise(place(), ['call', ...args], options);
    expect(finished).toEqual({ code, stdout, stderr });
  });

  it('writes images, audio and blobs into the folder of --out, and overwrites nothing', async () => {
    const workplace = createQuickWorkplace({ 'plugins/media.mjs': MEDIA });
    workplace.write('made/deep/image-1.png', 'of someone');
    const { code, stdout, stderr } = await runMortise(workplace, ['call', 'media', '--out', 'made/deep']);
    const at = (name: string) => join(workplace.folder, 'made/deep', name);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `Here:
[image/png, 5 bytes, ${at('image-2.png')}]
[image/png, 5 bytes, ${at('image-3.png')}]
[audio/mpeg, 5 bytes, ${at('audio-1.mp3')}]
[application/pdf, 5 bytes, file:///a.pdf, ${at('resource-1.pdf')}]
[data, 5 bytes, data://b, ${at('resource-1.bin')}]
`,
      stderr: ['image-2.png', 'image-3.png', 'audio-1.mp3', 'resource-1.pdf', 'resource-1.bin']
        .map((name) => `Wrote ${at(name)}\n`)
        .join(''),
    });
    expect(readFileSync(at('image-1.png'), 'utf8')).toBe('of someone');
    for (const name of ['image-2.png', 'resource-1.bin']) expect(readFileSync(at(name), 'utf8')).toBe('hello');

    const structured = await runMortise(workplace, ['call', 'media', '--out', 'made', '--machine-readable']);
    expect(JSON.parse(structured.stdout)).toMatchObject({ success: true });
    expect(readdirSync(join(workplace.folder, 'made'))).toContain('image-1.png');
    const refused = await runMortise(workplace, ['call', 'media', '--out', 'appsettings.json']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('appsettings.json cannot be created') });
  });

  it('prints the data of a tool in one shape with --machine-readable, in whatever style the tool gives it', async () => {
    const workplace = createQuickWorkplace({ 'plugins/styles.mjs': STYLES });
    for (const tool of ['text_and_data', 'data', 'metadata']) {
      const { stdout } = await runMortise(workplace, ['call', tool, '--machine-readable']);
      const { success, metadata } = JSON.parse(stdout);
      expect({ tool, success, metadata }).toEqual({ tool, success: true, metadata: { city: 'Oslo', days: '[1,2]' } });
    }
  });

  it('warns of no parameter that a branch of a union has', async () => {
    const workplace = createQuickWorkplace({ 'plugins/styles.mjs': STYLES });
    const { stdout, stderr } = await runMortise(workplace, ['call', 'union', '--arg', 'kind=circle']);
    expect([stdout, stderr]).toEqual(['drawn\n', '']);
  });

  it('shows every violation of the input schema, and ends with 1', async () => {
    const { code, stdout } = await runMortise(workplace(), ['call', 'echo', '--arg', 'size=x', '--arg', 'flag=7']);
    expect(code).toBe(1);
    expect(stdout).toContain("'size' must be an integer");
    expect(stdout).toContain("'flag' must be");
  });

  it.each([
    ['process', {}],
    ['none', IN_PROCESS],
  ])('shows on stderr what plugins print, with Plugins.Isolation %s', async (_, settings) => {
    const workplace = createTrustedWorkplace({ 'plugins/echo.mjs': ECHO }, settings);
    const { code, stdout, stderr } = await runMortise(workplace, ['call', 'printing']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(stderr.trimEnd().split('\n')).toEqual(['printed by the plugin', 'and past the console']);
  });

  it.each([
    ['process', {}],
    ['none', IN_PROCESS],
  ])('shows what a plugin marked as not secret, with Plugins.Isolation %s', async (_, settings) => {
    const workplace = createTrustedWorkplace({ 'plugins/pages.mjs': PAGES }, settings);
    const { code, stdout, stderr } = await runMortise(workplace, ['call', 'pages']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"token":"page-2","password":"[REDACTED]"}\n' });
    expect(stderr).toContain('token=page-2-is-long pwd=[REDACTED]');
  });

  it('says so when a plugin crashes', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/careless.mjs': CARELESS });
    const { code, stdout } = await runMortise(workplace, ['call', 'careless']);
    expect(code).toBe(1);
    expect(stdout).toContain('Code: PLUGIN_CRASHED');
  });

  it('continues when a forgotten timer of a plugin in its own process throws, and ends although another one runs', async () => {
    const workplace = createTrustedWorkplace({ 'plugins/careless.mjs': CARELESS }, IN_PROCESS);
    const { code, stdout, stderr } = await runProcess(workplace, ['call', 'careless']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'still here\n' });
    expect(stderr).toContain('forgotten timer');
  });
});

describe('mortise call --machine-readable', () => {
  it.each([
    [['echo', '--arg', 'text=hi'], 0, { success: true, output: '{"text":"hi"}', exitCode: 0 }],
    [['printing'], 0, { success: true, output: 'done', exitCode: 0 }],
    [['failing'], 1, { success: false, errors: [{ code: 'TOOL_ERROR', message: 'no such city' }], exitCode: -1 }],
    [
      ['ehco'],
      3,
      {
        success: false,
        errors: [
          {
            code: 'INVALID_PARAMS',
            hint: 'Did you mean echo?',
            data: { additionalData: { parameter: 'tool', reason: 'not found' } },
          },
        ],
        exitCode: -1,
      },
    ],
    [
      ['echo', '--json', '['],
      2,
      { success: false, errors: [{ code: 'INVALID_PARAMS', message: '--json is not valid JSON.' }], exitCode: -1 },
    ],
    [
      ['echo', '--config', 'nowhere.json'],
      2,
      {
        success: false,
        errors: [{ code: 'INVALID_PARAMS', data: { additionalData: { parameter: 'configuration' } } }],
        exitCode: -1,
      },
    ],
  ])('%j prints one JSON document', async (args, code, expected) => {
    const finished = await runMortise(workplace(), ['call', ...args, '--machine-readable']);
    expect(finished.code).toBe(code);
    expect(finished.stdout.trimEnd()).not.toContain('\n');
    expect(JSON.parse(finished.stdout)).toMatchObject(expected);
  });
});

describe.skipIf(process.platform === 'win32')('a signal', () => {
  it('cancels the call once', async () => {
    const child = startMortise(createTrustedWorkplace({ 'plugins/slow.mjs': SLOW }), [
      'call',
      'slow',
      '--machine-readable',
    ]);
    const finished = finish(child);
    await record(child.stderr).untilOutput('running slow');
    child.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, errors: [{ code: 'OPERATION_CANCELLED' }] });
  });
});
