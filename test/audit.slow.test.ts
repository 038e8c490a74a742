import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { linesOf, workplaceWith } from './audited-plugin.js';
import { connect, createClient, startHttp } from './support/clients.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

describe('the audit of a server', () => {
  it('loses no call of a folder that vanishes, and says so', async () => {
    const workplace = workplaceWith({});
    const { url, stderr } = await startHttp(workplace);
    const client = createClient('2025-11-25');
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const folder = join(workplace.folder, 'audits');
    await client.callTool({ name: 'echo', arguments: { text: '1' } });
    renameSync(folder, `${folder}-gone`);
    const during = await client.callTool({ name: 'echo', arguments: { text: '2' } });
    expect(during.isError).toBeFalsy();
    await expect.poll(stderr).toContain('the audit cannot be written');
    expect(existsSync(folder)).toBe(false);
    renameSync(`${folder}-gone`, folder);
    await expect.poll(() => linesOf(workplace).length).toBe(3);
    expect(linesOf(workplace).map(({ event, outcome }) => [event, outcome])).toEqual([
      ['call', 'ok'],
      ['call', 'ok'],
      ['audit', 'ok'],
    ]);
    await client.close();
  });

  it('lets no call run while it cannot be written, with OnFailure refuse', async () => {
    const workplace = workplaceWith({ OnFailure: 'refuse' });
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const folder = join(workplace.folder, 'audits');
    rmSync(folder, { recursive: true });
    await client.callTool({ name: 'echo', arguments: {} });
    const refused = await client.callTool({ name: 'echo', arguments: {} });
    expect(refused.structuredContent).toMatchObject({ errors: [{ code: 'AUDIT_UNAVAILABLE', mcpErrorCode: -32603 }] });
    mkdirSync(folder);
    const retried = async () => (await client.callTool({ name: 'echo', arguments: {} })).isError ?? false;
    await expect.poll(retried).toBe(false);
    const outcomes = linesOf(workplace).map(({ outcome }) => outcome);
    expect(outcomes.slice(0, 2)).toEqual(['ok', 'AUDIT_UNAVAILABLE']);
    expect(outcomes.at(-1)).toBe('ok');
  });

  it('has a line for a reload and for a change of trust', async () => {
    const workplace = workplaceWith({});
    await runMortise(workplace, ['trust', 'p', '--config', workplace.config]);
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    await client.callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(linesOf(workplace).map(({ event, target }) => [event, target])).toEqual([
      ['trust', 'p'],
      ['reload', undefined],
      ['call', 'builtin_plugins'],
    ]);
  });
});

it('has a line for a folder that is trusted, and no longer', async () => {
  const workplace = workplaceWith({});
  await runMortise(workplace, ['trust']);
  await runMortise(workplace, ['trust', '--remove']);
  expect(linesOf(workplace)).toMatchObject([
    { event: 'trust', principal: 'local', details: { trusted: true }, outcome: 'ok' },
    { event: 'trust', principal: 'local', details: { trusted: false }, outcome: 'ok' },
  ]);
});

describe('mortise audit', () => {
  it('filters and sums up', async () => {
    const workplace = workplaceWith({});
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    for (const text of ['1', '2', '3']) await client.callTool({ name: 'echo', arguments: { text } });
    await client.callTool({ name: 'throw', arguments: {} });
    const audit = (...args: string[]) => runMortise(workplace, ['audit', ...args, '--config', workplace.config]);
    const { stdout } = await audit('--since', '1h');
    expect(stdout).toMatch(/echo +3 +0 /);
    expect(stdout).toMatch(/throw +1 +1 /);
    expect(stdout).toMatch(/local +4 +1 /);
    expect(stdout).toContain('TOOL_EXCEPTION');
    const errors = JSON.parse((await audit('--errors', '--json')).stdout);
    expect(errors).toMatchObject({ entries: 1, damaged: 0, codes: [{ code: 'TOOL_EXCEPTION', count: 1 }] });
    expect(JSON.parse((await audit('--tool', 'ec*', '--principal', 'local', '--json')).stdout).entries).toBe(3);
    expect(JSON.parse((await audit('--principal', 'other', '--json')).stdout).entries).toBe(0);
    expect((await audit('--since', 'soon')).code).toBe(2);
  });

  it('says that there is none', async () => {
    const workplace = createWorkplace();
    const { code, stderr } = await runMortise(workplace, ['audit', '--config', workplace.config]);
    expect(code).toBe(2);
    expect(stderr).toContain('Audit.File is empty');
  });
});

describe('a file that no audit can be written to', () => {
  const problemsWith = async (File: string, prepare: (workplace: Workplace) => void = () => {}) => {
    const workplace = workplaceWith({ File });
    prepare(workplace);
    const { stdout } = await runMortise(workplace, ['validate', '--json', '--config', workplace.config]);
    return JSON.parse(stdout).problems as { message: string }[];
  };

  it.each([
    ['a folder', 'audits', 'it is a folder'],
    ['in no folder', 'nowhere/audit.jsonl', 'its folder does not exist'],
  ])('is an error at start: %s', async (_, file, why) => {
    expect(await problemsWith(file)).toMatchObject([{ message: expect.stringContaining(why) }]);
  });

  it.skipIf(process.platform === 'win32')('is an error at start: a FIFO', async () => {
    const problems = await problemsWith('audits/fifo', ({ folder }) => {
      execFileSync('mkfifo', [join(folder, 'audits/fifo')]);
    });
    expect(problems).toMatchObject([{ message: expect.stringContaining('it is a FIFO') }]);
  });

  it('ends the start of a server, by the name of the setting', async () => {
    const workplace = workplaceWith({ File: 'audits' });
    const { code, stderr } = await runMortise(workplace, ['serve', '--config', workplace.config]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Audit\.File is .*which cannot be written: it is a folder/);
  });
});
