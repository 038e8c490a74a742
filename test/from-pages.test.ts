import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BIN, createWorkplace, linkContract, ROOT } from './support/workplace.js';

/** The code of a page by the file that its first line names. */
function codeOf(page: string): Map<string, string> {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const blocks = text.matchAll(/```js\n\/\/ (?:before: )?(\S+)\n([\s\S]*?)```/g);
  return new Map([...blocks].map(([, file = '', code = '']) => [file, code]));
}

async function connect(args: string[], options: { cwd: string; env?: Record<string, string> }): Promise<Client> {
  const client = new Client({ name: 'pages', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore', ...options }));
  return client;
}

describe('docs/from-the-sdk.md', () => {
  const code = codeOf('from-the-sdk.md');
  const roll = async (client: Client) => {
    const { content, structuredContent } = await client.callTool({ name: 'roll', arguments: { sides: 2 } });
    const { rolled } = structuredContent as { rolled: number };
    expect([1, 2]).toContain(rolled);
    expect(content).toEqual([{ type: 'text', text: `Rolled ${rolled}` }]);
    const [tool] = (await client.listTools()).tools.filter(({ name }) => name === 'roll');
    expect(tool).toMatchObject({ description: 'Rolls a die.', inputSchema: { required: ['sides'] } });
  };

  it('has a server of the SDK', async () => {
    // Where the packages of the SDK are found.
    const file = join(ROOT, 'test', `dice-server.${process.pid}.tmp.mjs`);
    writeFileSync(file, code.get('dice-server.mjs')!);
    onTestFinished(() => rmSync(file));
    await roll(await connect([file], { cwd: ROOT }));
  });

  it('has a plugin that does the same', async () => {
    const workplace = createWorkplace({ 'plugins/dice.mjs': code.get('plugins/dice.mjs')! });
    linkContract(workplace);
    symlinkSync(join(ROOT, 'node_modules/zod'), join(workplace.folder, 'node_modules/zod'), 'junction');
    const { config, env, folder: cwd } = workplace;
    await roll(await connect([BIN, 'serve', '--config', config], { cwd, env }));
  });
});

describe('docs/from-fastmcp.md', () => {
  it('shows the files that test/authors.test.ts runs', () => {
    const text = readFileSync(join(ROOT, 'docs/from-fastmcp.md'), 'utf8');
    const blocks = [...text.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)];
    expect(blocks).toHaveLength(2);
    for (const [, file = '', code] of blocks) expect(code).toBe(readFileSync(join(ROOT, file), 'utf8'));
  });
});
