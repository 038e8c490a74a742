import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

/** CA1305, which has no code fix. */
const CULTURE = 'public static class NAME\n{\n    public static string P(int x) => x.ToString();\n}\n';
const UNFORMATTED = 'class A{int x ;}\n';

describeRecorded('Format of some files', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer({
      'p/p.csproj': projectXml(),
      'p/A.cs': UNFORMATTED,
      'p/-B.cs': UNFORMATTED.replace('A', 'B'),
      'p/sub/C.cs': UNFORMATTED.replace('A', 'C'),
      'p/D.cs': UNFORMATTED.replace('A', 'D'),
      'rules/rules.csproj': projectXml(),
      'rules/.editorconfig': 'root = true\n[*.cs]\ndotnet_diagnostic.CA1305.severity = error\n',
      'rules/Text.cs': CULTURE.replace('NAME', 'Text'),
      'rules/Both.cs': CULTURE.replace('NAME', 'Both').replace('    ', '        '),
      'rules/Spaces.cs': 'public static class Spaces\n{\n        public static int P(int x) => x;\n}\n',
    });
  });
  afterAll(() => server.close());

  it('formats the files and folders of include alone, whatever their names', async () => {
    const { text, data } = await server.project('Format', {
      workingDirectory: join(server.workplace.folder, 'p'),
      include: ['A.cs', '-B.cs', 'sub'],
    });
    expect(data.success, text).toBe(true);
    const names = data.changedFiles.map((path: string) => path.split(/[\\/]/).at(-1));
    expect(names.sort()).toEqual(['-B.cs', 'A.cs', 'C.cs']);
    expect(readFileSync(join(server.workplace.folder, 'p/D.cs'), 'utf8')).toContain('int x ;');
    const one = await server.project('Format', { project: 'p/p.csproj', include: 'p/D.cs' });
    expect(one.data.changedFiles).toHaveLength(1);
  });

  it('names as changed what was changed alone, and what no code fix corrects', async () => {
    const project = 'rules/rules.csproj';
    const at = (name: string) => join(server.workplace.folder, 'rules', name);
    const checked = await server.project('Format', { project, verify: true });
    expect(checked.data).toMatchObject({ wouldChange: [at('Both.cs'), at('Spaces.cs')] });
    expect(checked.data.summary).toBe('2 files would be changed, 2 findings of analyzers');
    const lines = checked.text.split('\n');
    expect(lines[0]).toBe(`Error: ${checked.data.summary}`);
    expect(lines[1]).toMatch(/^rules\/Both\.cs: .*CA1305 at line/);
    expect(checked.text).toMatch(/^rules\/Spaces\.cs: WHITESPACE at line/m);
    // Each code is one error; the files say where all of them are.
    expect(checked.data.errors.map(({ code }: { code: string }) => code).toSorted()).toEqual(['CA1305', 'WHITESPACE']);
    expect(checked.text).toMatch(/^Next: Format the project\. dotnet_project \{"action":"Format",/m);

    const { data, text } = await server.project('Format', { project });
    expect(text).toMatch(/^Formatted 2 files, 2 findings not fixed\n/);
    expect(text).toContain('\nUnable to fix CA1305. No associated code fix found.\n');
    expect(data.changedFiles.toSorted()).toEqual([at('Both.cs'), at('Spaces.cs')]);
    expect(data.diagnostics).toHaveLength(2);
    expect(data.diagnostics[0]).toMatchObject({ code: 'CA1305', message: expect.stringMatching(/^The behavior of /) });

    const again = await server.project('Format', { project });
    expect(again.data).toMatchObject({ success: true, changed: false, changedFiles: [] });
    expect(again.data.summary).toBe('No file was changed, 2 findings not fixed');

    const verified = await server.project('Format', { project, verify: true });
    expect(verified.data).toMatchObject({ wouldChange: [], summary: '2 findings of analyzers' });
    expect(verified.text).not.toContain('"action":"Format"');
  });
});
