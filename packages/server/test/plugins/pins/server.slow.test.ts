import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PIN_FILE, readPinFile } from '../../../src/plugins/pins/pin-file.js';
import { loadSettings } from '../../../src/settings/load.js';
import { built } from '../../built.js';
import { temporaryFolder } from './tools.js';

const { createServer } = built<typeof import('../../../src/server.js')>('server');

const plugin = (description: string) => `
exports.register = (api) => {
  api.registerPrompt({ name: 'ask', description: '${description}', get: () => 'Ask' });
  api.registerResource({ uri: 'sky://today', name: 'sky', read: () => 'blue' });
  api.registerTool({ name: 'today', description: '${description}', inputSchema: { type: 'object' }, run: () => 'sunny' });
};`;

function setUp() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'plugins'));
  const configPath = join(folder, 'appsettings.json');
  writeFileSync(
    configPath,
    JSON.stringify({ Plugins: { OnChange: 'refuse' }, Dotnet: { Enabled: false }, Log: { Level: 'silent' } }),
  );
  const write = (description: string) => writeFileSync(join(folder, 'plugins', 'weather.cjs'), plugin(description));
  const start = async () => {
    const loaded = await loadSettings({ configPath, cwd: folder, env: {}, userConfigDir: join(folder, 'home') });
    const server = createServer({ loaded });
    onTestFinished(() => server.close());
    await server.ready();
    const isListed = () => server.mcpLists().tools.some(({ name }) => name === 'today');
    const others = () => [...server.mcpLists().prompts, ...server.mcpLists().resources].length;
    return { server, isListed, others };
  };
  return { folder, write, start };
}

it('a running server offers refused tools again, and says so, as soon as someone trusts them', async () => {
  const { folder, write, start } = setUp();
  write('Tells the weather');
  const { server, isListed, others } = await start();
  expect(isListed()).toBe(true);
  await server.close();
  expect(readPinFile(join(folder, PIN_FILE))).toMatchObject({
    pins: new Map([['./plugins/weather.cjs', expect.any(Map)]]),
  });

  write('Tells more');
  const running = await start();
  expect(running.isListed()).toBe(false);
  // The list of plugins is the server's own.
  expect(running.others()).toBe(others() - 2);
  expect(running.server.plugins()).toMatchObject([{ name: 'weather', tools: [], problems: [{ severity: 'error' }] }]);
  const changed = new Promise((resolve) => running.server.on('listChanged', resolve));

  const command = await start();
  expect(await command.server.trustPlugin('weather')).toMatchObject({ plugins: [{ name: 'weather', tools: 1 }] });
  expect(await changed).toBe('tools');
  expect(running.isListed()).toBe(true);
  expect(running.others()).toBe(others());
  expect(running.server.plugins()).toMatchObject([{ tools: ['today'], problems: [] }]);
});

it('a running server takes what was trusted before it heard of the change', async () => {
  const { folder, write, start } = setUp();
  write('Tells the weather');
  const { server, isListed } = await start();
  const pinned = { pins: new Map([['./plugins/weather.cjs', expect.any(Map)]]) };
  await expect.poll(() => readPinFile(join(folder, PIN_FILE))).toMatchObject(pinned);
  write('Tells something else altogether');
  const command = await start();
  expect(await command.server.trustPlugin('weather')).toMatchObject({
    plugins: [{ changes: [{ label: 'prompt ask' }, { label: 'today' }] }],
  });
  await server.reload();
  expect(isListed()).toBe(true);
});

it('a running server does not run what has changed since it was listed', async () => {
  const { write, start } = setUp();
  write('Tells the weather');
  const { server } = await start();
  write('Tells something else altogether');
  const caller = { signal: new AbortController().signal, clientCapabilities: {}, inputMode: 'ask' as const };
  const answer = await server.callTool('today', {}, caller as never);
  expect(answer).toMatchObject({
    result: { isError: true, structuredContent: { errors: [{ code: 'PLUGIN_UNAVAILABLE' }] } },
  });
  expect(JSON.stringify(answer)).toContain('mortise trust weather');
});

it('a running server refuses what a reload changes', async () => {
  const { write, start } = setUp();
  write('Tells the weather');
  const { server, isListed } = await start();
  write('Tells something else altogether');
  await server.reload();
  expect(isListed()).toBe(false);
  write('Tells the weather');
  await server.reload();
  expect(isListed()).toBe(true);
});
