import { expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { attachDebugger, freePort, STEPPED } from './support/debugger.js';
import { createWorkplace } from './support/workplace.js';

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
