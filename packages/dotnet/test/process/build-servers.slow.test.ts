import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../sdk.js';
import { openProcesses, realDotnet } from './support.js';

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <Target Name="Wait" AfterTargets="Build"><Exec Command="sh ../wait.sh" Condition="Exists('../wait.sh')" /></Target>
</Project>`;

const LONG = { timeout: 180_000 };

describeWithSdk('build servers', () => {
  let temp: string;
  let server: ReturnType<typeof openProcesses>;

  /** Several projects: one alone is built without a node. */
  function makeSolution(name: string): string {
    const folder = join(temp, name);
    const projects = ['A', 'B', 'C'];
    for (const project of projects) {
      mkdirSync(join(folder, project), { recursive: true });
      writeFileSync(join(folder, project, `${project}.csproj`), PROJECT);
      writeFileSync(join(folder, project, 'Class.cs'), `public class ${project} { }`);
    }
    const listed = projects.map((project) => `<Project Path="${project}/${project}.csproj" />`);
    writeFileSync(join(folder, 'All.slnx'), `<Solution>${listed.join('')}</Solution>`);
    return folder;
  }

  beforeAll(() => {
    temp = mkdtempSync(join(tmpdir(), 'build-servers-'));
  });
  afterAll(() => rmSync(temp, { recursive: true, force: true }));
  beforeEach(() => {
    server = openProcesses(realDotnet);
  });
  afterEach(() => server.close());

  const servers = () => server.running().filter((command) => /nodemode|VBCSCompiler/.test(command));
  /** Starts a build that waits for a file `go`; resolves when it does. */
  async function buildThatWaits(name: string, signal?: AbortSignal) {
    const cwd = makeSolution(name);
    writeFileSync(join(cwd, 'wait.sh'), 'touch ../waiting\nwhile [ ! -e ../go ]; do sleep 0.1; done\n');
    const build = server.run(['build'], { cwd, ...(signal && { signal }) });
    await expect.poll(() => existsSync(join(cwd, 'waiting')), { timeout: 120_000 }).toBe(true);
    return { build, go: () => writeFileSync(join(cwd, 'go'), '') };
  }

  it('outlive a build, do not hold it up, are used again, and end with the server', LONG, async () => {
    const cwd = makeSolution('warm');
    // Projects that take no time are all built in the first process: no node is started.
    writeFileSync(join(cwd, 'wait.sh'), 'sleep 2\n');
    const first = await server.run(['build', '--no-incremental'], { cwd });
    expect(first).toMatchObject({ terminatedBy: 'exited', exitCode: 0 });
    const left = servers();
    expect(left.some((command) => command.includes('VBCSCompiler'))).toBe(true);
    expect(left.some((command) => command.includes('nodemode'))).toBe(true);
    expect(server.groups.size).toBe(1);

    expect(await server.run(['build', '--no-incremental'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(servers().sort()).toEqual(left.sort());

    await server.processes.shutDown(1000);
    expect(server.running()).toEqual([]);
    await expect.poll(() => server.groups.size).toBe(0);
  });

  it('end when their build is cancelled, those of another build continue', LONG, async () => {
    const cancelling = new AbortController();
    const other = await buildThatWaits('other');
    const cancelled = await buildThatWaits('cancelled', cancelling.signal);
    const before = server.running().length;
    cancelling.abort();
    expect(await cancelled.build).toMatchObject({ terminatedBy: 'cancelled', exitCode: -1 });
    expect(server.running().length).toBeLessThan(before);
    other.go();
    expect(await other.build).toMatchObject({
      terminatedBy: 'exited',
      exitCode: 0,
      stdout: expect.stringContaining('Build succeeded'),
    });
    await server.processes.shutDown(1000);
    expect(server.running()).toEqual([]);
  });
});
