import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { LOCAL_SOURCE } from './local-feed.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const items = (text: string) => projectXml('', `<ItemGroup>${text}</ItemGroup>`);
const referencing = (name: string) => items(`<ProjectReference Include="../${name}/${name}.csproj" />`);
const solution = (...paths: string[]) =>
  `<Solution>${paths.map((path) => `<Project Path="${path}" />`).join('')}</Solution>`;

const FILES: Record<string, string> = {
  'circle/S.slnx': solution('A/A.csproj', 'B/B.csproj'),
  'circle/A/A.csproj': referencing('B'),
  'circle/A/A.cs': 'public class A { public B M; }\n',
  'circle/B/B.csproj': referencing('A'),
  'circle/B/B.cs': 'public class B { }\n',
  'gone/S.slnx': solution('A/A.csproj', 'Listed/Listed.csproj'),
  'gone/A/A.csproj': referencing('Used').replace('<ProjectReference', '<Compile Include="Gone.cs" /><ProjectReference'),
  'gone/A/A.cs': 'public class A { public A M; }\n',
  'other/S.slnx': solution('F/F.fsproj'),
  'other/F/F.fsproj': items('<Compile Include="F.fs" />'),
  'other/F/F.fs': 'module F\n',
  'pipe/A.csproj': projectXml(),
  'pipe/A.cs': 'public class A { public A M; }\n',
  'package/A.csproj': items('<PackageReference Include="Mortise.Gone" Version="1.0.0" />'),
  'package/A.cs': 'public class A { public A M; }\n',
  'package/nuget.config': LOCAL_SOURCE,
  'package/feed/.keep': '',
  'long/A.csproj': projectXml(),
  'long/A.cs': `public class A { public A M0; ${Array.from({ length: 2000 }, (_, index) => `int N${index};`).join(' ')} public A Last; }\n`,
  'deep/A.csproj': projectXml(),
  'deep/A.cs': `public class A { int M() => ${'('.repeat(100_000)}1${')'.repeat(100_000)}; }\n`,
};

describeWithSdk('dotnet_code about what is incomplete', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const code = (action: string, project: string) =>
    server.call('dotnet_code', { action, project, ...(action === 'References' && { symbol: 'A' }) });
  const usesOf = async (project: string) => {
    const { data, isError, text } = await code('References', project);
    expect(isError, text).toBe(false);
    return data;
  };

  beforeAll(async () => {
    server = await startSdkServer(FILES, {}, ({ folder }) => ({ NUGET_PACKAGES: join(folder, 'packages') }));
  });
  afterAll(() => server.close());

  it('answers if projects reference each other in a circle, and names the reference that it leaves out', async () => {
    const { data } = await code('Diagnostics', 'circle/S.slnx');
    expect(data.errorCount).toBe(0);
    expect(data.notes.at(-1)).toMatch(/^B\.csproj references A\.csproj in a circle/);
    writeFileSync(path('circle/B/B.csproj'), projectXml());
    expect((await code('Diagnostics', 'circle/S.slnx')).text).not.toContain('circle, which');
  });

  it('names the projects and files that are listed and not there', async () => {
    const { totalCount, notes } = await usesOf('gone/S.slnx');
    expect(totalCount).toBe(1);
    const text = notes.join('\n');
    for (const name of ['Listed.csproj', 'Used.csproj']) expect(text).toContain(`${name} does not load: MSB4025`);
    expect(text).toContain(`A.csproj compiles ${path('gone/A/Gone.cs')}, which does not exist.`);
    writeFileSync(path('gone/A/Gone.cs'), 'class Found { A M; }\n');
    const found = await usesOf('gone/S.slnx');
    expect(found.totalCount).toBe(2);
    expect(found.notes.join('\n')).not.toContain('Gone.cs');
  });

  it('names packages that are no longer there', async () => {
    const files = { 'lib/net10.0/Mortise.Gone.dll': Buffer.from('none') };
    writeFileSync(
      path('package/feed/Mortise.Gone.1.0.0.nupkg'),
      nupkg({ id: 'Mortise.Gone', version: '1.0.0', files }),
    );
    const restored = await server.project('Restore', { project: 'package/A.csproj' });
    expect(restored.isError, restored.text).toBe(false);
    expect(await usesOf('package/A.csproj')).not.toHaveProperty('notes');
    rmSync(path('packages/mortise.gone'), { recursive: true });
    // Another evaluation, as after each edit of the project.
    writeFileSync(path('package/A.csproj'), `${FILES['package/A.csproj']}\n`);
    const { notes } = await usesOf('package/A.csproj');
    expect(notes).toEqual(['A.csproj: Mortise.Gone/1.0.0 is no longer in the packages folder. Call Restore.']);
  });

  it('refuses a solution without a C# project', async () => {
    const { isError, text } = await code('Diagnostics', 'other/S.slnx');
    expect(isError).toBe(true);
    expect(text).toMatch(/No C# project of S\.slnx loads\. F\.fsproj is not C#.*INVALID_PARAMS/s);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe, and reads no device', async () => {
    execFileSync('mkfifo', [path('pipe/Pipe.cs')]);
    symlinkSync('Pipe.cs', path('pipe/Link.cs'));
    symlinkSync('/dev/zero', path('pipe/Zero.cs'));
    expect((await usesOf('pipe/A.csproj')).totalCount).toBe(1);
  });

  it('shows of a long line the part with the place', async () => {
    const { references } = await usesOf('long/A.csproj');
    const texts = references.map(({ text }: { text: string }) => text);
    expect(texts).toEqual([expect.stringContaining('A M0;'), expect.stringMatching(/^….* public A Last; }$/)]);
    for (const text of texts) expect(text.length).toBeLessThan(210);
  });

  it('answers the next call after code that the compiler cannot read, and prints no stack', async () => {
    expect((await code('References', 'deep/A.csproj')).text).not.toMatch(/^\s+at /m);
    expect((await usesOf('pipe/A.csproj')).totalCount).toBe(1);
  });
});
