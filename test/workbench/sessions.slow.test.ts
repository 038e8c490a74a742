import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage } from './page.js';

/** Has the tool of background sessions without a .NET SDK. Its session can be stopped at the second attempt. */
const SESSIONS = `
let attempts = 0;
export function register(api) {
  api.registerTool({
    name: 'dotnet.project',
    title: 'Sessions',
    description: 'Has one background session.',
    inputSchema: { type: 'object', properties: { action: { type: 'string' }, sessionId: { type: 'string' } } },
    run({ action }) {
      if (action === 'Stop') {
        attempts += 1;
        if (attempts === 1) throw new Error('The process does not end.');
      }
      const status = attempts > 1 ? 'stopped' : 'running';
      return { content: [], structuredContent: { sessions: [{ sessionId: 's1', status, target: '/src/Shop' }] } };
    },
  });
}`;

describe.skipIf(noBrowser)('background sessions on the page', () => {
  const open = shared((finished) => openPage(finished, {}, ({ write }) => write('plugins/sessions.mjs', SESSIONS)));

  test('show why Stop failed, until it succeeds', async () => {
    const { page } = open();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Sessions' }).click();
    const session = page.getByRole('article', { name: 'Session s1' });
    await session.getByRole('button', { name: 'Stop' }).click();
    const failure = session.getByRole('alert');
    await failure.getByText('The program was not stopped.').waitFor();
    expect(await failure.textContent()).toContain('The process does not end.');
    await session.getByText('running', { exact: true }).waitFor();
    await session.getByRole('button', { name: 'Stop' }).click();
    await session.getByText('stopped', { exact: true }).waitFor();
    expect(await failure.count()).toBe(0);
  });

  test('report no error', () => expect(open().complaints).toEqual([]));
});
