import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSdk, PROPERTIES } from '../packages/dotnet/test/sdk.js';
import { connect, VERSIONS } from './support/clients.js';
import { compilerServer } from './support/compiler-server.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { createWorkplace } from './support/workplace.js';

/** A version that NuGet has; the template names the one of its own day. */
const MODEL_CONTEXT_PROTOCOL = '2.0.0';
const BUILD_MS = 180_000;

const WAIT_TOOL = `using System.ComponentModel;
using ModelContextProtocol.Server;

internal class WaitTools
{
    [McpServerTool]
    [Description("Waits until it is ended.")]
    public async Task<string> Wait(CancellationToken cancellationToken)
    {
        Console.Error.WriteLine("waiting");
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return "over";
    }
}
`;

const folder = mkdtempSync(join(tmpdir(), 'mortise-mcpserver-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function dotnet(...args: string[]): void {
  const env = { ...process.env, ...PROPERTIES, ...compilerServer(), UseSharedCompilation: 'true' };
  const { status, stdout, stderr } = spawnSync('dotnet', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: BUILD_MS,
    env,
  });
  if (status !== 0) throw new Error(`dotnet ${args.join(' ')}\n${stdout}${stderr}`);
}

/** `dotnet new mcpserver`, for the framework that is installed, with one tool more. */
function makeServer(): void {
  dotnet('new', 'mcpserver', '-n', 'Peer', '-o', '.', '--no-restore');
  const project = join(folder, 'Peer.csproj');
  const xml = readFileSync(project, 'utf8')
    .replace(/.*<(?:RuntimeIdentifiers|SelfContained|PublishSelfContained|PublishSingleFile)>.*\r?\n/g, '')
    .replace(/(Include="ModelContextProtocol" Version=)"[^"]*"/, `$1"${MODEL_CONTEXT_PROTOCOL}"`);
  writeFileSync(project, xml);
  const program = join(folder, 'Program.cs');
  const tools = '.WithTools<RandomNumberTools>()';
  writeFileSync(program, readFileSync(program, 'utf8').replace(tools, `${tools}.WithTools<WaitTools>()`));
  writeFileSync(join(folder, 'Tools', 'WaitTools.cs'), WAIT_TOOL);
  dotnet('build', '-o', 'out');
}

describeWithSdk('a server made by dotnet new mcpserver', () => {
  beforeAll(makeServer, BUILD_MS);

  const mount = () =>
    createWorkplace(
      {},
      {
        Plugins: {
          MaxConcurrentCalls: 101,
          McpServers: { peer: { command: 'dotnet', args: [join(folder, 'out', 'Peer.dll')] } },
        },
      },
    );

  describe.each(VERSIONS)('and a client of %s', (version) => {
    it('offers its tools, and answers', async () => {
      const client = await connect(mount(), { transport: 'stdio', version });
      const { tools } = await client.listTools();
      const random = tools.find(({ name }) => name === 'mcp_peer_get_random_number');
      expect(random?.inputSchema.properties).toHaveProperty('min');
      const answer = await client.callTool({ name: random!.name, arguments: { min: 5, max: 6 } });
      expect(answer).toMatchObject({ content: [{ type: 'text', text: '5' }] });
    });
  });

  it.skipIf(!CAN_SEE_PROCESSES)('costs a hundred calls when it is killed, and works again', async () => {
    const workplace = mount();
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const random = () => client.callTool({ name: 'mcp_peer_get_random_number', arguments: { min: 5, max: 6 } });
    await random();
    const isChild = ({ command }: { command: string }) => command.includes('Peer.dll');
    const [child] = processesOf(workplace).filter(isChild);
    const calls = Array.from({ length: 100 }, () => client.callTool({ name: 'mcp_peer_wait', arguments: {} }));
    await random();
    process.kill(child!.pid, 'SIGKILL');
    const codes = (await Promise.all(calls)).map(
      // biome-ignore lint/suspicious/noExplicitAny: the error envelope of docs/spec/contract.md#error-response
      ({ structuredContent }: any) => structuredContent?.errors?.[0]?.code,
    );
    expect(new Set(codes)).toEqual(new Set(['PLUGIN_CRASHED']));
    expect(await random()).toMatchObject({ content: [{ text: '5' }] });
    await client.close();
    await expect.poll(() => processesOf(workplace), { timeout: 5000 }).toEqual([]);
  });
});
