import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { hasSdk } from '../packages/dotnet/test/sdk.js';
import { createClient } from './support/clients.js';
import { noNginx, noRedis } from './support/redis.js';
import { request, startNginx, startReplicas } from './support/replicas.js';
import { PLUGIN, WITH_TASKS } from './task-server.js';

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework><UseSharedCompilation>false</UseSharedCompilation></PropertyGroup>
  <Target Name="Wait" BeforeTargets="CoreCompile"><Exec Command="while [ ! -e go ]; do sleep 0.1; done" /></Target>
</Project>`;

/** docs/spec/shared.md#lost */
it.skipIf(!hasSdk || noRedis || noNginx)(
  'a build that runs as a task is polled through the other replicas, and is lost when its own is killed',
  async () => {
    const set = await startReplicas({
      plugin: PLUGIN,
      settings: { Dotnet: { Enabled: true }, Tasks: { AfterMs: 500 } },
    });
    const { workplace, replicas, kill } = set;
    const url = await startNginx(replicas, workplace);
    const project = workplace.write('app/app.csproj', PROJECT);
    workplace.write('app/code.cs', 'class Code { }');
    const connect = async () => {
      const client = createClient('2025-11-25');
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      return client;
    };
    const [one, two, three] = replicas.map((replica) => replica.url) as [string, string, string];
    const build = async (at: string) => {
      const args = { action: 'Build', project };
      const { result } = await request(
        at,
        'tools/call',
        { name: 'dotnet_project', arguments: args },
        { capabilities: WITH_TASKS },
      );
      return String(result.taskId);
    };
    const get = async (at: string, taskId: string) =>
      (await request(at, 'tasks/get', { taskId }, { capabilities: WITH_TASKS })).result;

    const lost = await build(one);
    for (const at of [two, three, url]) expect(await get(at, lost)).toMatchObject({ status: 'working' });
    await kill(0);
    await expect.poll(() => get(two, lost)).toMatchObject({ status: 'failed', error: { data: { code: 'TASK_LOST' } } });
    expect(await get(three, lost)).toEqual(await get(two, lost));

    workplace.write('app/go', '');
    const built = await build(two);
    await expect.poll(() => get(three, built)).toMatchObject({ status: 'completed' });
    const { result } = await get(three, built);
    expect(result.isError, JSON.stringify(result)).toBeUndefined();

    // A client of each version goes on.
    expect((await request(url, 'tools/call', { name: 'quick', arguments: {} })).result.content[0].text).toBe('quick');
    const session = await connect();
    expect(await session.callTool({ name: 'quick', arguments: {} })).toMatchObject({ content: [{ text: 'quick' }] });
    await session.close();
  },
);
