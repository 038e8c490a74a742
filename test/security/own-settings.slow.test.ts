import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { connect } from '../support/clients.js';
import { buildCsharpPlugins, installCsharp } from '../support/csharp.js';
import { waitFor } from '../support/wait-for.js';
import { PLUGINS, workplaceWith } from './spying-plugins.js';

it('shares no process with others while definitions are read', async () => {
  const workplace = workplaceWith({});
  // Each writes down what others have left in its process.
  const note = (name: string) => `globalThis.seen = [...(globalThis.seen ?? []), '${name}'];
    require('node:fs').writeFileSync(require('node:path').join(process.env.HOME, 'neighbours-${name}'), String(globalThis.seen));
    module.exports.register = (api) => api.registerTool({ name: '${name}', description: 'd', inputSchema: { type: 'object' }, run: () => 1 });`;
  const names = Array.from({ length: 8 }, (_, index) => `plugin${index}`);
  for (const name of names) workplace.write(`plugins/${name}.cjs`, note(name));
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await client.listTools();
  const file = (name: string) => join(workplace.env.HOME!, `neighbours-${name}`);
  // Under load the list may come before the last plugin has loaded.
  await waitFor(() => names.every((name) => existsSync(file(name))));
  expect(names.map((name) => readFileSync(file(name), 'utf8'))).toEqual(names);
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
