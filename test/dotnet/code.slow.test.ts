import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES: Record<string, string> = {
  'Shop.slnx': '<Solution><Project Path="Core/Core.csproj" /><Project Path="App/App.csproj" /></Solution>',
  'Core/Core.csproj': projectXml('<Nullable>enable</Nullable>').replace(
    '<TargetFramework>net10.0</TargetFramework>',
    '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks><LangVersion>latest</LangVersion>',
  ),
  'Core/Cart.cs': `namespace Shop;

/// <summary>What a customer buys.</summary>
public class Cart : ICart
{
    public int Count { get; set; }

    /// <summary>The total.</summary>
    /// <param name="discount">In percent.</param>
    public virtual int Total(int discount) => Count * discount;

    public int Total() => Total(0);

    public void Add() { Count++; }

#if NET10_0_OR_GREATER
    public string Modern() => nameof(Count);
#endif
}

public interface ICart
{
    int Total();
}
`,
  'Core/Words.cs': `namespace Shop;

public static class Words
{
    public static void Add(string name, System.Collections.Generic.List<int> counts, long? at) => counts.Add(name.Length);
}
`,
  'App/App.csproj': projectXml(CONSOLE, '<ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup>'),
  'App/Big.cs': `using System.Text.RegularExpressions;

namespace Shop;

public partial class Big : Cart
{
    public override int Total(int discount) => base.Total(discount) + 1;

    [GeneratedRegex("a+")]
    private static partial Regex Pattern();
}
`,
  'App/Any.cs': `namespace Shop;

public static class Any
{
    public static int Of(ICart cart, Cart own) => cart.Total() + own.Total() + new Box().Total();

    public static void All(Box box) { foreach (var one in box) { } }
}

public class Box : ICart
{
    public int Total() => 1;

    public Box() : this(1) { }
    public Box(int size) { }
    public Box Copy() { Box copy = new(2); return copy; }

    public System.Collections.Generic.IEnumerator<int> GetEnumerator()
    {
        yield return 1;
    }
}
`,
  'App/Program.cs': `using Shop;

var cart = new Big();
cart.Add();
Console.WriteLine(cart.Total(3) + cart.Total());
`,
};

describeWithSdk('dotnet_code', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const code = (action: string, args: object = {}) => server.call('dotnet_code', { action, ...args });
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(path(name), change(readFileSync(path(name), 'utf8')));

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'Shop.slnx' })).isError).toBe(false);
  });
  afterAll(() => server.close());

  it('finds references with their kind in all projects and frameworks, each once', async () => {
    const { data, text } = await code('References', { symbol: 'Shop.Cart.Count' });
    const places = data.references.map(({ line, kind, member, frameworks }: Record<string, unknown>) => [
      line,
      kind,
      member,
      frameworks,
    ]);
    expect(places).toEqual([
      [10, 'read', 'Cart.Total', undefined],
      [14, 'write', 'Cart.Add', undefined],
      [17, 'nameof', 'Cart.Modern', ['net10.0']],
    ]);
    expect(data).toMatchObject({ totalCount: 3, countsByProject: { Core: 3 }, target: path('Shop.slnx') });
    expect(text).toContain('Core/Cart.cs\n  10 read in Cart.Total: public virtual int Total');
  });

  it('counts an override as a reference, and finds uses in other projects', async () => {
    const { data } = await code('References', { symbol: 'Cart.Total(int)' });
    const found = data.references.map(
      ({ project, kind, line }: Record<string, unknown>) => `${project} ${kind} ${line}`,
    );
    expect(found.sort()).toEqual(['App call 5', 'App call 7', 'App override 7', 'Core call 12']);
  });

  it('says which member a use names, if it belongs to an interface, a base or a derived type', async () => {
    const uses = async (action: string, symbol: string) => {
      const { data } = await code(action, { symbol });
      return (data.references ?? data.callers)
        .filter((use: { path: string; kind: string }) => use.path === path('App/Any.cs') && use.kind === 'call')
        .map(({ usedMember }: { usedMember?: string }) => usedMember);
    };
    for (const action of ['References', 'Callers']) {
      expect(await uses(action, 'Cart.Total()')).toEqual(['Shop.ICart.Total()', undefined]);
      expect(await uses(action, 'Box.Total')).toEqual(['Shop.ICart.Total()', undefined]);
      expect(await uses(action, 'ICart.Total')).toEqual([undefined, 'Shop.Cart.Total()', 'Shop.Box.Total()']);
    }
    const { text } = await code('References', { symbol: 'Big.Total' });
    expect(text).toContain('  12 call of Shop.Cart.Total(int) in Cart.Total: public int Total()');
  });

  it('finds where an object is made, also with new() and by other constructors', async () => {
    const made = async (action: string, symbol: string) => {
      const { data } = await code(action, { symbol });
      return (data.references ?? data.callers)
        .filter(({ kind }: { kind: string }) => kind === 'construct')
        .map(({ line, text }: { line: number; text: string }) => `${line} ${text}`);
    };
    const copy = '16 public Box Copy() { Box copy = new(2); return copy; }';
    const own = '14 public Box() : this(1) { }';
    expect(await made('References', 'Box')).toEqual([expect.stringMatching(/^5 .* new Box\(\)/), own, copy]);
    expect(await made('References', 'Box.Box(int)')).toEqual([own, copy]);
    expect(await made('Callers', 'Box.Box(int)')).toEqual([own, copy]);
    const loops = (await code('References', { symbol: 'Box.GetEnumerator' })).data;
    expect(loops.totalCount).toBe(0);
  });

  it('outlines the types of a project or solution, by file', async () => {
    const { data, text } = await code('Outline', { project: 'Shop.slnx' });
    expect(data.countsByProject).toEqual({ App: 4, Core: 3 });
    expect(text).toContain(
      'Declarations: 7 (App 4, Core 3)\nApp/Any.cs\n  3-8 public static class Any\n  10-22 public class Box : ICart\nApp/Big.cs\n  5-11',
    );
    const { symbols } = (await code('Outline', { project: 'Core/Core.csproj' })).data;
    expect(symbols.map(({ name }: { name: string }) => name)).toEqual(['Shop.Cart', 'Shop.ICart', 'Shop.Words']);
  });

  it('answers for several symbols, one after the other, also if one is unknown', async () => {
    const { data, text } = await code('References', { symbol: 'Cart.Total(int), Cart.Count, Carrt', limit: 5 });
    const [total, count, unknown] = data.results;
    expect(total).toMatchObject({ asked: 'Cart.Total(int)', totalCount: 4 });
    expect(count).toMatchObject({ asked: 'Cart.Count', totalCount: 3 });
    expect(count.references).toHaveLength(1);
    expect(unknown.problem).toContain('Candidates: Shop.Cart');
    const [, , cursor] = /with symbol (\S+) and cursor (\S+)/.exec(text)!;
    const rest = await code('References', { symbol: 'Cart.Count', limit: 5, cursor });
    expect(rest.data.references).toHaveLength(2);
    const definitions = await code('Definition', { symbol: 'ICart, Words.Add' });
    expect(definitions.text).toContain('# Words.Add\nCore/Words.cs:5 public static void Add(');
    const nothing = await code('Definition', { symbol: 'Nothing, NorThis' });
    expect(nothing.text).toContain('There is no symbol Nothing');
  });

  it('counts the references of all that is in a type or namespace', async () => {
    const { data, text } = await code('References', { symbol: 'Shop.*' });
    const counts = Object.fromEntries(
      data.symbols.map((one: { name: string; referenceCount: number }) => [one.name, one.referenceCount]),
    );
    expect(counts).toMatchObject({
      ...{ 'Shop.Cart.Count': 3, 'Shop.Cart.Total(int)': 3, 'Shop.Words': 0, 'Shop.Cart.Modern()': 0 },
    });
    expect(text).toMatch(/^Symbols: \d+\n/);
    expect(text).toContain('Core/Cart.cs:17 0 references: public string Modern()');
    const ofType = await code('References', { symbol: 'Words.*' });
    expect(ofType.data.symbols).toMatchObject([{ kind: 'method', referenceCount: 0 }]);
  });

  it('counts an implementation as a reference', async () => {
    const { data } = await code('References', { symbol: 'ICart.Total' });
    const implementations = data.references.filter(({ kind }: { kind: string }) => kind === 'implementation');
    expect(implementations).toMatchObject([
      { path: path('App/Any.cs'), line: 12 },
      { path: path('Core/Cart.cs'), line: 12 },
    ]);
  });

  it('names the candidates of an ambiguous name as ready calls, and the nearest names of an unknown one', async () => {
    const [error] = (await code('References', { symbol: 'Total' })).data.errors;
    expect(error.code).toBe('INVALID_PARAMS');
    const names = ['Cart.Total(int)', 'Cart.Total()', 'ICart.Total()', 'Big.Total(int)', 'Box.Total()'];
    expect(error.alternatives).toHaveLength(names.length);
    for (const name of names) expect(error.alternatives).toContainEqual(expect.stringContaining(`Shop.${name} (`));
    const { toolName, arguments: next } = error.recommendedAction;
    expect(error.alternatives[0]).toContain(`${next.symbol} (`);
    expect(await server.call(toolName, next)).toMatchObject({
      isError: false,
      data: { symbol: { name: next.symbol } },
    });
    const unknown = await code('Definition', { symbol: 'Carrt' });
    expect(unknown.data.errors[0].alternatives[0]).toContain('Shop.Cart');
  });

  it('shows the definition with documentation and source, by name and by place', async () => {
    const { data } = await code('Definition', { symbol: 'Cart.Total(int)' });
    expect(data).toMatchObject({
      symbol: { name: 'Shop.Cart.Total(int)', signature: 'public virtual int Total(int discount)', line: 10 },
      documentation: 'The total.\ndiscount: In percent.',
      source: 'public virtual int Total(int discount) => Count * discount;',
    });
    const withAttribute = await code('Definition', { symbol: 'Big.Pattern' });
    expect(withAttribute.data.symbol).toMatchObject({ path: path('App/Big.cs'), line: 10 });
    const atPlace = await code('Definition', { file: 'App/Program.cs', line: 4, symbol: 'Add' });
    expect(atPlace.data.symbol).toMatchObject({ name: 'Shop.Cart.Add()', path: path('Core/Cart.cs'), line: 14 });
  });

  it('shows the signature and documentation of the framework', async () => {
    const { data } = await code('Definition', { symbol: 'System.Text.StringBuilder.Clear' });
    expect(data.symbol).toMatchObject({ signature: 'public StringBuilder Clear()', assembly: 'System.Runtime' });
    expect(data.documentation).toContain('Removes all characters');
  });

  it.each([
    'Cart.Total(int)',
    'Cart.Total(Int32)',
    'Cart.Total(System.Int32)',
    'Words.Add(string, List<int>, long)',
    'Words.Add(String, System.Collections.Generic.List<Int32>, Int64?)',
  ])('finds %s, whose types have keywords', async (symbol) => {
    const { data, text } = await code('Definition', { symbol });
    expect(data.symbol?.name, text).toMatch(/^Shop\.(?:Cart\.Total\(int\)|Words\.Add\(string, )/);
  });

  it('does not take another type for one with a keyword', async () => {
    expect((await code('Definition', { symbol: 'Cart.Total(Other.Int32)' })).isError).toBe(true);
    expect((await code('Definition', { symbol: 'Cart.Total(long)' })).isError).toBe(true);
  });

  it('outlines a type that has a keyword, and shows its members', async () => {
    const { data } = await code('Outline', { symbol: 'string' });
    expect(data.symbols[0]).toMatchObject({ name: 'string', kind: 'class', assembly: 'System.Runtime' });
    const { symbol } = (await code('Definition', { symbol: 'int.MaxValue' })).data;
    expect(symbol.signature).toContain('MaxValue = 2147483647');
  });

  it('finds symbols by camel humps and by wildcard, outlines files, and knows the hierarchy', async () => {
    const names = async (action: string, args: object) =>
      (await code(action, args)).data.symbols.map(({ name }: { name: string }) => name);
    expect(await names('Symbols', { symbol: 'IC' })).toEqual(['Shop.ICart']);
    expect(await names('Symbols', { symbol: '*art', kind: 'class' })).toEqual(['Shop.Cart']);
    expect(await names('Symbols', { symbol: 'Program' })).toEqual(['Program']);
    expect(await names('Outline', { file: 'App/Big.cs' })).toEqual([
      'Shop.Big',
      'Shop.Big.Total(int)',
      'Shop.Big.Pattern()',
    ]);
    expect(await names('Implementations', { symbol: 'ICart' })).toEqual(['Shop.Box', 'Shop.Big', 'Shop.Cart']);
    expect(await names('Hierarchy', { symbol: 'Big' })).toEqual(['Shop.Cart', 'object', 'Shop.ICart']);
    expect((await code('Hierarchy', { symbol: 'Big' })).text).toContain('\nBases and derived types: 3 (');
  });

  it('follows callers to the requested depth', async () => {
    const { data } = await code('Callers', { symbol: 'Cart.Total(int)', depth: 2 });
    const found = data.callers.map(
      ({ project, line, depth }: Record<string, unknown>) => `${project} ${line} ${depth}`,
    );
    expect(found).toEqual(['App 5 2', 'App 5 2', 'App 7 1', 'App 5 1', 'App 5 2', 'Core 12 1']);
  });

  it('reports what the compiler of a build reports, and runs the generators of the SDK', async () => {
    expect((await code('Diagnostics')).data).toMatchObject({ errorCount: 0, warningCount: 0 });
    edit('App/Program.cs', (text) => `${text}int wrong = "text";\nstring unused;\n`);
    const { data } = await code('Diagnostics', { file: 'App/Program.cs' });
    const build = await server.project('Build', { project: 'App', noRestore: true });
    const built = [...build.data.errors, ...(build.data.warnings ?? [])];
    const sorted = (list: { code: string; line: number; column: number }[]) =>
      list.map(({ code: id, line, column }) => `${id} ${line},${column}`).sort();
    expect(sorted(data.diagnostics)).toEqual(sorted(built));
    expect(data.errorCount).toBe(1);
    edit('App/Program.cs', (text) => text.split('\n').slice(0, -3).join('\n'));
  });

  it('sees each edit, also within a clock tick and with the old time restored', async () => {
    const file = path('Core/Cart.cs');
    const at = new Date('2026-01-01');
    const original = readFileSync(file, 'utf8');
    for (let round = 0; round < 40; round += 1) {
      const name = `Round${round % 10}x${round}`.padEnd(12, 'x');
      writeFileSync(file, original.replace('Add()', `${name}()`));
      utimesSync(file, at, at);
      const { data } = await code('Symbols', { symbol: name });
      expect(data.symbols.map((symbol: { name: string }) => symbol.name)).toEqual([`Shop.Cart.${name}()`]);
    }
    writeFileSync(file, original);
  });

  it('sees new and deleted files, and changes of projects and of what they import', async () => {
    writeFileSync(path('Core/New.cs'), 'namespace Shop; public class Fresh { }');
    expect((await code('Definition', { symbol: 'Fresh' })).data.symbol).toMatchObject({ path: path('Core/New.cs') });
    rmSync(path('Core/New.cs'));
    expect((await code('Definition', { symbol: 'Fresh' })).isError).toBe(true);
    writeFileSync(
      path('Directory.Build.props'),
      '<Project><PropertyGroup><DefineConstants>EXTRA</DefineConstants></PropertyGroup></Project>',
    );
    edit('App/Big.cs', (text) => `${text}\n#if EXTRA\npublic class OnlyExtra { }\n#endif\n`);
    expect((await code('Symbols', { symbol: 'OnlyExtra' })).data.totalCount).toBe(1);
    rmSync(path('Directory.Build.props'));
    expect((await code('Symbols', { symbol: 'OnlyExtra' })).data.totalCount).toBe(0);
  });

  it('continues a list with a cursor, and refuses the cursor after an edit that changes the list', async () => {
    const first = await code('Outline', { file: 'Core/Cart.cs', limit: 2 });
    expect(first.data.symbols).toHaveLength(2);
    const cursor = first.data.nextCursor;
    const second = await code('Outline', { file: 'Core/Cart.cs', limit: 2, cursor });
    expect(second.data.symbols[0].name).toBe('Shop.Cart.Total(int)');
    edit('Core/Cart.cs', (text) => text.replace('Add()', 'AddOne()'));
    const refused = await code('Outline', { file: 'Core/Cart.cs', limit: 2, cursor });
    expect(refused.text).toContain('The cursor belongs to a list that has changed');
    edit('Core/Cart.cs', (text) => text.replace('AddOne()', 'Add()'));
  });

  it('answers bad input with what is wrong', async () => {
    const message = async (args: object) => (await code('Definition', args)).text;
    expect(await message({ file: 'App/Program.cs', line: 400 })).toContain('so it has no line 400');
    expect(await message({ file: 'App/Program.cs', line: 1, column: 90 })).toContain('so it has no column 90');
    expect(await message({ file: 'App/None.cs', line: 1 })).toContain("Parameter 'file' names no file");
    expect(await message({ symbol: 'Cart', file: 'Shop.slnx', line: 1 })).toContain('is not compiled by any project');
    expect(await message({ line: 1 })).toContain("Parameter 'file' is required with 'line'");
    expect(await message({ symbol: 'Cart', project: 'None.csproj' })).toContain("Parameter 'project' not found");
  });

  it('answers for the other projects if one does not load', async () => {
    edit('App/App.csproj', (text) => text.replace('</Project>', ''));
    const { data, isError } = await code('Symbols', { symbol: 'ICart' });
    expect(isError).toBe(false);
    expect(data.notes[0]).toContain('App.csproj does not load');
    edit('App/App.csproj', (text) => `${text}</Project>`);
    expect((await code('Definition', { symbol: 'Big' })).isError).toBe(false);
  });
});
