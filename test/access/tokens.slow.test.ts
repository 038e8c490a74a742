import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hasSdk } from '../../packages/dotnet/test/sdk.js';
import { nowSeconds } from '../../packages/server/test/access/tokens/test-issuer.js';
import { WITH_TASKS } from '../task-server.js';
import { ask, KEYS, post, session } from './three-keys.js';
import { startTokenServer } from './token-server.js';

/** Seconds that a token stays valid: long enough for a busy machine to begin a call. */
const LIFE_SECONDS = 15;
const CLOCK_SKEW_SECONDS = 60;

it('a session and its stream end with the token; a call that was accepted runs on', async () => {
  const { url, corp, workplace } = await startTokenServer(onTestFinished);
  const exp = nowSeconds() - CLOCK_SKEW_SECONDS + LIFE_SECONDS;
  const token = await corp.sign({ exp, scope: 'mortise:write' });
  const headers = await session(url, token);
  const idle = await session(url, token);
  const authorization = `Bearer ${token}`;
  const stream = await fetch(url, { headers: { ...headers, authorization, accept: 'text/event-stream' } });
  const file = join(workplace.folder, 'go-on');
  const params = { name: 'hold', arguments: { file } };
  const inSession = post(url, token, { id: 2, method: 'tools/call', params }, headers);
  const alone = ask(url, token, 'tools/call', params);
  await stream.text();
  expect((await ask(url, token, 'tools/list')).status).toBe(401);
  const next = await corp.sign({ scope: 'mortise:write' });
  expect((await post(url, next, { id: 3, method: 'tools/list' }, idle)).status).toBe(404);
  workplace.write('go-on', '');
  expect((await inSession).text).toContain('held');
  expect((await alone).text).toContain('held');
});

it('a newer token of the same user keeps the session', async () => {
  const { url, corp } = await startTokenServer(onTestFinished);
  const exp = nowSeconds() - CLOCK_SKEW_SECONDS + LIFE_SECONDS;
  const token = await corp.sign({ exp });
  const headers = await session(url, token);
  const next = await corp.sign();
  await ask(url, next, 'tools/list');
  await expect.poll(async () => (await ask(url, token, 'tools/list')).status).toBe(401);
  expect((await post(url, next, { id: 3, method: 'tools/list' }, headers)).status).toBe(200);
});

it('a task outlives the token that began it, and a newer token of the same user fetches its result', async () => {
  const { url, corp, guests, workplace } = await startTokenServer(onTestFinished, { Tasks: { AfterMs: 1 } });
  const exp = nowSeconds() - CLOCK_SKEW_SECONDS + LIFE_SECONDS;
  const token = await corp.sign({ exp, scope: 'mortise:write' });
  const call = { name: 'hold', arguments: { file: join(workplace.folder, 'go-on') } };
  const { taskId } = (await ask(url, token, 'tools/call', call, WITH_TASKS)).body.result;
  await expect.poll(async () => (await ask(url, token, 'tools/list')).status).toBe(401);
  const statusFor = async (issuer: typeof corp) => {
    const newer = await issuer.sign({ scope: 'mortise:write' });
    return (await ask(url, newer, 'tasks/get', { taskId }, WITH_TASKS)).body;
  };
  expect(await statusFor(corp)).toMatchObject({ result: { status: 'working' } });
  expect((await statusFor(guests)).error.code).toBe(-32602);
  workplace.write('go-on', '');
  const held = { status: 'completed', result: { content: [{ text: 'held' }] } };
  await expect.poll(() => statusFor(corp)).toMatchObject({ result: held });
});

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><UseSharedCompilation>false</UseSharedCompilation></PropertyGroup>
  <Target Name="Wait" BeforeTargets="CoreCompile"><Exec Command="while [ ! -e go ]; do sleep 0.1; done" /></Target>
</Project>`;

it.skipIf(!hasSdk)('a build runs longer than its token lives', async () => {
  const { url, corp, workplace } = await startTokenServer(onTestFinished, {
    Dotnet: { Enabled: true },
    Tasks: { AfterMs: 500 },
  });
  const project = workplace.write('app/app.csproj', PROJECT);
  workplace.write('app/code.cs', 'class Code { }');
  const token = await corp.sign({ exp: nowSeconds() - CLOCK_SKEW_SECONDS + LIFE_SECONDS, scope: 'mortise:write' });
  const build = { name: 'dotnet_project', arguments: { action: 'Build', project } };
  const { taskId } = (await ask(url, token, 'tools/call', build, WITH_TASKS)).body.result;
  await expect.poll(async () => (await ask(url, token, 'tools/list')).status).toBe(401);
  const next = await corp.sign({ scope: 'mortise:read' });
  const get = async () => (await ask(url, next, 'tasks/get', { taskId }, WITH_TASKS)).body.result;
  expect(await get()).toMatchObject({ status: 'working' });
  workplace.write('app/go', '');
  await expect.poll(get).toMatchObject({ status: 'completed' });
  const { result } = await get();
  expect(result.isError, JSON.stringify(result)).toBeUndefined();
});

it('a reload that removes an issuer ends its sessions and calls, and no others', async () => {
  const { url, corp, guests, workplace, reload, Issuers } = await startTokenServer(onTestFinished);
  const file = join(workplace.folder, 'go-on');
  const hold = async (token: string) => {
    const headers = await session(url, token);
    const params = { name: 'hold', arguments: { file } };
    return post(url, token, { id: 2, method: 'tools/call', params }, headers);
  };
  const corpToken = await corp.sign({ scope: 'mortise:write' });
  const guestToken = await guests.sign({ scope: 'mortise:write' });
  const stream = await fetch(url, {
    headers: { ...(await session(url, corpToken)), authorization: `Bearer ${corpToken}`, accept: 'text/event-stream' },
  });
  const ended = hold(corpToken);
  const kept = hold(guestToken);
  await session(url, guestToken);
  reload({ Issuers: Issuers.slice(1) });
  await stream.text();
  expect((await ask(url, corpToken, 'tools/list')).status).toBe(401);
  expect((await ask(url, KEYS.open, 'tools/list')).status).toBe(200);
  expect((await ended).text).not.toContain('held');
  workplace.write('go-on', '');
  expect((await kept).text).toContain('held');
});

it('a reload adds the first issuer, and never opens the server when it removes the last', async () => {
  const { url, corp, reload, Issuers } = await startTokenServer(onTestFinished, { Auth: { Keys: [], Issuers: [] } });
  const token = await corp.sign();
  expect((await fetch(url, { method: 'POST' })).status).toBe(415);
  reload({ Issuers });
  await expect.poll(async () => (await fetch(url, { method: 'POST' })).status).toBe(401);
  await expect.poll(async () => (await ask(url, token, 'tools/list')).status).toBe(200);
  reload({ Issuers: [] });
  await expect.poll(async () => (await ask(url, token, 'tools/list')).status).toBe(401);
});
