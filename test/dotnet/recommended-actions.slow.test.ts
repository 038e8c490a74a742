import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { waitFor } from '../support/wait-for.js';
import { connectSdk } from './connect-sdk.js';
import { buildTogether } from './printed-counts.js';
import { type Called, CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES = {
  'sleep/p.csproj': projectXml(CONSOLE),
  'sleep/Program.cs': 'Console.WriteLine("asleep"); Thread.Sleep(-1);',
  'web/p.csproj': projectXml('<ImplicitUsings>enable</ImplicitUsings>').replace('.Sdk"', '.Sdk.Web"'),
  'web/Program.cs': 'var app = WebApplication.CreateBuilder(args).Build(); app.Run();',
  'held/p.csproj':
    '<Project DefaultTargets="Build"><Target Name="Restore" /><Target Name="Build"><Error Code="MSB3027" Text="Could not copy &quot;a.dll&quot;. The file is locked by: &quot;$(Holder)&quot;" /></Target></Project>',
};

describeWithSdk('recommended actions for programs that run', () => {
  let server: SdkServer;
  let closed: Server;
  beforeAll(async () => {
    server = await startSdkServer(FILES);
    await buildTogether(server, ['sleep/p.csproj', 'web/p.csproj']);
    closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    await server?.close();
    closed?.close();
  });

  /** The action of the first error, which calls a tool and is in the text too. */
  function recommended({ data, text, isError }: Called, kind?: string) {
    expect(isError).toBe(true);
    const [{ rootCauseKind, recommendedAction: action }] = data.errors;
    if (kind) expect({ rootCauseKind, text }).toMatchObject({ rootCauseKind: kind });
    expect(action).toMatchObject({ actionKind: 'CallTool', toolName: 'dotnet_project' });
    expect(text).toContain(`Next: ${action.description} ${action.toolName} ${JSON.stringify(action.arguments)}`);
    return action;
  }

  it('stop the session whose program holds a file', async () => {
    const { data: session } = await server.project('Run', {
      project: 'sleep/p.csproj',
      noBuild: true,
      startMode: 'Background',
    });
    const programs = execFileSync('ps', ['-o', 'pid=', '--ppid', String(session.pid)], { encoding: 'utf8' });
    const holder = programs.trim().split('\n')[0]!.trim();
    const failed = await server.project('Build', { project: 'held/p.csproj', properties: { Holder: `p (${holder})` } });
    const { arguments: stop } = recommended(failed, 'FileLocked');
    expect(stop).toEqual({ action: 'Stop', sessionId: session.sessionId });
    expect((await server.call('dotnet_project', stop)).data).toMatchObject({
      sessionId: session.sessionId,
      status: 'stopped',
    });
  });

  it('start a program on a free port where its own is taken', async () => {
    const { port } = closed.address() as AddressInfo;
    const busy = await connectSdk(server.workplace, { env: { ASPNETCORE_HTTP_PORTS: String(port) } });
    const failed = await busy.call('dotnet_project', { action: 'Run', project: 'web/p.csproj', noBuild: true });
    const { arguments: start } = recommended(failed, 'PortInUse');
    expect(start).toMatchObject({ action: 'Run', noBuild: true, startMode: 'Background' });
    const { data } = await busy.call('dotnet_project', start);
    expect(data).toMatchObject({ success: true, status: 'running' });
    const url = await waitFor(async () => {
      const { sessions } = (await busy.call('dotnet_project', { action: 'ListSessions' })).data;
      const session = sessions.find(({ sessionId }: { sessionId: string }) => sessionId === data.sessionId);
      return session.urls?.[0] as string | undefined;
    });
    await new Promise<void>((connected) => {
      const socket = connectSocket(Number(new URL(url).port), '127.0.0.1', () => socket.end(connected));
    });

    const twice = { action: 'Run', project: 'web/p.csproj', noBuild: true, appArgs: ['--urls', url] };
    const { arguments: stop } = recommended(await busy.call('dotnet_project', twice), 'PortInUse');
    expect(stop).toEqual({ action: 'Stop', sessionId: data.sessionId });
    expect((await busy.call('dotnet_project', stop)).data).toMatchObject({ status: 'stopped' });
    await busy.close();
  });

  it('run a program that serves in the background', async () => {
    const run = { project: 'web/p.csproj', noBuild: true, appArgs: ['--urls', 'http://127.0.0.1:0'] };
    const failed = await server.project('Run', { ...run, timeoutSeconds: 8 });
    expect(failed.data.errors[0]).toMatchObject({ code: 'OPERATION_TIMEOUT' });
    const { arguments: start } = recommended(failed);
    expect(start).toEqual({ action: 'Run', ...run, startMode: 'Background' });
    const { data } = await server.call('dotnet_project', start);
    expect(data).toMatchObject({ success: true, status: 'running' });
    await server.project('Stop', { sessionId: data.sessionId });
  });
});
