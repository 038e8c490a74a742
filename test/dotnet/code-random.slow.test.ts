import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { createRandom } from '../support/random.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { projectXml } from './sdk-server.js';
import { applyDiff } from './unified-diff.js';

const OPTIONS = '<Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings>';
const reference = (name: string) => `<ItemGroup><ProjectReference Include="../${name}/${name}.csproj" /></ItemGroup>`;

const FILES: Record<string, string> = {
  'Shop.slnx':
    '<Solution><Project Path="Core/Core.csproj" /><Project Path="App/App.csproj" /><Project Path="Tests/Tests.csproj" /></Solution>',
  'Core/Core.csproj': projectXml(OPTIONS).replace(
    '<TargetFramework>net10.0</TargetFramework>',
    '<TargetFrameworks>net10.0;net9.0</TargetFrameworks>',
  ),
  'Core/Cart.cs': `namespace Shop;\r
\r
public interface ICart { int Total(int discount); int Count { get; } }\r
\r
public class Cart : ICart\r
{\r
    private readonly List<Item> items = [];\r
    public event EventHandler? Changed;\r
    public int Count => items.Count;\r
#if NET10_0_OR_GREATER\r
    public virtual int Total(int discount) => items.Sum(item => item.Price) - discount;\r
#else\r
    public virtual int Total(int discount) { int sum = 0; foreach (var item in items) sum += item.Price; return sum - discount; }\r
#endif\r
    public void Add(Item item) { items.Add(item); Changed?.Invoke(this, EventArgs.Empty); }\r
    public override string ToString() => $"{nameof(Cart)} of {Count}";\r
}\r
`,
  'Core/Item.cs':
    '\uFEFFnamespace Shop;\n\npublic record Item(string Name, int Price)\n{\n    public static Item Free(string name) => new(name, 0);\n}\n\npublic enum Kind { Food, Book }',
  'Core/Extensions.cs':
    'namespace Shop;\n\npublic static class Extensions\n{\n    public static int Half(this ICart cart) => cart.Total(0) / 2;\n    public static T First<T>(this List<T> all) where T : class => all[0];\n}\n',
  'App/App.csproj': projectXml(OPTIONS, reference('Core')),
  'App/Big.cs': `namespace Shop.App;

public class Big : Cart
{
    public const int Limit = 100;
    public override int Total(int discount) => Math.Min(base.Total(discount), Limit);
    public int Twice() { int half = this.Half(); return half * 2; }
}
`,
  'Tests/Tests.csproj': projectXml(OPTIONS, reference('App')),
  'Tests/Use.cs': `using Shop.App;

namespace Shop.Tests;

public class Use
{
    private readonly Big big = new();
    public int Run(Kind kind)
    {
        big.Add(Item.Free("a"));
        big.Add(new Item(Name: "b", Price: 2));
        return kind == Kind.Food ? big.Twice() : big.Total(discount: 1) + big.Count;
    }
}
`,
};

const SOURCES = ['Core', 'App', 'Tests'];
const NEW_NAMES = ['Renamed', 'Total', 'Count', 'Item', 'Add', 'value', 'Kind', 'Shop', 'half', 'Cart', 'Other'];
const BROKEN = [
  'public class Square : ICart { }',
  'public class Text { public StringBuilder Of() => new(); }',
  'public class Wrong { public int Of(ICart cart) => cart.Totl(1) + cart.Count; }',
  'public class Load { public int Of(Task<int> task) { int value = await task; return value; } }',
  'public abstract class Plan { public abstract int Run(); }\npublic class Short : Plan { }',
];

const RUNS = 30;
const KILLS = 10;
const KILL_WITHIN_MS = 60;

type Contents = ReadonlyMap<string, string>;

describeWithSdk('random renames and fixes', () => {
  let random: () => number;
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  let workplace: Workplace;
  let server: SdkConnection;
  let original: Contents;
  const path = (name: string) => join(workplace.folder, name);
  const start = () => connectSdk(workplace, { settings: { Dotnet: { Enabled: true } } });
  const code = (action: string, args: object = {}) => server.call('dotnet_code', { action, ...args });

  const contents = (): Contents =>
    new Map(
      SOURCES.flatMap((folder) =>
        readdirSync(path(folder))
          .filter((name) => name.endsWith('.cs'))
          .map((name) => [path(`${folder}/${name}`), readFileSync(path(`${folder}/${name}`), 'utf8')] as const),
      ),
    );

  function restore(): void {
    for (const folder of SOURCES) {
      for (const name of readdirSync(path(folder))) if (/\.(?:cs|tmp)$/.test(name)) rmSync(path(`${folder}/${name}`));
    }
    for (const [file, text] of original) writeFileSync(file, text);
  }

  /** What the files are after the changes of a preview. */
  function after(before: Contents, changes: readonly { path: string; newPath?: string; diff: string }[]): Contents {
    const changed = new Map(before);
    for (const { path: file, newPath = file, diff } of changes) {
      const text = applyDiff(before.get(file) ?? '', diff);
      changed.delete(file);
      changed.set(newPath, text);
    }
    return changed;
  }

  /** A call that writes, and the preview of what it does. */
  async function randomChange() {
    if (random() < 0.6) {
      const { data } = await code('Symbols', { symbol: '*' });
      const { name } = pick<{ name: string }>(data.symbols);
      const args = { symbol: name, newName: pick(NEW_NAMES), comments: random() < 0.3 };
      const preview = await code('Rename', args);
      return { preview: preview.data, isError: preview.isError, action: 'Rename', args: { ...args, apply: true } };
    }
    const file = path(`${pick(SOURCES)}/Broken.cs`);
    writeFileSync(file, `namespace Shop;\n\n${pick(BROKEN)}\n`);
    const { data: found } = await code('Diagnostics', { file, severity: 'error' });
    const { line, code: id } = pick<{ line: number; code: string }>(found.diagnostics);
    const { data, isError } = await code('Fixes', { file, line, code: id });
    const fix = pick<{ id: string; changes: [] } | undefined>(data.fixes ?? []);
    return { preview: fix, isError: isError || !fix, action: 'ApplyFix', args: { file, line, code: id, fix: fix?.id } };
  }

  beforeAll(async () => {
    workplace = makeWorkplace(FILES, { Dotnet: { Enabled: true } });
    server = await start();
    const restored = await server.call('dotnet_project', { action: 'Restore', project: 'Shop.slnx' });
    expect(restored.isError, restored.text).toBe(false);
    original = contents();
  });
  beforeEach(() => {
    random = createRandom(60);
    restore();
  });
  afterAll(async () => {
    await server.close();
    removeWorkplace(workplace);
  });

  it('write what the preview shows, and leave the errors that the answer says', async () => {
    let count = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const { preview, isError, action, args } = await randomChange();
      if (!isError) {
        const before = contents();
        const applied = await code(action, { ...args, hash: preview.hash, force: true });
        expect(applied.isError, applied.text).toBe(false);
        expect(contents(), JSON.stringify(args)).toEqual(after(before, preview.changes));
        if (action === 'Rename') expect(applied.data.errorCount).toBe(preview.errorCount);
        const { data } = await code('Diagnostics', { severity: 'error' });
        expect(data.errorCount, JSON.stringify([args, data.diagnostics, applied.data])).toBe(applied.data.errorCount);
        count += 1;
        if (count === 1) {
          const built = await server.call('dotnet_project', { action: 'Build', project: 'Shop.slnx', noRestore: true });
          expect(built.data.errorCount ?? 0).toBe(data.errorCount);
        }
      }
      restore();
    }
    expect(count).toBeGreaterThan(RUNS / 2);
  });

  it('leave each file as it was or as it should be if the server is killed', async () => {
    let kills = 0;
    while (kills < KILLS) {
      const { preview, isError, action, args } = await randomChange();
      if (!isError) {
        const before = contents();
        const wanted = after(before, preview.changes);
        const call = code(action, { ...args, force: true }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, random() * KILL_WITHIN_MS));
        process.kill(server.pid, 'SIGKILL');
        await call;
        await server.close();
        server = await start();
        for (const [file, text] of contents()) expect([before.get(file), wanted.get(file)], file).toContain(text);
        for (const { path: file, newPath = file } of preview.changes) {
          if (before.has(file)) expect(existsSync(file) || existsSync(newPath)).toBe(true);
        }
        kills += 1;
      }
      restore();
    }
    expect((await code('Diagnostics', { severity: 'error' })).data.errorCount).toBe(0);
  });
});
