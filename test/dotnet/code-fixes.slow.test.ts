import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES: Record<string, string> = {
  'Shop.slnx': '<Solution><Project Path="Core/Core.csproj" /><Project Path="App/App.csproj" /></Solution>',
  'Core/Core.csproj': projectXml('<Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings>').replace(
    '<TargetFramework>net10.0</TargetFramework>',
    '<TargetFrameworks>net10.0;net9.0</TargetFrameworks>',
  ),
  'Core/Shapes.cs': `namespace Shop;\r
\r
public interface IShape\r
{\r
    int Area();\r
}\r
\r
public class Square : IShape { }\r
public class Circle : IShape { }\r
\r
public class Text\r
{\r
    private readonly StringBuilder builder = new();\r
    public string Join() { int unused; return builder.ToString(); }\r
}\r
`,
  'Core/More.cs': 'namespace Shop;\n\npublic class Triangle : IShape { }\n',
  'App/App.csproj': projectXml('', '<ItemGroup><ProjectReference Include="../Core/Core.csproj" /></ItemGroup>'),
  'App/Use.cs':
    'namespace Shop.App;\n\npublic class Use\n{\npublic   int Of(Square square){return square.Area( );}\n    public   int Other( ) => 1;\n}\n',
  '.editorconfig': 'root = true\n[*.cs]\nindent_style = space\nindent_size = 4\n',
};

const FIRST_FIX = { file: 'Core/Shapes.cs', line: 8 };

describeWithSdk('Fixes, ApplyFix and Format', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, name);
  const text = (name: string) => readFileSync(path(name), 'utf8');
  const code = (action: string, args: object = {}) => server.call('dotnet_code', { action, ...args });
  const titles = (data: { fixes: { title: string }[] }) => data.fixes.map(({ title }) => title);

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'Shop.slnx' })).isError).toBe(false);
  });
  beforeEach(() => {
    for (const [name, content] of Object.entries(FILES)) if (name.endsWith('.cs')) writeFileSync(path(name), content);
  });
  afterAll(() => server.close());

  it('shows the fixes of a line with ids and diffs, once for all frameworks', async () => {
    const { data, text: shown } = await code('Fixes', { ...FIRST_FIX, code: 'CS0535' });
    expect(titles(data)).toEqual(['Implement interface', 'Implement all members explicitly']);
    expect(data.fixes[0]).toMatchObject({ code: 'CS0535', hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(data.fixes[0].changes[0].diff).toContain('+    public int Area()');
    expect(shown).toContain(
      'CS0535: Implement interface\n--- a/Core/Shapes.cs\n+++ b/Core/Shapes.cs\n@@ -5,7 +5,13 @@',
    );
    expect(text('Core/Shapes.cs')).toBe(FILES['Core/Shapes.cs']);
  });

  it('shows refactorings of a place', async () => {
    const { data } = await code('Fixes', { file: 'App/Use.cs', line: 6, column: 18 });
    expect(titles(data).join()).toContain("Replace 'Other' with property");
    expect(data.fixes.every((fix: { code?: string }) => fix.code === undefined)).toBe(true);
  });

  it('applies a fix by title or id, and answers with the diff and what is left', async () => {
    const { data } = await code('ApplyFix', { ...FIRST_FIX, fix: 'Implement interface' });
    expect(data).toMatchObject({ applied: true, fix: 'Implement interface', lockInfo: { lockScope: 'solution' } });
    expect(data.errorCount).toBe(3);
    expect(data.diagnostics.map((one: { code: string }) => one.code)).toEqual(['CS0535', 'CS0535', 'CS0246']);
    const written = text('Core/Shapes.cs');
    expect(written).toContain('public int Area()\r\n    {\r\n        throw new NotImplementedException();\r\n    }');
    expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const { data: fixes } = await code('Fixes', { file: 'Core/Shapes.cs', line: 19, code: 'CS0246' });
    const { id, hash } = fixes.fixes.find((fix: { title: string }) => fix.title === 'using System.Text;');
    const applied = await code('ApplyFix', { file: 'Core/Shapes.cs', line: 19, code: 'CS0246', fix: id, hash });
    expect(applied.data).toMatchObject({ applied: true, errorCount: 2 });
    expect(text('Core/Shapes.cs')).toMatch(/^using System\.Text;\r\n/);
  });

  it('applies without a name the only fix, or the one that is meant, and names several', async () => {
    const only = await code('ApplyFix', { file: 'Core/Shapes.cs', line: 14, code: 'CS0168' });
    expect(only.data).toMatchObject({ applied: true, fix: 'Remove unused variable' });
    const meant = await code('ApplyFix', { ...FIRST_FIX, code: 'CS0535' });
    expect(meant.data).toMatchObject({ applied: true, fix: 'Implement interface' });
    writeFileSync(path('Core/More.cs'), 'namespace Shop;\n\npublic class Triangle { int Of() => Nothing; }\n');
    const several = await code('ApplyFix', { file: 'Core/More.cs', line: 3, code: 'CS0103' });
    expect(several.data.errors[0].alternatives).toContain("Generate field 'Nothing'");
    const { toolName, arguments: next } = several.data.errors[0].recommendedAction;
    expect((await server.call(toolName, next)).data.fixes.length).toBeGreaterThan(1);
  });

  it('applies a fix to all of its kind in a document or a solution', async () => {
    await code('ApplyFix', { ...FIRST_FIX, fix: 'Implement interface', scope: 'document' });
    expect(text('Core/Shapes.cs').match(/public int Area\(\)/g)).toHaveLength(2);
    expect(text('Core/More.cs')).toBe(FILES['Core/More.cs']);
    writeFileSync(path('Core/Shapes.cs'), FILES['Core/Shapes.cs']!);
    const { data } = await code('ApplyFix', { ...FIRST_FIX, fix: 'Implement interface', scope: 'solution' });
    expect(data.changes).toHaveLength(2);
    expect(text('Core/More.cs')).toContain('public int Area()');
    const left = await code('Diagnostics', { severity: 'error' });
    expect(left.data.diagnostics.map((one: { code: string }) => one.code)).toEqual(['CS0246']);
  });

  it('writes new files', async () => {
    const fix = "Generate class 'StringBuilder' in new file";
    const { data } = await code('ApplyFix', { file: 'Core/Shapes.cs', line: 13, code: 'CS0246', fix, force: true });
    expect(data.changes.map((change: { path: string }) => change.path)).toContain(path('Core/StringBuilder.cs'));
    expect(existsSync(path('Core/StringBuilder.cs'))).toBe(true);
  });

  it('formats a file, or a member alone', async () => {
    const member = await code('Format', { symbol: 'Use.Other' });
    expect(member.data.applied).toBe(true);
    expect(text('App/Use.cs')).toBe(FILES['App/Use.cs']!.replace('public   int Other( )', 'public int Other()'));
    await code('Format', { file: 'App/Use.cs' });
    expect(text('App/Use.cs')).toContain('    public int Of(Square square) { return square.Area(); }\n');
    const again = await code('Format', { file: 'App/Use.cs' });
    expect(again.data.changes).toEqual([]);
  });

  it('refuses a fix for a file that has changed since the preview', async () => {
    const { data } = await code('Fixes', { ...FIRST_FIX, code: 'CS0535' });
    writeFileSync(path('Core/Shapes.cs'), `${FILES['Core/Shapes.cs']}// edited\r\n`);
    const [{ id, hash }] = data.fixes;
    const refused = await code('ApplyFix', { ...FIRST_FIX, code: 'CS0535', fix: id, hash });
    expect(refused.data.errors[0]).toMatchObject({ code: 'CONCURRENCY_CONFLICT' });
    expect(refused.data.errors[0].message).toContain(path('Core/Shapes.cs'));
  });
});
