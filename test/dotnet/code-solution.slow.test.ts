import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { SOLUTION } from './code-solution.js';
import { LOCAL_AND_ORDINARY } from './local-feed.js';
import { type SdkServer, sdkEnvironment, startSdkServer } from './sdk-server.js';

interface Reported {
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** An assembly that each SDK has, as the package Mortise.Words. */
function feed(): Record<string, Buffer> {
  const [line] = execFileSync('dotnet', ['--list-sdks'], { encoding: 'utf8' }).trim().split('\n').reverse();
  const [, version, folder] = /^(\S+) \[(.*)\]$/.exec(line!)!;
  const files = { 'lib/net10.0/Newtonsoft.Json.dll': readFileSync(join(folder!, version!, 'Newtonsoft.Json.dll')) };
  return { 'Mortise.Words.1.0.0.nupkg': nupkg({ id: 'Mortise.Words', version: '1.0.0', files }) };
}

describeWithSdk('dotnet_code in a solution of many kinds of projects', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const code = (action: string, args: object = {}) => server.call('dotnet_code', { action, ...args });
  const named = (list: readonly Reported[]) =>
    [
      ...new Set(
        list.map(
          ({ code: id, file, line, column }) =>
            `${id} ${file === undefined ? '' : relative(server.workplace.folder, file)}(${line},${column})`,
        ),
      ),
    ].sort();
  /** What `dotnet build` prints. */
  const build = (project: string) => {
    const args = [
      'build',
      project,
      '--no-restore',
      '--no-incremental',
      '--disable-build-servers',
      '-v',
      'q',
      '-nologo',
    ];
    const { folder } = server.workplace;
    const { stdout } = spawnSync('dotnet', args, {
      cwd: folder,
      env: sdkEnvironment(server.workplace),
      encoding: 'utf8',
    });
    const found = stdout.matchAll(/^\s*(.+?)\((\d+),(\d+)\): (?:error|warning) (CS\d+)/gm);
    return named(
      [...found].map(([, file, line, column, id]) => ({
        code: id!,
        file: file!,
        line: Number(line),
        column: Number(column),
      })),
    );
  };

  beforeAll(async () => {
    server = await startSdkServer({ ...SOLUTION, 'nuget.config': LOCAL_AND_ORDINARY, 'feed/.keep': '' });
    for (const [name, content] of Object.entries(feed())) writeFileSync(path(`feed/${name}`), content);
    const restored = await server.project('Restore', { project: 'Good.slnf' });
    expect(restored.isError, restored.text).toBe(false);
  });
  afterAll(() => server.close());

  it('answers what can be answered, and names what is missing', async () => {
    const { data, isError, text } = await code('References', { symbol: 'Order.Title', project: 'All.slnx' });
    expect(isError, text).toBe(false);
    const written = data.references.filter((one: { isGenerated?: boolean }) => !one.isGenerated);
    const places = written.map(
      ({ path: file, line, kind }: { path: string; line: number; kind: string }) =>
        `${relative(path('src'), file)} ${line} ${kind}`,
    );
    expect(places).toEqual([
      'App/Program.cs 5 write',
      'Tests/OrderTests.cs 6 write',
      'Tests/OrderTests.cs 6 read',
      'UnitTests/OrderFacts.cs 7 write',
      'UnitTests/OrderFacts.cs 7 read',
      'UnitTests/OrderFacts.cs 11 write',
      'Web/Counter.razor 1 read',
      'Web/Counter.razor 2 read',
      'Web/Pages/Index.cshtml 3 read',
    ]);
    expect(data.notes).toEqual([
      'Tests.csproj is not restored for net10.0, so its packages are missing. Call Restore.',
      'Fs.fsproj is not C# and not built, so its types are missing. Call Build.',
    ]);
  });

  it('knows a test project with its packages, and the code that it tests', async () => {
    const project = 'src/UnitTests/UnitTests.csproj';
    const { data } = await code('Diagnostics', { project });
    const unused = 'CS0168 src/UnitTests/OrderFacts.cs(11,44)';
    const obsolete = 'CS0618 src/UnitTests/OrderFacts.cs(11,67)';
    expect(named(data.diagnostics)).toEqual([unused, obsolete]);
    expect(data.errorCount).toBe(0);
    expect(data).not.toHaveProperty('withheldGenerators');
    const uses = (await code('References', { symbol: 'Xunit.FactAttribute', project })).data;
    expect(uses.symbol.assembly).toBe('xunit.core');
    expect(uses.references).toMatchObject([{ path: path('src/UnitTests/OrderFacts.cs'), line: 6, kind: 'attribute' }]);
    const { callers } = (await code('Callers', { symbol: 'Order.Old', project: 'All.slnx' })).data;
    expect(callers.map(({ member }: { member: string }) => member)).toContain('OrderFacts.Is_old(string)');
  });

  it('lists a linked file, and one of a shared project, once', async () => {
    const linked = (await code('References', { symbol: 'Linked.Text', project: 'Good.slnf' })).data;
    expect(linked.references.map(({ project }: { project: string }) => project)).toEqual(['App', 'Web']);
    const { symbols } = (await code('Symbols', { symbol: 'Linked', project: 'All.slnx' })).data;
    expect(symbols).toMatchObject([{ path: path('src/Common/Linked.cs') }]);
    const shared = (await code('References', { symbol: 'Clock.Now', file: 'src/Shared/Clock.cs', line: 5 })).data;
    expect(shared.references).toMatchObject([{ path: path('src/Core/Order.cs'), project: 'Core' }]);
  });

  describe('about a file-based app', () => {
    const app = 'scripts/count.cs';

    it('says what is missing before it is restored', async () => {
      const { data } = await code('Outline', { file: app });
      const names = data.symbols.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['Tally', 'Tally.Sum', 'Tally.Add(Shop.Order)']));
      expect(data).toMatchObject({ target: path(app), notes: [expect.stringContaining('count.cs is not restored')] });
    });

    it('reports what a build of it reports, and knows its package and its project', async () => {
      const restored = await server.project('Restore', { project: app });
      expect(restored.isError, restored.text).toBe(false);
      const { data } = await code('Diagnostics', { project: app });
      const inApp = (list: readonly string[]) => list.filter((one) => one.includes(app));
      const built = inApp(build(app));
      expect(built).toContain(`CS8625 ${app}(10,31)`);
      expect(inApp(named(data.diagnostics))).toEqual(built);
      expect(data.errorCount).toBe(0);
      expect(data).not.toHaveProperty('notes');
    });

    it('finds its symbols and the references to them, also after an edit', async () => {
      const { symbols } = (await code('Symbols', { symbol: 'Tally', project: app })).data;
      expect(symbols).toMatchObject([{ name: 'Tally', path: path(app), line: 15 }]);
      const lines = async () => {
        const { data } = await code('References', { symbol: 'Order.Title', file: app });
        return data.references.map(({ line, kind }: { line: number; kind: string }) => `${line} ${kind}`);
      };
      expect(await lines()).toEqual(['10 write', '19 read']);
      const text = readFileSync(path(app), 'utf8');
      writeFileSync(path(app), text.replace('#:project', '// More\n#:project'));
      expect(await lines()).toEqual(['11 write', '20 read']);
      writeFileSync(path(app), text);
    });

    it('refuses a directive that would write a file, and writes none', async () => {
      const written = path('written');
      writeFileSync(path('bad.cs'), `#:property A=$([System.IO.File]::WriteAllText('${written}', ''))\n`);
      const { text, isError } = await code('Diagnostics', { file: 'bad.cs' });
      expect(isError).toBe(true);
      expect(text).toContain(`${path('bad.cs')} has the property function [System.IO.File]::WriteAllText`);
      expect(existsSync(written)).toBe(false);
    });

    it('names the SDK of a directive that is not there', async () => {
      writeFileSync(path('other.cs'), '#:sdk Mortise.Absent.Sdk\nConsole.WriteLine(1);\n');
      const { text, isError } = await code('Outline', { file: 'other.cs' });
      expect(isError).toBe(true);
      expect(text).toMatch(/other\.cs does not load: .*Mortise\.Absent\.Sdk/);
    });
  });

  it('reports what a build of a filter reports, in each kind of file', async () => {
    const built = build('Good.slnf');
    const { data } = await code('Diagnostics', { project: 'Good.slnf', limit: 500 });
    expect(named(data.diagnostics)).toEqual(built);
    expect(data.errorCount).toBe(0);
    expect(built.some((one) => one.includes('.razor'))).toBe(true);
    expect(data).not.toHaveProperty('notes');
    const razor = path('src/Web/Counter.razor');
    const ofFile = (await code('Diagnostics', { file: razor })).data.diagnostics;
    expect(ofFile).toEqual(data.diagnostics.filter(({ file }: Reported) => file === razor));
    expect(ofFile.length).toBeGreaterThan(0);
  });

  it('knows the types of a built project in F#', async () => {
    const { data } = await code('Definition', { symbol: 'Prices.Price.twice', project: 'Good.slnf' });
    expect(data.symbol).toMatchObject({ signature: 'public static int twice(int amount)', assembly: 'Fs' });
  });

  it.each([
    ['App', 'src/App/Broken.cs', 'class Broken : Order { Absent a; int b = "text"; void M() { goto none; } '],
    ['App', 'src/App/Broken.cs', 'class Broken : Order { Absent a; int b = "text"; void M() { b.None(); return 1; } }'],
    ['Web', 'src/Web/Broken.razor', '<Absent />\n<Label Text="@None" />\n@code { int b = "text"; }\n'],
  ])('reports the errors of a build of %s in %s', async (project, file, text) => {
    writeFileSync(path(file), text);
    const { data } = await code('Diagnostics', { project: `src/${project}/${project}.csproj`, limit: 500 });
    const built = build(`src/${project}/${project}.csproj`);
    rmSync(path(file));
    expect(data.errorCount).toBeGreaterThan(0);
    // A build also reports the warnings of the projects that it builds before.
    const own = (list: string[]) => list.filter((one) => !/src\/(?:Core|Shared)\//.test(one));
    expect(named(data.diagnostics)).toEqual(own(built));
  });
});
