import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { PluginUnavailableError } from '../../../src/run/shared/runner-errors.js';
import { openReaper } from '../../open-reaper.js';
import { entry, runnersOf, textOf } from './mounted-runners.js';

const reaper = openReaper();
afterAll(() => reaper.close());
const createRunner = runnersOf(reaper);

/** Why the server cannot be used. */
const reasonOf = async (server: Parameters<typeof createRunner>[0]) => {
  const { runner } = createRunner(server);
  const error = await runner.open().catch((thrown: unknown) => thrown);
  return (error as InstanceType<typeof PluginUnavailableError>).problem?.message ?? String(error);
};

describe('the messages of a server', () => {
  it.each(['plain', 'bom', 'text_id', 'null_error', 'extra', 'last_line'])('are read: %s', async (way) => {
    const { call } = createRunner(entry('framing', way));
    expect(textOf(await call('hi'))).toBe('hi');
  });

  it.each([
    ['no_version', 'it has no "jsonrpc": "2.0"'],
    ['other_id', 'its id "none" belongs to no request'],
  ])('are named where they cannot be read: %s', async (way, fault) => {
    const reason = await reasonOf(entry('framing', way));
    expect(reason).toContain(`its answer to initialize cannot be read: ${fault}`);
    expect(reason).toContain(`A message was dropped because ${fault}: {`);
    expect(reason).toContain('"serverInfo"');
  });
});

it('names the URL that a server by URL redirects to, and no option that Mortise does not have', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(307, { Location: 'http://localhost:9/x' }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const reason = await reasonOf({ url: `http://127.0.0.1:${port}/mcp` });
  server.close();
  expect(reason).toContain('http://localhost:9/x');
  expect(reason).not.toContain('redirectPolicy');
});
