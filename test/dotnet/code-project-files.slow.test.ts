import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const BOM = '\uFEFF';
const ITEMS = `<ItemGroup>\r
    <!-- Each file has an item. -->\r
    <Compile  Include='Cart.cs' />\r
    <Compile Include="..\\Shared\\Line.cs" Link="Lines\\Line.cs" />\r
    <Compile Include="Order.cs;Orders.cs" />\r
  </ItemGroup>\r
  <ItemGroup Condition="'$(TargetFramework)' == 'net48'">\r
    <Compile Include="Old.cs" />\r
  </ItemGroup>`;
const PROPERTIES = '<EnableDefaultCompileItems>false</EnableDefaultCompileItems><Nullable>enable</Nullable>';
const named = (items: string): string => BOM + projectXml(PROPERTIES, items);

const FILES: Record<string, string> = {
  'Shop/Shop.csproj': named(ITEMS),
  'Shop/Cart.cs': 'public class Cart\n{\n    public Line First => new();\n}\n',
  'Shared/Line.cs': 'public class Line\n{\n}\n',
  'Shop/Order.cs': 'public class Order\n{\n}\n',
  'Shop/Orders.cs': 'public class Orders\n{\n}\n',
};
const WITH_MISSING_TYPE =
  'public class Cart\n{\n    public Price Total { get; set; } = new();\n    public Line First => new();\n}\n';
const GENERATE = { line: 3, code: 'CS0246', fix: "Generate class 'Price' in new file" };

describeWithSdk('Changes of files that a project names', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const text = (name: string) => readFileSync(path(name), 'utf8');
  const code = (action: string, args: object) =>
    server.call('dotnet_code', { action, project: 'Shop/Shop.csproj', ...args });
  const rename = (symbol: string, newName: string) => code('Rename', { symbol, newName, apply: true });
  const errorCount = async () => (await code('Diagnostics', { severity: 'error' })).data.errorCount;

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'Shop/Shop.csproj' })).isError).toBe(false);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    for (const [name, content] of Object.entries(FILES)) writeFileSync(path(name), content);
  });

  it('rename a file with its item, and change nothing else of the project file', async () => {
    const preview = await code('Rename', { symbol: 'Cart', newName: 'Basket' });
    expect(preview.text).toContain("+    <Compile  Include='Basket.cs' />");
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']);
    await code('Rename', { symbol: 'Cart', newName: 'Basket', apply: true, hash: preview.data.hash });
    expect(existsSync(path('Shop/Cart.cs'))).toBe(false);
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']!.replace('Cart.cs', 'Basket.cs'));
    expect(await errorCount()).toBe(0);
    await rename('Basket', 'Cart');
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']);
    expect(existsSync(path('Shop/Basket.cs'))).toBe(false);
  });

  it('rename a linked file with its item and its link', async () => {
    await rename('Line', 'Row');
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']!.replaceAll('Line.cs', 'Row.cs'));
    expect(existsSync(path('Shared/Row.cs'))).toBe(true);
    expect(await errorCount()).toBe(0);
    await rename('Row', 'Line');
  });

  it('leave the name of a file in a list', async () => {
    const { data } = await rename('Order', 'Purchase');
    expect(data.notes.join()).toContain(`${path('Shop/Order.cs')} keeps its name`);
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']);
    expect(text('Shop/Order.cs')).toContain('class Purchase');
  });

  it('refuse the preview of a project file that has changed since', async () => {
    const { data } = await code('Rename', { symbol: 'Cart', newName: 'Basket' });
    writeFileSync(path('Shop/Shop.csproj'), FILES['Shop/Shop.csproj']!.replace('Each file', 'Every file'));
    const refused = await code('Rename', { symbol: 'Cart', newName: 'Basket', apply: true, hash: data.hash });
    expect(refused.data.errors[0].message).toContain(path('Shop/Shop.csproj'));
    expect(existsSync(path('Shop/Cart.cs'))).toBe(true);
  });

  it('leave the name of a file that one of its projects names elsewhere, and the items of all', async () => {
    const items = '<ItemGroup><Compile Include="../Shared/Line.cs" /><None Include="../Shared/Line.cs" /></ItemGroup>';
    mkdirSync(path('Other'), { recursive: true });
    writeFileSync(path('Other/Other.csproj'), projectXml('', items));
    writeFileSync(
      path('All.slnx'),
      '<Solution><Project Path="Shop/Shop.csproj" /><Project Path="Other/Other.csproj" /></Solution>',
    );
    const { data } = await code('Rename', { symbol: 'Line', newName: 'Row', apply: true, project: path('All.slnx') });
    expect(data.notes.join()).toContain(`because ${path('Other/Other.csproj')} names it`);
    expect(text('Shop/Shop.csproj')).toBe(FILES['Shop/Shop.csproj']);
    expect(text('Shared/Line.cs')).toContain('class Row');
  });

  it('rename a file with its item in files that several projects import', async () => {
    mkdirSync(path('Shared'), { recursive: true });
    const items = (name: string) =>
      `${BOM}<Project>\r\n  <ItemGroup>\r\n    <Compile Include="$(MSBuildThisFileDirectory)${name}" />\r\n  </ItemGroup>\r\n</Project>`;
    const clock = (name: string) => `internal static class ${name}\n{\n}\n`;
    writeFileSync(path('Shared/Shared.projitems'), items('Clock.cs'));
    writeFileSync(path('Shared/Clock.cs'), clock('Clock'));
    const imported = '<Import Project="..\\Shared\\Shared.projitems" Label="Shared" />';
    for (const name of ['One', 'Two']) {
      mkdirSync(path(name), { recursive: true });
      writeFileSync(path(`${name}/${name}.csproj`), projectXml('', imported));
      writeFileSync(path(`${name}/Use.cs`), `class Use${name}\n{\n    string Name => nameof(Clock);\n}\n`);
    }
    writeFileSync(
      path('Both.slnx'),
      '<Solution><Project Path="One/One.csproj" /><Project Path="Two/Two.csproj" /></Solution>',
    );
    const project = path('Both.slnx');
    const { data } = await code('Rename', { symbol: 'Clock', newName: 'Watch', apply: true, project });
    expect(data.changes).toHaveLength(4);
    expect(text('Shared/Shared.projitems')).toBe(items('Watch.cs'));
    expect(text('Shared/Watch.cs')).toBe(clock('Watch'));
    expect(text('Two/Use.cs')).toContain('nameof(Watch)');
    const errors = await code('Diagnostics', { severity: 'error', project });
    expect(errors.data.diagnostics.filter((one: { code: string }) => one.code === 'CS0103')).toEqual([]);
  });

  it('leave the name of a file that an imported file includes by another path for each project', async () => {
    const shared = '<Project><ItemGroup><Compile Include="Cart.cs" /></ItemGroup></Project>';
    writeFileSync(path('Shared/Cart.props'), shared);
    const imported = ITEMS.replace("<Compile  Include='Cart.cs' />", '');
    writeFileSync(path('Shop/Shop.csproj'), named(`<Import Project="../Shared/Cart.props" />${imported}`));
    const { data } = await rename('Cart', 'Basket');
    expect(data.notes.join()).toContain(`${path('Shop/Cart.cs')} keeps its name, because ${path('Shared/Cart.props')}`);
    expect(text('Shared/Cart.props')).toBe(shared);
    expect(text('Shop/Cart.cs')).toContain('class Basket');
    rmSync(path('Shared/Cart.props'));
  });

  it('leave a project whose wildcards include a new file', async () => {
    const wildcards = named('<ItemGroup><Compile Include="*.cs;../Shared/*.cs" /></ItemGroup>');
    writeFileSync(path('Shop/Shop.csproj'), wildcards);
    writeFileSync(path('Shop/Cart.cs'), WITH_MISSING_TYPE);
    const applied = await code('ApplyFix', { file: path('Shop/Cart.cs'), ...GENERATE });
    expect(applied.data.notes.join()).toContain('Add a Compile item if it does not');
    expect(text('Shop/Shop.csproj')).toBe(wildcards);
    expect(await errorCount()).toBe(0);
    rmSync(path('Shop/Price.cs'));
  });

  it('include a new file', async () => {
    const items = ITEMS.replace('Order.cs;Orders.cs', 'Order.cs');
    writeFileSync(path('Shop/Shop.csproj'), named(items));
    writeFileSync(path('Shop/Cart.cs'), WITH_MISSING_TYPE);
    const applied = await code('ApplyFix', { file: path('Shop/Cart.cs'), ...GENERATE });
    expect(applied.data).toMatchObject({ applied: true, errorCount: 0 });
    const before = '<Compile Include="Order.cs" />';
    expect(text('Shop/Shop.csproj')).toBe(
      named(items.replace(before, `<Compile Include="Price.cs" />\r\n    ${before}`)),
    );
    expect(await errorCount()).toBe(0);
  });
});
