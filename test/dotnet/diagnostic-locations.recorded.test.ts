import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { LOCATION_PROJECTS } from './fixture-projects.js';
import { type CountedServer, startCountedServer } from './printed-counts.js';
import type { Called } from './sdk-server.js';

describeRecorded('where a diagnostic comes from', () => {
  let server: CountedServer;
  let all: Called;
  const at = (path: string) => join(server.workplace.folder, path);
  const lineOf = ({ text }: Called, code: string) => text.split('\n').find((line) => line.includes(` ${code}: `));
  beforeAll(async () => {
    server = await startCountedServer(LOCATION_PROJECTS);
    all = await server.project('Build', { project: 'All.slnx' });
  }, 120_000);
  afterAll(() => server?.close());

  it('is said under the summary, with its project', () => {
    expect(all.text).toMatch(/^Error: Build failed: 4 errors, \d+ warnings?\nCode: /);
    expect(lineOf(all, 'CS5001')).toMatch(/^error CS5001: .+ \[.+\]$/);
    expect(lineOf(all, 'CS5001')).toContain(`[${at('entry/entry.csproj')}]`);
    const error = all.data.errors.find(({ code }: { code: string }) => code === 'CS5001');
    expect(error.data.additionalData.project).toBe(at('entry/entry.csproj'));
  });

  it('has the framework where only one fails', () => {
    expect(lineOf(all, 'CS0103')).toContain(`[${at('some/some.csproj')} (netstandard2.0)]`);
    expect(lineOf(all, 'CS0103')).toContain(`${at('some/C.cs')}(3,`);
  });

  it('is an absolute path where the tool wrote one relative to the project', () => {
    expect(lineOf(all, 'TXT1')).toBe(`${at('text/data/a.txt')}: error TXT1: Bad text. [${at('text/text.csproj')}]`);
    expect(all.data.errors).toContainEqual(expect.objectContaining({ code: 'TXT1', file: at('text/data/a.txt') }));
  });

  it('is shown with the warning that explains it', () => {
    const warning = lineOf(all, 'MSB9008')!;
    expect(warning).toMatch(/warning MSB9008: .*moved\.csproj does not exist/);
    expect(warning).toContain(`[${at('gone/gone.csproj')}]`);
    const error = all.data.errors.find(({ code }: { code: string }) => code === 'CS0246');
    expect(error.data.additionalData.warnings).toContain('MSB9008');
    expect(all.data.warnings[0].code).toBe('MSB9008');
  });

  it.each([
    ['NETSDK1045', 'Build', 'newer/newer.csproj'],
    ['NU1101', 'Restore', 'missing/missing.csproj'],
  ])('names the project of %s', async (code, action, project) => {
    const failed = await server.project(action, { project });
    expect(failed.text).toMatch(new RegExp(`^Error: ${action} failed: 1 error\nCode: ${code}\n`));
    expect(lineOf(failed, code)).toContain(at(project));
  });

  it('is counted as the CLI does, in every project', () => server.compareRest('Build'));
});
