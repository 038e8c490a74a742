import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const [echo = '', rounds = '', tasks = ''] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);
/** Inside the package, so that the programs import it by its own name. */
const folder = mkdtempSync(join(PACKAGE, '.readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

async function expectEcho(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
  const { content } = await client.callTool({ name: 'echo', arguments: { a: 1 } });
  expect(content).toEqual([{ type: 'text', text: '{"a":1}' }]);
  await client.close();
}

describe('the echo server of the README', () => {
  const file = program('echo.mjs', echo.replace('port: 3000', 'port: 0'));

  it('has at most 15 lines', () => {
    expect(echo.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(15);
  });

  it('serves over stdio', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [file] }));
    await expectEcho(client);
  });

  it('serves over HTTP', async () => {
    const child: ChildProcess = spawn(process.execPath, [file, '--http'], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      const [url] = await once(child.stderr!, 'data');
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(String(url).trim())));
      await expectEcho(client);
    } finally {
      child.kill();
    }
  });
});

/** A program over stdio to which the test speaks as a client of 2026-07-28. */
async function withProgram(
  name: string,
  code: string,
  capabilities: object,
  // biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
  run: (request: (method: string, params: object) => Promise<any>) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [program(name, code)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let id = 0;
  try {
    await run(async (method, params) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      };
      id += 1;
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`);
      const [line] = await once(child.stdout!, 'data');
      return JSON.parse(String(line)).result;
    });
  } finally {
    child.kill();
  }
}

it('the questions of the README are asked and answered', () =>
  withProgram(
    'rounds.mjs',
    `import { createInputRounds, McpServer, serveStdio } from '@mortise/mcp';
${rounds}
serveStdio(new McpServer({ info: { name: 'ask', version: '1' }, capabilities: { tools: {} }, handlers: ask }));`,
    { elicitation: {} },
    async (request) => {
      const call = (params: object) => request('tools/call', { name: 'weather', ...params });
      const { resultType, requestState } = await call({});
      expect(resultType).toBe('input_required');
      const answer = { action: 'accept', content: { city: 'Oslo' } };
      const { content } = await call({ requestState, inputResponses: { city: answer } });
      expect(JSON.parse(content[0].text)).toEqual(answer);
    },
  ));

it('the task of the README is created, cancelled and ended', () =>
  withProgram(
    'tasks.mjs',
    `import { McpServer, serveStdio } from '@mortise/mcp';
const build = (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
${tasks.replace('afterMs: 20_000', 'afterMs: 1')}
serveStdio(new McpServer(withTasks));`,
    { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    async (request) => {
      const { taskId, ...created } = await request('tools/call', { name: 'build' });
      expect(created).toMatchObject({ resultType: 'task', statusMessage: '50 %: compiling' });
      await request('tasks/cancel', { taskId });
      const task = async () => {
        const { status, result } = await request('tasks/get', { taskId });
        return [status, result?.content[0].text];
      };
      await expect.poll(task).toEqual(['completed', 'stopped']);
    },
  ));
