import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSIONS, type Version } from '../support/clients.js';
import { realDotnet } from '../support/dotnet-program.js';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

const LIMITS = {
  Dotnet: { Enabled: true, TimeoutMs: 90_000 },
  Concurrency: { WaitMs: 40 },
  Output: { MaxBytes: 65_536 },
  Sessions: { KeepMs: 5000, MaxLines: 50, StartWaitMs: 700 },
};

/** A client that can do all that a client can, and counts what it is asked and told. */
function ableClient() {
  const seen = { questions: 0, samples: 0, logs: [] as unknown[] };
  const prepare = (client: Client) => {
    client.setRequestHandler('elicitation/create', () => {
      seen.questions++;
      return { action: 'decline' as const };
    });
    client.setRequestHandler('sampling/createMessage', () => {
      seen.samples++;
      return { role: 'assistant' as const, content: { type: 'text' as const, text: '' }, model: 'none' };
    });
    client.setNotificationHandler('notifications/message', ({ params }) => {
      seen.logs.push(params.data);
    });
  };
  return { seen, prepare, client: { capabilities: { elicitation: { form: {} }, sampling: {} } } };
}

describeRecorded('what the server says of itself', () => {
  const project = 'app/App.csproj';
  let workplace: Workplace;
  const able: Record<string, SdkConnection & { seen: ReturnType<typeof ableClient>['seen'] }> = {};
  const plain: Record<string, SdkConnection> = {};

  beforeAll(async () => {
    const files = {
      [project]: projectXml(CONSOLE),
      'app/Program.cs': 'Thread.Sleep(-1);',
      'bad/bad.csproj': '<Project>',
    };
    workplace = makeWorkplace(files, LIMITS);
    for (const version of VERSIONS) {
      const { seen, ...options } = ableClient();
      able[version] = Object.assign(await connectSdk(workplace, { version, ...options }), { seen });
      plain[version] = await connectSdk(workplace, { version });
    }
  });
  afterAll(async () => {
    for (const item of [...Object.values(able), ...Object.values(plain)]) await item.close();
    removeWorkplace(workplace);
  });

  describe.each(VERSIONS)('to a client of %s', (version: Version) => {
    const server = () => able[version]!;
    const capabilities = async (connection: SdkConnection = server()) =>
      (await connection.call('dotnet_server_capabilities')).data as {
        serverVersion: string;
        protocolVersion: string;
        supports: Record<string, boolean>;
        sdkVersions: { installed: string[]; recommended: string; lts: string };
      };

    /** Whether the server does it, seen from the client. */
    const DOES: Record<string, () => Promise<boolean>> = {
      async structuredErrors() {
        const { data } = await server().call('dotnet_project', { action: 'Build', project: 'nope.csproj' });
        return data.errors[0].code === 'MSB1009';
      },
      async machineReadable() {
        const { text } = await server().call('dotnet_sdk', { action: 'Version', machineReadable: true });
        return JSON.parse(text).success;
      },
      // test/dotnet/cancel.slow.test.ts cancels.
      cancellation: async () => true,
      telemetry: async () => false,
      async metrics() {
        return !(await server().call('dotnet_server_metrics', { action: 'Get' })).isError;
      },
      async asyncTasks() {
        const { tasks } = server().client.getServerCapabilities() as { tasks?: object };
        return tasks !== undefined;
      },
      async prompts() {
        const { prompts } = await server().client.listPrompts();
        return prompts.some(({ name }) => name === 'new_console_app');
      },
      async elicitation() {
        const before = server().seen.questions;
        const { isError } = await server().call('dotnet_project', { action: 'Clean', project });
        return isError && server().seen.questions === before + 1;
      },
      async mcpLogging() {
        const _meta = { 'io.modelcontextprotocol/logLevel': 'debug' };
        const meta = version === '2025-11-25' ? {} : { _meta };
        await server().client.callTool({ name: 'dotnet_project', arguments: { action: 'Restore', project }, ...meta });
        await expect.poll(() => JSON.stringify(server().seen.logs)).toMatch(/restore/i);
        return true;
      },
      async completions() {
        const ref = { type: 'ref/prompt' as const, name: 'run_tests_with_coverage' };
        const { completion } = await server().client.complete({ ref, argument: { name: 'projectPath', value: 'app' } });
        return completion.values.includes(project);
      },
      async sampling() {
        await server().call('dotnet_project', { action: 'Build', project: 'bad/bad.csproj' });
        return server().seen.samples > 0;
      },
      async progressNotifications() {
        let count = 0;
        await server().client.callTool(
          { name: 'dotnet_project', arguments: { action: 'Restore', project } },
          { onprogress: () => count++ },
        );
        return count > 0;
      },
      async tokenSavings() {
        return (await server().call('dotnet_server_metrics', { action: 'Get' })).data.tokenSavingsEnabled;
      },
    };

    it('has one proof for each thing that it can support', async () => {
      expect(Object.keys((await capabilities()).supports)).toEqual(Object.keys(DOES));
    });

    it.each(Object.keys(DOES))('supports %s exactly when it does it', async (name) => {
      expect(await DOES[name]!()).toBe((await capabilities()).supports[name]);
    });

    it('asks no one who cannot be asked', async () => {
      expect((await capabilities(plain[version]!)).supports.elicitation).toBe(false);
      expect((await plain[version]!.call('dotnet_project', { action: 'Clean', project })).isError).toBe(false);
    });

    it('speaks the version of the client, and has the SDKs of this machine', async () => {
      const { serverVersion, protocolVersion, sdkVersions } = await capabilities();
      expect(protocolVersion).toBe(version);
      expect(serverVersion).toBe(server().client.getServerVersion()!.version);
      const output = execFileSync(realDotnet(workplace.env.PATH)!, ['--list-sdks'], { encoding: 'utf8' });
      expect(sdkVersions.installed).toEqual(
        output
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      );
      const { contents } = await server().client.readResource({ uri: 'dotnet://frameworks' });
      const { latestRecommended, latestLts } = JSON.parse((contents[0] as { text: string }).text);
      expect(sdkVersions).toMatchObject({ recommended: latestRecommended, lts: latestLts });
    });

    it('has the tools that it lists, and the limits of its settings', async () => {
      const { data } = await server().call('dotnet_server_info');
      const { tools } = await server().client.listTools();
      const { name, version: own } = server().client.getServerVersion()!;
      expect(data).toEqual({
        name,
        version: own,
        tools: expect.any(Array),
        timeoutMs: 90_000,
        lockWaitMs: 40,
        maxOutputBytes: 65_536,
        sessions: { keepMs: 5000, maxLines: 50, startWaitMs: 700 },
      });
      const listed = tools.map((tool) => tool.name).filter((tool) => tool.startsWith('dotnet_'));
      expect([...data.tools].sort()).toEqual(listed.sort());
    });

    it('counts what its tools answer, each call once, and no call that its schemas refuse', async () => {
      const connection = server();
      const before = new Date().toISOString();
      await connection.call('dotnet_server_metrics', { action: 'Reset' });
      const made: [string, object][] = [
        ['dotnet_sdk', { action: 'Version' }],
        ['dotnet_sdk', { action: 'ListSdks' }],
        ['dotnet_sdk', { action: 'ListTemplates' }],
        ['dotnet_project', { action: 'Build', project: 'nope.csproj' }],
        ['dotnet_project', { action: 'Clean', project }],
        ['dotnet_help', {}],
      ];
      const refused: [string, object][] = [
        ['dotnet_project', { action: 'Nope' }],
        ['dotnet_sdk', { action: 'Version', nope: true }],
        ['dotnet_help', { command: 1 }],
      ];
      const results = [];
      for (const [tool, args] of [...made, ...refused]) results.push(await connection.call(tool, { ...args }));
      const { data } = await connection.call('dotnet_server_metrics', { action: 'Get' });
      const counts = Object.entries(data.toolMetrics as Record<string, Record<string, number>>).map(
        ([tool, { invocationCount, successCount, failureCount }]) => [
          tool,
          invocationCount,
          successCount,
          failureCount,
        ],
      );
      // Reset itself is answered after it has reset.
      expect(counts).toEqual([
        ['dotnet_help', 1, 1, 0],
        ['dotnet_project', 2, 0, 2],
        ['dotnet_sdk', 3, 3, 0],
        ['dotnet_server_metrics', 1, 1, 0],
      ]);
      expect(data).toMatchObject({ totalInvocations: 7, totalSuccesses: 5, totalFailures: 2 });
      expect(results.slice(made.length).every(({ isError }) => isError)).toBe(true);
      expect(data.counted).toContain('input schema');
      expect(data.since >= before).toBe(true);
      const sizes: number[] = results
        .slice(0, made.length)
        .filter((_, index) => made[index]![0] === 'dotnet_sdk')
        .map(({ text, data: structured }) => text.length + JSON.stringify(structured).length);
      const counted = data.toolMetrics.dotnet_sdk.resultChars;
      expect(counted).toBe(sizes.reduce((sum, size) => sum + size, 0));
    });
  });

  it('is only what is offered: no prompts without an SDK, no category without its tool', async () => {
    const bare = await connectSdk(workplace, {
      settings: { Dotnet: { Tools: ['dotnet_server_capabilities', 'dotnet_sdk'] } },
      env: { PATH: workplace.folder, DOTNET_ROOT: undefined, DOTNET_HOST_PATH: undefined },
    });
    const { data } = await bare.call('dotnet_server_capabilities');
    expect(data.supports).toMatchObject({ prompts: false, completions: false, metrics: false });
    expect(data.supportedCategories).toEqual(['template', 'sdk', 'framework']);
    expect(data.sdkVersions.installed).toEqual([]);
    const { prompts } = await bare.client.listPrompts();
    expect(prompts).toEqual([]);
    await bare.close();
  });
});

describeRecorded("a call that names no project, in the roots of an older client's workspace", () => {
  const files = {
    'server/none.txt': '',
    'one/src/App.csproj': projectXml(CONSOLE),
    'one/src/Program.cs': 'Console.WriteLine("from the root");',
    'two/A/A.csproj': projectXml(),
    'two/B/B.csproj': projectXml(),
  };
  let workplace: Workplace;
  beforeAll(() => {
    workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
  });
  afterAll(() => removeWorkplace(workplace));

  async function restoreIn(roots: readonly string[], version: Version) {
    let meta = 0;
    const connection = await connectSdk(workplace, {
      version,
      client: { capabilities: { roots: {} } },
      prepare: (client) =>
        client.setRequestHandler('roots/list', () => {
          meta++;
          return { roots: roots.map((root) => ({ uri: `file://${join(workplace.folder, root)}` })) };
        }),
    });
    const result = await connection.call('dotnet_project', { action: 'Restore' });
    await connection.close();
    return { ...result, meta };
  }

  it('is about the only project there', async () => {
    const { isError, data, meta } = await restoreIn(['one'], '2025-11-25');
    expect({ isError, meta }).toEqual({ isError: false, meta: 1 });
    expect(data).toMatchObject({
      lockInfo: { lockScope: 'project', lockKey: join(workplace.folder, 'one/src/App.csproj') },
    });
  });

  it.each<[string, readonly string[], Version, number]>([
    ['are several', ['two'], '2025-11-25', 1],
    ['are several in two roots', ['one', 'two'], '2025-11-25', 1],
    ['is not a root', [], '2025-11-25', 1],
    ['are not roots any more', ['one'], '2026-07-28', 0],
  ])('is unchanged where there %s', async (_, roots, version, times) => {
    const { data, meta } = await restoreIn(roots, version);
    expect(data.errors).toMatchObject([{ code: 'MSB1003' }]);
    expect(meta).toBe(times);
  });
});
