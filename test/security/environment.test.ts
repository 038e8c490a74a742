import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS_SECTIONS, withoutSettings } from '@mortise/plugin/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import { commandEnvironment } from '../../packages/dotnet/src/process/command-environment.js';
import { SETTINGS_SCHEMA } from '../../packages/server/src/settings/settings-table.js';
import { createClient, stdioTransport } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';

const spellings = (name: string) => [name, name.toLowerCase(), name.toUpperCase()];
const RESERVED = SETTINGS_SECTIONS.flatMap((section) => [
  ...spellings(`${section}__Key`),
  `${section}__`,
  `${section}__A__B`,
  `${section}___x`,
]);
const INHERITED = [
  ...SETTINGS_SECTIONS.flatMap((section) => [section, `${section}_Key`, `MY_${section}__Key`, `${section}s2__Key`]),
  '__Auth',
  'PATH',
  'DOTNET_CLI_HOME',
  'NUGET_PACKAGES',
  'ConnectionStrings__Default',
];
const env = Object.fromEntries([...RESERVED, ...INHERITED].map((name) => [name, 'a-value']));

afterAll(() => console.log(`names in the environment: ${RESERVED.length + INHERITED.length} tried`));

describe('the settings of the server in its environment', () => {
  it('are the sections of the table of settings', () => {
    expect([...SETTINGS_SECTIONS].sort()).toEqual(Object.keys(SETTINGS_SCHEMA.properties).sort());
  });

  it.each(RESERVED)('%s goes to no process', (name) => {
    expect(withoutSettings(env)).not.toHaveProperty([name]);
    expect(commandEnvironment(env)).not.toHaveProperty([name]);
  });

  it.each(INHERITED)('%s is kept', (name) => {
    expect(withoutSettings(env)).toHaveProperty([name], 'a-value');
    expect(commandEnvironment(env)).toHaveProperty([name]);
  });

  it('reach neither a plugin nor a mounted server', async () => {
    const workplace = createWorkplace(
      {
        'plugins/p.cjs': `module.exports.register = (api) => api.registerTool({
          name: 'names', description: 'x', inputSchema: { type: 'object' }, run: () => Object.keys(process.env).join(' ') });`,
      },
      { Plugins: { Directory: 'plugins', McpServers: { m: { command: process.execPath, args: ['server.mjs'] } } } },
    );
    const server = `import { createInterface } from 'node:readline';
      const text = Object.keys(process.env).join(' ');
      const results = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } },
        'tools/list': { tools: [{ name: 'names', description: 'x', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text }] },
      };
      for await (const line of createInterface({ input: process.stdin })) {
        const { id, method } = JSON.parse(line);
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
      }`;
    writeFileSync(join(workplace.folder, 'server.mjs'), server);
    const own = {
      Auth__Keys: JSON.stringify([{ Name: 'n', Key: 'k'.repeat(40) }]),
      HTTP__STATEKEY: 'b'.repeat(40),
      plugins__config__x: 'y',
      KEPT_ONE: '1',
    };
    const client = createClient('2025-11-25');
    await client.connect(stdioTransport({ ...workplace, env: { ...workplace.env, ...own } }));
    try {
      for (const name of ['names', 'mcp_m_names']) {
        const { content } = await client.callTool({ name, arguments: {} });
        const names = (content as { text: string }[])[0]!.text.split(' ');
        expect(names).toContain('PATH');
        for (const item of ['Auth__Keys', 'HTTP__STATEKEY', 'plugins__config__x']) expect(names).not.toContain(item);
        if (name === 'names') expect(names).toContain('KEPT_ONE');
      }
    } finally {
      await client.close();
    }
  });
});
