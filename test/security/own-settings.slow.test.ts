import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { connect } from '../support/clients.js';
import { buildCsharpPlugins, installCsharp } from '../support/csharp.js';
import { waitFor } from '../support/wait-for.js';
import { PLUGINS, workplaceWith } from './spying-plugins.js';

it('shares no process with others while definitions are learnt', async () => {
  const workplace = workplaceWith({});
  // Of so many plugins the first ones share a few processes; each writes down what others have left there.
  const note = (name: string) => `globalThis.seen = [...(globalThis.seen ?? []), '${name}'];
    require('node:fs').writeFileSync(require('node:path').join(process.env.HOME, 'neighbours-${name}'), String(globalThis.seen));
    module.exports.register = (api) => api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: () => 1 });`;
  const names = Array.from({ length: 24 }, (_, index) => `plugin${index}`);
  for (const name of names) workplace.write(`plugins/${name}.cjs`, note(name));
  const settings = JSON.parse(readFileSync(workplace.config, 'utf8'));
  settings.Plugins.Settings.plugin0 = { key: 'of plugin0' };
  workplace.write('appsettings.json', JSON.stringify(settings));
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await client.listTools();
  const file = (name: string) => join(workplace.env.HOME!, `neighbours-${name}`);
  const seenBefore = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').split(',') : []);
  // Under load the list may come before the last plugin has loaded.
  await waitFor(() => names.every((name) => seenBefore(name).at(-1) === name));
  const neighbours = names.map(seenBefore);
  expect(neighbours.some((found) => found.length > 1)).toBe(true);
  expect(neighbours.filter((found) => found.includes('plugin0'))).toEqual([['plugin0']]);
});

describe.skipIf(!hasSdk)('a C# plugin', { timeout: 300_000 }, () => {
  beforeAll(buildCsharpPlugins, 600_000);

  it('sees its own section first, and no section of another plugin', async () => {
    const workplace = workplaceWith({ Settings: { ...PLUGINS.Settings, kit: { key: 'of kit' } } });
    installCsharp(workplace, 'Kit', 'kit');
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => /config/i.test(name))!.name;
    const read = async (key: string) => {
      const { content } = await client.callTool({ name: tool, arguments: { key } });
      return (content as { text: string }[])[0]!.text;
    };
    expect(await read('key')).toBe('of kit');
    expect(await read('shared')).toBe('for all');
    expect(await read('region')).toBe('null');
  });
});
