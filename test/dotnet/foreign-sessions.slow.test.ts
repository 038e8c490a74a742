import { expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { ask } from '../access/three-keys.js';
import { shared, startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { CONSOLE, projectXml, sdkEnvironment } from './sdk-server.js';

/** Background sessions belong to the principal that started them (docs/spec/access.md#ownership). */

const KEYS = { a: 'a'.repeat(32), b: 'b'.repeat(32) };
const FILES = {
  'App/App.csproj': projectXml(CONSOLE),
  'App/Program.cs': 'Console.WriteLine("secret line"); Thread.Sleep(-1);',
};
const SETTINGS = {
  Plugins: { Directory: 'plugins' },
  Dotnet: { Enabled: true },
  Profiles: { logs: { Actions: { dotnet_project: ['Logs', 'ListSessions'] } } },
  Auth: { Keys: Object.entries(KEYS).map(([Name, Key]) => ({ Name, Key })) },
};

describeWithSdk('a background session of another key', () => {
  const url = shared(async (finished) => {
    const workplace = createWorkplace(FILES, SETTINGS, finished);
    return (await startHttp({ ...workplace, env: sdkEnvironment(workplace) }, [], finished)).url;
  });
  const project = (key: string, args: object, path = '') =>
    ask(url() + path, key, 'tools/call', { name: 'dotnet_project', arguments: args });

  it('is not listed, read or stopped; its own key has it at every URL that shows the action', async () => {
    const started = await project(KEYS.a, { action: 'Run', project: 'App', startMode: 'Background' });
    const { sessionId } = started.body.result.structuredContent;
    const logs = async () => (await project(KEYS.a, { action: 'Logs', sessionId }, '/p/logs')).text;
    await expect.poll(logs, { timeout: 100_000 }).toContain('secret line');
    for (const spelled of [sessionId, ` ${sessionId}`, sessionId.toUpperCase(), `a/${sessionId}`, '*', '']) {
      for (const action of ['Logs', 'Stop']) {
        const reply = await project(KEYS.b, { action, sessionId: spelled });
        const unknown = await project(KEYS.b, { action, sessionId: 'unknown' });
        const errors = [reply, unknown].map(({ body }) => body.result.structuredContent.errors[0]);
        expect(errors[0].code).toBe(spelled === '' ? 'INVALID_PARAMS' : errors[1].code);
        expect(reply.text).not.toContain('secret');
        if (spelled !== '')
          expect(errors[0].message.replace(spelled, '')).toBe(errors[1].message.replace('unknown', ''));
      }
    }
    const listed = await project(KEYS.b, { action: 'ListSessions' });
    expect(listed.text).not.toContain(sessionId);
    expect(listed.text).not.toContain('App.csproj');
    expect((await project(KEYS.a, { action: 'ListSessions' }, '/p/logs')).text).toContain(sessionId);
    // Where the action is hidden, it is an unknown one for its own key too.
    const hidden = await project(KEYS.a, { action: 'Stop', sessionId }, '/p/logs');
    expect(hidden.text).not.toContain('secret');
    expect(hidden.body.result.structuredContent.errors[0].code).toBe('INVALID_PARAMS');
    expect((await project(KEYS.a, { action: 'Stop', sessionId })).body.result.isError).toBeUndefined();
  });
});
