import { readFileSync, statSync } from 'node:fs';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { fileOf, linesOf, SECRET, workplaceWith } from './audited-plugin.js';
import { connect, createClient, shared, startHttp } from './support/clients.js';

describe('the audit of a server', () => {
  it('has one line for every call, read, prompt and refusal, over stdio', async () => {
    const workplace = workplaceWith({});
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    await client.callTool({ name: 'echo', arguments: { text: SECRET } });
    await client.callTool({ name: 'echo', arguments: { text: SECRET } });
    await client.callTool({ name: 'echo', arguments: { text: 5 } });
    await client.callTool({ name: 'throw', arguments: { action: 'Break' } });
    await client.callTool({ name: 'ecko', arguments: {} }).catch(() => {});
    await client.readResource({ uri: 'notes://a' });
    await client.readResource({ uri: 'notes://none' }).catch(() => {});
    await client.getPrompt({ name: 'greet' });
    const lines = linesOf(workplace);
    expect(lines.map(({ event, method, plugin, target, outcome }) => [event, method, plugin, target, outcome])).toEqual(
      [
        ['call', 'tools/call', 'p', 'echo', 'ok'],
        ['call', 'tools/call', 'p', 'echo', 'ok'],
        ['call', 'tools/call', 'p', 'echo', 'INVALID_PARAMS'],
        ['call', 'tools/call', 'p', 'throw', 'TOOL_EXCEPTION'],
        ['refused', 'tools/call', undefined, 'ecko', 'UNKNOWN_TOOL'],
        ['call', 'resources/read', undefined, 'notes://a', 'ok'],
        ['call', 'resources/read', undefined, 'notes://none', expect.stringMatching(/^JSON_RPC_-/)],
        ['call', 'prompts/get', 'p', 'greet', 'ok'],
      ],
    );
    const [first, second] = lines;
    expect(first).toMatchObject({ principal: 'local', client: 'mortise-test 1', bytes: expect.any(Number) });
    expect(first!.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(first!.durationMs).toBeGreaterThan(0);
    expect(first!.arguments).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
    expect(second!.arguments).toBe(first!.arguments);
    expect(lines[3]).toMatchObject({ action: 'Break' });
    expect(new Set(lines.map(({ callId }) => callId)).size).toBe(lines.length);
    expect(readFileSync(fileOf(workplace), 'utf8')).not.toContain(SECRET);
    if (process.platform !== 'win32') expect(statSync(fileOf(workplace)).mode & 0o777).toBe(0o600);
  });
});

describe('the audit of a server over HTTP', () => {
  const opened = shared(async (finished) => {
    const workplace = workplaceWith({ Arguments: 'redacted' }, finished);
    const { url, stderr } = await startHttp(workplace, [], finished);
    const client = createClient('2025-11-25');
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    finished(() => client.close());
    return { workplace, client, stderr };
  });

  it('has the principal, the session, and arguments without their secrets with Arguments redacted', async () => {
    const { workplace, client } = opened();
    await client.callTool({ name: 'echo', arguments: { text: `use ${SECRET}`, password: 'x' } });
    expect(linesOf(workplace).at(-1)).toMatchObject({
      target: 'echo',
      principal: 'loopback',
      sessionId: expect.any(String),
      redactedArguments: { text: 'use [REDACTED]', password: '[REDACTED]' },
    });
  });

  it('gives an error, its log line and its line one id, by which all of them are found', async () => {
    const { workplace, client, stderr } = opened();
    const { content, structuredContent } = await client.callTool({ name: 'throw', arguments: {} });
    const { callId } = linesOf(workplace).at(-1) as { callId: string };
    expect(structuredContent).toMatchObject({ success: false, metadata: { callId } });
    expect((content as { text: string }[])[0]!.text).toContain(`Call: ${callId}`);
    await expect.poll(stderr).toMatch(new RegExp(`about to throw.*${callId}|${callId}.*about to throw`));
    const found = await runMortise(workplace, ['audit', '--call', callId, '--json', '--config', workplace.config]);
    expect(JSON.parse(found.stdout)).toMatchObject({ entries: 1, lines: [{ callId, outcome: 'TOOL_EXCEPTION' }] });
  });
});
