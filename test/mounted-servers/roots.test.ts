import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { shared } from '../support/clients.js';
import { codeOf, textOf } from '../support/observe.js';
import { waitFor } from '../support/wait-for.js';
import { call, entry, mount, open } from './mounted.js';

const known = async (client: Client) => textOf(await call(client, 'known'));

describe('a mounted server that asks for roots outside of calls', () => {
  it('gets those of the client over stdio, and hears of their changes', async () => {
    let roots = [{ uri: 'file:///work' }];
    const client = await open(
      mount({ m: entry('roots') }),
      '2025-11-25',
      { capabilities: { roots: { listChanged: true } } },
      (item) => item.setRequestHandler('roots/list', () => ({ roots })),
    );
    await client.listTools();
    await waitFor(async () => (await known(client)) === 'file:///work');
    roots = [{ uri: 'file:///other' }];
    await client.sendRootsListChanged();
    await waitFor(async () => (await known(client)) === 'file:///other');
  });
});

describe('a mounted server whose client has no roots', () => {
  const opened = shared((finished) =>
    open(mount({ m: entry('roots') }, {}, finished), '2025-11-25', {}, undefined, finished),
  );

  it('is told that no client can be asked', async () => {
    await waitFor(async () => (await known(opened())) !== 'not asked');
    expect(await known(opened())).toMatch(/^refused: No call is running, so there is no client to ask/);
  });

  it('keeps its own error where it fails for another reason', async () => {
    const failed = await call(opened(), 'fails_for_another_reason');
    expect([codeOf(failed), textOf(failed)]).toEqual(['TOOL_ERROR', expect.stringContaining('Disk full')]);
    expect(codeOf(await call(opened(), 'repeats_the_reason'))).toBe('CAPABILITY_NOT_AVAILABLE');
  });

  it('is asked to watch what a client subscribes to, and nothing else', async () => {
    const client = opened();
    const subscribed = async () => textOf(await call(client, 'subscribed'));
    await client.readResource({ uri: 'root://a' });
    expect(await subscribed()).toBe('');
    await client.subscribeResource({ uri: 'root://b' });
    await waitFor(async () => (await subscribed()) === 'root://b');
    await expect(client.subscribeResource({ uri: 'root://none' })).rejects.toThrow('Resource not found: root://none');
    await client.subscribeResource({ uri: 'mortise://plugins' });
  });
});
