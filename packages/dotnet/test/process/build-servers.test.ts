import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../sdk.js';
import { openProcesses, realDotnet } from './support.js';

const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <Target Name="Slow" AfterTargets="Build"><Exec Command="sleep $(SlowSeconds)" Condition="'$(SlowSeconds)' != ''" /></Target>
</Project>`;

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
  const slow = (onSlow: () => void) => async () => {
    await expect.poll(() => server.running().some((command) => /^sleep/.test(command)), { timeout: 60_000 }).toBe(true);
    onSlow();
  };

  it('outlive a build, do not hold it up, are used again, and end with the server', async () => {
    const cwd = makeSolution('warm');
    const first = await server.run(['build', '--no-incremental'], { cwd });
    expect(first).toMatchObject({ ending: 'exited', exitCode: 0 });
    const left = servers();
    expect(left.some((command) => command.includes('VBCSCompiler'))).toBe(true);
    expect(left.some((command) => command.includes('nodemode'))).toBe(true);
    expect(server.owned.size).toBe(1);

    expect(await server.run(['build', '--no-incremental'], { cwd })).toMatchObject({ exitCode: 0 });
    expect(servers().sort()).toEqual(left.sort());

    await server.processes.shutDown(1000);
    expect(server.running()).toEqual([]);
    expect(server.owned.size).toBe(0);
  });

  it('end when their build is cancelled, those of another build go on', async () => {
    const cancelling = new AbortController();
    const cwd = makeSolution('cancelled');
    const other = server.run(['build', '-p:SlowSeconds=3'], { cwd: makeSolution('other') });
    await slow(() => {})();
    const cancelled = server.run(['build', '-p:SlowSeconds=60'], { cwd, signal: cancelling.signal });
    await expect.poll(() => server.running().some((command) => command === 'sleep 60'), { timeout: 60_000 }).toBe(true);
    const begun = performance.now();
    cancelling.abort();
    expect(await cancelled).toMatchObject({ ending: 'cancelled', exitCode: -1 });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(server.running().filter((command) => command === 'sleep 60')).toEqual([]);
    expect(await other).toMatchObject({
      ending: 'exited',
      exitCode: 0,
      stdout: expect.stringContaining('Build succeeded'),
    });
  });
});
