import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const ROUNDS = 1000;
const COUNT = 10;
const sourceOf = (index: number, member: string) => `public class C${index} { public int ${member}; }\n`;

const FILES = {
  'Ten/Ten.csproj': projectXml(),
  ...Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [`Ten/C${index}.cs`, sourceOf(index, 'First')])),
};

describeWithSdk('edits by other programs between two calls of dotnet_code', () => {
  let server: SdkServer;
  const path = (name: string) => join(server.workplace.folder, 'Ten', name);
  const outline = async (file: string) => {
    const { data } = await server.call('dotnet_code', {
      action: 'Outline',
      file: path(file),
      workingDirectory: path(''),
    });
    return data.symbols.map(({ name }: { name: string }) => name);
  };

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'Ten' })).isError).toBe(false);
  });
  afterAll(() => server.close());

  it('are seen a thousand times, also within a clock tick, of the same length and with the old time', async () => {
    const at = new Date('2026-01-01');
    for (let round = 0; round < ROUNDS; round += 1) {
      const index = round % COUNT;
      const file = `C${index}.cs`;
      const member = `Member${String(round).padStart(4, '0')}`;
      writeFileSync(path(file), sourceOf(index, member));
      if (round % 3 !== 0) utimesSync(path(file), at, at);
      expect(await outline(file)).toEqual([`C${index}`, `C${index}.${member}`]);
    }
  });

  it('are seen in new and deleted folders', async () => {
    for (let round = 0; round < 20; round += 1) {
      mkdirSync(path('More'), { recursive: true });
      writeFileSync(path('More/Extra.cs'), sourceOf(100, `Extra${round}`));
      expect(await outline('More/Extra.cs')).toEqual(['C100', `C100.Extra${round}`]);
      rmSync(path('More'), { recursive: true });
      const { data } = await server.call('dotnet_code', { action: 'Symbols', symbol: 'C100', project: path('') });
      expect(data.totalCount).toBe(0);
    }
  });
});
