import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

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
});
