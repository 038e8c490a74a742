import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { attachDebugger } from './support/debugger.js';
import { createWorkplace } from './support/workplace.js';

const TIMEOUT_MS = 500;

const STEPPED = `export function register(api) {
  api.registerTool({
    name: 'stepped',
    description: 'Stops for a debugger.',
    run: ({ text }) => {
      debugger;
      return text + ' continued';
    },
  });
}`;

it('a plugin under the inspector can be held for longer than any deadline, and its call is answered', async () => {
  const port = await freePort();
  const workplace = createWorkplace({ 'plugins/stepped.mjs': STEPPED }, { Tools: { TimeoutMs: TIMEOUT_MS } });
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, undefined, undefined, [
    `--inspect-plugin=stepped=${port}`,
  ]);
  const answer = client.callTool({ name: 'stepped', arguments: { text: 'it' } });
  const author = await attachDebugger(port);
  const atStart = author.next('Debugger.paused');
  await author.call('Debugger.enable');
  await author.call('Runtime.runIfWaitingForDebugger');
  await atStart;
  const atStatement = author.next('Debugger.paused');
  await author.call('Debugger.resume');

  expect(await atStatement).toHaveProperty('callFrames.0.functionName', 'run');
  // No deadline, nor the grace after it, ends it.
  await delay(TIMEOUT_MS + 3000);
  await author.call('Debugger.resume');

  expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'it continued' }] });
  author.close();
});

it('a TypeScript plugin is debugged in its own file, line by line', async () => {
  const port = await freePort();
  const typed = STEPPED.replace('({ text })', '({ text }: { text: string })').replace('(api)', '(api: any)');
  const workplace = createWorkplace({ 'plugins/typed.ts': typed });
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' }, undefined, undefined, [
    `--inspect-plugin=typed=${port}`,
  ]);
  const answer = client.callTool({ name: 'stepped', arguments: { text: 'it' } });
  const author = await attachDebugger(port);
  const urls = new Map<unknown, unknown>();
  author.on('Debugger.scriptParsed', ({ scriptId, url }) => urls.set(scriptId, url));
  const atStart = author.next('Debugger.paused');
  await author.call('Debugger.enable');
  await author.call('Runtime.runIfWaitingForDebugger');
  await atStart;
  const atStatement = author.next('Debugger.paused');
  await author.call('Debugger.resume');
  const { callFrames } = (await atStatement) as {
    callFrames: { location: { scriptId: string; lineNumber: number } }[];
  };
  const { scriptId, lineNumber } = callFrames[0]!.location;
  expect(urls.get(scriptId)).toMatch(/\/plugins\/typed\.ts$/);
  expect(typed.split('\n')[lineNumber]).toContain('debugger;');
  await author.call('Debugger.resume');
  expect(await answer).toMatchObject({ content: [{ type: 'text', text: 'it continued' }] });
  author.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
