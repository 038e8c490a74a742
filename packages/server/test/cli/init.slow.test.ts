import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../../test/support/clients.js';
import { createWorkplace } from '../../../../test/support/workplace.js';
import { ECHO } from './plugins.js';
import { runMortise } from './run-mortise.js';

describe('mortise init', () => {
  it('prints an entry that works in a client as it is', async () => {
    const workplace = createWorkplace();
    const { config } = JSON.parse((await runMortise(workplace, ['init', '--json'])).stdout);
    writeFileSync(join(config, '../plugins/echo.mjs'), ECHO);
    const { stdout, stderr } = await runMortise(workplace, ['init', '--client', 'cursor']);
    expect(stderr).toContain('~/.cursor/mcp.json');
    const { command, args } = JSON.parse(stdout).mcpServers.mortise;
    const client = createClient('2025-11-25');
    onTestFinished(() => client.close());
    // On a machine with other work the plugin may take longer than a list waits for it.
    const env = { Plugins__StartWaitMs: '60000' };
    await client.connect(new StdioClientTransport({ command, args, cwd: '/', env, stderr: 'ignore' }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
  });
});
