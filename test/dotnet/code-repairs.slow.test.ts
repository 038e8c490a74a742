import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const OPTIONS =
  '<Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings><WarningsAsErrors>nullable;CS4014;CS0168;CS0219;CS0114;CS0618</WarningsAsErrors>';
const CODE = 'namespace Shop;\n\npublic class Code { }\n';

const FILES: Record<string, string> = {
  'Shop.slnx':
    '<Solution><Project Path="Core/Core.csproj" /><Project Path="App/App.csproj" /><Project Path="Web/Web.csproj" /></Solution>',
  'Core/Core.csproj': projectXml(OPTIONS),
  'Core/Cart.cs': `namespace Shop;

public interface IShape { int Area(); string Name { get; } }
public abstract class Plan { public abstract int Run(int steps); }
public class Cart { public int Total { get; set; } public Task<int> LoadAsync() => Task.FromResult(1); }
`,
  'App/App.csproj': projectXml(OPTIONS, '<ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup>'),
  'App/Code.cs': CODE,
  'Web/Web.csproj': projectXml(OPTIONS, '<ItemGroup><ProjectReference Include="../App/App.csproj" /></ItemGroup>'),
  'Web/Page.cs': 'namespace Shop.Web;\n\npublic class Page { public Code? Code { get; set; } }\n',
};

/** A member of a class, or if it has a `class` of its own whole types, with an error of this code. */
const BROKEN: readonly (readonly [kind: string, code: string, text: string])[] = [
  ['a missing using of a type', 'CS0246', 'public int Of(StringBuilder text) => text.Length;'],
  ['a missing using of a static class', 'CS0103', 'public bool Of(string text) => Regex.IsMatch(text, "a");'],
  ['a missing using of an extension method', 'CS1061', 'public object Of(List<int> all) => all.ToImmutableList();'],
  ['an interface that is not implemented', 'CS0535', 'public class Square : IShape { }'],
  ['an abstract class that is not implemented', 'CS0534', 'public class Short : Plan { }'],
  ['a misspelled class', 'CS0103', 'public void Of() => Consol.WriteLine(1);'],
  ['a misspelled member', 'CS1061', 'public int Of(string text) => text.Lenght;'],
  ['a misspelled class in its namespace', 'CS0234', 'public object Of() => new System.Text.StringBuldier();'],
  ['a misspelled static member', 'CS0117', 'public int Of() => int.MaxValeu;'],
  [
    'a missing await of a value',
    'CS0029',
    'public async Task<int> Of(Cart cart) { int sum = cart.LoadAsync(); return sum; }',
  ],
  ['a missing await of a call', 'CS4014', 'public async Task Of(Cart cart) { cart.LoadAsync(); await Task.Yield(); }'],
  ['an await in a method that is not async', 'CS4032', 'public int Of(Cart cart) { return await cart.LoadAsync(); }'],
  [
    'null in a variable that is not nullable',
    'CS8600',
    'public int Of() { string text = null; return text?.Length ?? 0; }',
  ],
  ['null that is returned', 'CS8603', 'public string Of() { return null; }'],
  ['null as a default', 'CS8625', 'public int Of(string text = null) => text?.Length ?? 0;'],
  ['a property that is not set', 'CS8618', 'public string Name { get; set; }'],
  ['an await in a method that returns nothing', 'CS4033', 'public void Of(Cart cart) { await cart.LoadAsync(); }'],
  ['an unused variable', 'CS0168', 'public int Of() { int unused; return 1; }'],
  ['an unused value', 'CS0219', 'public int Of() { int unused = 1; return 2; }'],
  [
    'an override that is not marked',
    'CS0114',
    'public class Root { public virtual int Of() => 1; } public class Leaf : Root { public int Of() => 2; }',
  ],
  [
    'an unreachable case',
    'CS8120',
    'public int Of(object o) { switch (o) { case object: return 1; case string: return 2; } return 0; }',
  ],
  ['an unreachable arm', 'CS8510', 'public int Of(object? o) => o switch { object => 1, string => 2, null => 0 };'],
  [
    'an obsolete member with a replacement',
    'CS0618',
    'public class Till { [Obsolete("Use Sum instead.")] public int Total() => 1; public int Sum() => 1; } public class Buyer { public int Of(Till till) => till.Total(); }',
  ],
  [
    'an obsolete type with a replacement',
    'CS0619',
    '[Obsolete("Use Purse.", true)] public class Wallet { } public class Purse { } public class Buyer { public object Of() => new Wallet(); }',
  ],
  ['a missing cast', 'CS0266', 'public int Of(object o) { Cart cart = o; return cart.Total; }'],
  ['a missing partial', 'CS0260', 'public partial class Part { } public class Part { }'],
];

/** Calls of repairs until the build succeeds, for an error that hides another one. */
const MAX_CALLS = 3;

describeWithSdk('the printed next actions of a build, called as they are', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const build = () => server.project('Build', { project: 'Shop.slnx', noRestore: true });

  beforeAll(async () => {
    server = await startSdkServer(FILES, {}, { Dotnet__FixWaitMs: '300000' });
    expect((await server.project('Restore', { project: 'Shop.slnx' })).isError).toBe(false);
  });
  afterAll(() => server.close());

  describe.each(BROKEN)('%s (%s)', (_, code, text) => {
    it('are repaired', async () => {
      const isType = /\bclass\b/.test(text);
      writeFileSync(
        path('App/Code.cs'),
        isType ? `${CODE}\n${text}\n` : `namespace Shop;\n\npublic class Code\n{\n    ${text}\n}\n`,
      );
      let built = await build();
      expect(built.data.errors[0].code).toBe(code);
      const calls: unknown[] = [];
      while (built.isError && calls.length < MAX_CALLS) {
        const { recommendedAction: next } = built.data.errors[0];
        calls.push(next);
        expect(next).toMatchObject({
          actionKind: 'CallTool',
          toolName: 'dotnet_code',
          arguments: { action: 'ApplyFix' },
        });
        const applied = await server.call(next.toolName, next.arguments);
        expect(applied.isError, applied.text).toBe(false);
        built = await build();
      }
      expect(built.isError, JSON.stringify(calls)).toBe(false);
    });
  });

  it('come from Diagnostics too', async () => {
    writeFileSync(path('App/Code.cs'), `${CODE}\npublic class Square : IShape { }\n`);
    const { data, text } = await server.call('dotnet_code', { action: 'Diagnostics', severity: 'error' });
    expect(data.recommendedAction.arguments).toMatchObject({ action: 'ApplyFix', fix: 'Implement interface' });
    expect(text).toContain('Next: dotnet_code {"action":"ApplyFix"');
    const { toolName, arguments: next } = data.recommendedAction;
    expect((await server.call(toolName, next)).data).toMatchObject({ applied: true, errorCount: 0 });
  });

  it('repair each error for which one fix is meant, and show what is left with the fixes to choose from', async () => {
    writeFileSync(
      path('App/Code.cs'),
      'namespace Shop;\n\npublic class Code\n{\n    public int Tota => 1; public int Totals => 1;\n    public int Of() => Total;\n' +
        '    public int Of(StringBuilder text) => text.Length; public int Of(int[] all) => all.Lenght;\n    public void Of(string text) => Nothing(text);\n}\n',
    );
    writeFileSync(path('Core/Square.cs'), 'namespace Shop;\n\npublic class Square : IShape { }\n');
    const { data, text } = await server.call('dotnet_code', { action: 'Diagnostics' });
    expect(text).toMatch(/error CS0535: .*\n {2}Fix: Implement interface\n/);
    const { toolName, arguments: next } = data.recommendedAction;
    expect(next).toEqual({ action: 'ApplyFix', project: path('Shop.slnx') });
    const applied = await server.call(toolName, next);
    const repaired = applied.data.repaired.map(({ code, title }: { code: string; title: string }) => [code, title]);
    expect(repaired.sort()).toEqual([
      ['CS0246', 'using System.Text;'],
      ['CS0535', 'Implement interface'],
      ['CS1061', "Change 'Lenght' to 'Length'."],
    ]);
    expect(applied.data).toMatchObject({ applied: true, errorCount: 2 });
    expect(applied.text).toContain('3 errors repaired, 2 files changed\n  ');
    expect(applied.text).toMatch(/CS0103: .*'Total' .*\n {2}Choose a fix: Change 'Total' to '\w+'\. \| Change/);
    expect(applied.data.recommendedAction.arguments).toMatchObject({ action: 'Fixes', code: 'CS0103' });
    const again = await server.call(toolName, next);
    expect(again.data).toMatchObject({ repaired: [], changes: [], errorCount: 2 });
    rmSync(path('Core/Square.cs'));
  });

  it('repair the errors of a file or of a code alone', async () => {
    const broken = `${CODE}\npublic class Square : IShape { public Regex? Pattern; }\n`;
    writeFileSync(path('App/Code.cs'), broken);
    writeFileSync(path('Core/Square.cs'), 'namespace Shop;\n\npublic class Side : IShape { }\n');
    const ofCode = await server.call('dotnet_code', { action: 'ApplyFix', file: 'App/Code.cs', code: 'CS0246' });
    expect(ofCode.data.repaired).toMatchObject([{ file: path('App/Code.cs'), line: 5, code: 'CS0246' }]);
    const ofFile = await server.call('dotnet_code', { action: 'ApplyFix', file: 'App/Code.cs' });
    expect(ofFile.data.changes).toMatchObject([{ path: path('App/Code.cs') }]);
    expect(ofFile.data.errorCount).toBe(0);
    rmSync(path('Core/Square.cs'));
    expect((await build()).isError).toBe(false);
    const unclear = await server.call('dotnet_code', { action: 'ApplyFix', fix: 'Implement interface' });
    expect(unclear.text).toContain("Parameter 'line' is required with 'fix'");
  });

  it('list several fixes where none is meant more than another', async () => {
    writeFileSync(
      path('App/Code.cs'),
      'namespace Shop;\n\npublic class Code\n{\n    public int Tota => 1; public int Totals => 1;\n    public int Of() => Total;\n}\n',
    );
    const built = await build();
    const { recommendedAction: next } = built.data.errors[0];
    expect(next.arguments).toMatchObject({ action: 'Fixes', code: 'CS0103' });
    expect(next.description).toMatch(/Change 'Total' to '\w+'\. or /);
    expect((await server.call(next.toolName, next.arguments)).data.fixes.length).toBeGreaterThan(1);
  });
});

/** A member with an error that no fix repairs, the query that is recommended, and what its answer shows. */
const UNFIXED: readonly (readonly [code: string, text: string, action: string, symbol: string, shown: string])[] = [
  ['CS1061', 'public object Of(Cart cart) => cart.Discounts();', 'Outline', 'Cart', 'LoadAsync'],
  ['CS0117', 'public object Of() => Cart.Everything;', 'Outline', 'Cart', 'LoadAsync'],
  ['CS1729', 'public object Of() => new Cart(1, 2, 3);', 'Outline', 'Cart', 'Total'],
  ['CS7036', 'public object Of(Plan plan) => plan.Run();', 'Definition', 'Plan.Run(int)', 'int steps'],
];

describeWithSdk('the printed next action of a build for an error that no fix repairs', () => {
  let server: SdkServer;
  const build = async (member: string) => {
    const text = `namespace Shop;\n\npublic class Code\n{\n    ${member}\n}\n`;
    writeFileSync(join(server.workplace.folder, 'App/Code.cs'), text);
    return (await server.project('Build', { project: 'App/App.csproj', noRestore: true })).data.errors[0];
  };

  beforeAll(async () => {
    server = await startSdkServer(FILES, {}, { Dotnet__FixWaitMs: '300000' });
    expect((await server.project('Restore', { project: 'Shop.slnx' })).isError).toBe(false);
  });
  afterAll(() => server.close());

  it.each(UNFIXED)('%s shows what can be used', async (code, member, action, symbol, shown) => {
    const error = await build(member);
    expect(error.code).toBe(code);
    const { toolName, arguments: next } = error.recommendedAction;
    expect(next).toMatchObject({ action, symbol });
    const { isError, text } = await server.call(toolName, next);
    expect(isError, text).toBe(false);
    expect(text).toContain(shown);
  });

  it('is to correct the source code if the type cannot be found by its name', async () => {
    const error = await build('public object Of(int[] all) => all.Everything;');
    expect(error.code).toBe('CS1061');
    expect(error.recommendedAction.actionKind).toBe('ManualStep');
  });
});

describeWithSdk('a build that does not wait for the workspace', () => {
  it('recommends to list the fixes, which the next call does', async () => {
    const files = { ...FILES, 'App/Code.cs': `${CODE}\npublic class Square : IShape { }\n` };
    const server = await startSdkServer(files, {}, { Dotnet__FixWaitMs: '1' });
    try {
      const built = await server.project('Build', { project: 'Shop.slnx' });
      const { recommendedAction: next } = built.data.errors[0];
      expect(next).toMatchObject({ toolName: 'dotnet_code', arguments: { action: 'Fixes', code: 'CS0535', line: 5 } });
      const { data } = await server.call(next.toolName, next.arguments);
      expect(data.fixes[0].title).toBe('Implement interface');
    } finally {
      await server.close();
    }
  });
});
