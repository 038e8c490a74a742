import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const COUNT = 20;
const names = Array.from({ length: COUNT }, (_, index) => `P${index}`);

/** Projects that are loaded in several steps, each with a class that uses that of the one before. */
const FILES = {
  'All.slnx': `<Solution>${names.map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`,
  ...Object.fromEntries(
    names.flatMap((name, index) => {
      const before = index === 0 ? '' : `<ProjectReference Include="../P${index - 1}/P${index - 1}.csproj" />`;
      return [
        [`${name}/${name}.csproj`, projectXml('', `<ItemGroup>${before}</ItemGroup>`)],
        [`${name}/Source.cs`, `public class C${index} { public C${Math.max(0, index - 1)} M; }\n`],
      ];
    }),
  ),
};

describeWithSdk('the process that reads code', () => {
  const servers: SdkServer[] = [];
  const start = async (settings: object = {}) => {
    const server = await startSdkServer(FILES, { Dotnet: { Enabled: true, ...settings } });
    servers.push(server);
    return server;
  };
  const uses = (server: SdkServer, symbol = 'C0', folder = server.workplace.folder) =>
    server.call('dotnet_code', { action: 'References', symbol, project: join(folder, 'All.slnx') });

  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close();
  });

  it('reports its progress while a solution loads', async () => {
    const server = await start();
    const args = { action: 'References', symbol: 'C0', project: 'All.slnx' };
    await server.call('dotnet_code', args, { onprogress: () => {} });
    const messages = server.progress().map(({ message }) => message);
    expect(messages.some((message) => /\b8 of 20 projects/.test(message ?? ''))).toBe(true);
  });

  it('answers after a load that was cancelled', async () => {
    const server = await start();
    const abort = new AbortController();
    const args = { action: 'References', symbol: 'C0', project: 'All.slnx' };
    const cancelled = server.call('dotnet_code', args, { signal: abort.signal, onprogress: () => abort.abort() });
    await expect(cancelled).rejects.toThrow();
    const { data } = await uses(server);
    expect(data.totalCount).toBe(2);
  });

  it('sees what changed while a solution loaded', async () => {
    const server = await start();
    let hasChanged = false;
    const change = () => {
      if (hasChanged) return;
      hasChanged = true;
      rmSync(join(server.workplace.folder, 'P19'), { recursive: true });
      writeFileSync(join(server.workplace.folder, 'P5/Source.cs'), 'public class C5 { public C4 M; public C4 N; }\n');
    };
    const args = { action: 'References', symbol: 'C0', project: 'All.slnx' };
    await server.call('dotnet_code', args, { onprogress: change });
    expect(hasChanged).toBe(true);
    expect((await uses(server, 'C4')).data.countsByProject).toEqual({ P5: 2 });
    expect((await uses(server, 'C19')).isError).toBe(true);
  });

  it('ends if it needs too much memory, and the calls say so', async () => {
    const server = await start({ HostMemoryMb: 200 });
    const classes = Array.from({ length: 1_000_000 }, (_, index) => `class Big${index} { int M; }\n`);
    writeFileSync(join(server.workplace.folder, 'P0/Big.cs'), classes.join(''));
    const answers = await Promise.all([uses(server), uses(server, 'C1')]);
    for (const { isError, data } of answers) {
      expect(isError).toBe(true);
      expect(data.errors[0].code).toBe('CAPABILITY_NOT_AVAILABLE');
      expect(data.errors[0].hint).toContain('Raise the setting Dotnet.HostMemoryMb');
    }
  });

  it('of two servers both see the edits in one solution', async () => {
    const [one, other] = [await start(), await start()];
    const { folder } = one.workplace;
    const both = () => Promise.all([uses(one, 'C8', folder), uses(other, 'C8', folder)]);
    for (const { data } of await both()) expect(data.totalCount).toBe(1);
    writeFileSync(join(folder, 'P9/Source.cs'), 'public class C9 { public C8 M; public C8 N; }\n');
    for (const { data } of await both()) expect(data.countsByProject).toEqual({ P9: 2 });
  });
});
