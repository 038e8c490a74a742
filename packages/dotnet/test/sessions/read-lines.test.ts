import { describe, expect, it } from 'vitest';
import { parseSince } from '../../src/actions/checks.js';
import { isBuildLine } from '../../src/sessions/build-output.js';
import { createLineRing } from '../../src/sessions/line-buffer.js';
import { announcedUrl, withoutLoginToken } from '../../src/sessions/start-session.js';
import { createWatchReader } from '../../src/sessions/watch-state.js';

describe('the lines that a session keeps', () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

  function fill(maxLines: number, maxBytes: number, count: number) {
    const ring = createLineRing(maxLines, maxBytes);
    for (let i = 0; i < count; i++)
      ring.add({ at: at(i % 60), stream: i % 2 ? 'stderr' : 'stdout', text: `line ${i % 10}` });
    return ring;
  }

  it('are the last ones', () => {
    const { lines, total, truncated } = fill(3, 1e6, 10).read({});
    expect(lines.map(({ text }) => text)).toEqual(['line 7', 'line 8', 'line 9']);
    expect({ total, truncated }).toEqual({ total: 10, truncated: true });
  });

  it('take no more than their bytes', () => {
    expect(fill(100, 70, 30).read({}).lines.length).toBe(10);
    expect(fill(5000, 1e6, 20_000).read({}).lines.length).toBe(5000);
  });

  it('are counted by what was asked for', () => {
    const ring = fill(4, 1e6, 10);
    expect(ring.read({ stream: 'stderr' })).toMatchObject({ total: 5, truncated: true });
    expect(ring.read({ since: new Date(at(8)) })).toMatchObject({ total: 2, truncated: false });
    expect(ring.read({ since: new Date(at(8)), tailLines: 1 })).toMatchObject({ total: 2, truncated: true });
    expect(ring.read({ since: new Date(at(2)) })).toMatchObject({ total: 10, truncated: true });
    expect(createLineRing(1, 1).read({})).toEqual({ lines: [], total: 0, truncated: false });
  });
});

describe('since', () => {
  it.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.6789', '2026-01-02T03:04:05.678Z'],
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05-0530', '2026-01-02T08:34:05.000Z'],
    ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05.000Z'],
  ])('takes %s', (text, expected) => {
    expect(parseSince(text)?.toISOString()).toBe(expected);
  });

  it.each(['not-a-timestamp', '', '12', '01/02/2026', '2026-02-30', '2026-13-01', '2026-01-02T25:00', 'yesterday'])(
    'refuses %j',
    (text) => {
      expect(parseSince(text)).toBeUndefined();
    },
  );
});

describe('the address that a line announces', () => {
  it.each([
    ['      Now listening on: http://localhost:5000', 'http://localhost:5000'],
    ['Now listening on: https://[::]:8080.', 'https://[::]:8080'],
    [
      'Login to the dashboard at https://localhost:17166/login?t=[REDACTED]',
      'https://localhost:17166/login?t=[REDACTED]',
    ],
    ['   Dashboard:  https://localhost:17166/login?t=[REDACTED]', 'https://localhost:17166/login?t=[REDACTED]'],
    ['See https://aka.ms/dotnet', undefined],
    ['Now listening on: a pipe', undefined],
  ])('%s', (line, expected) => {
    expect(announcedUrl(line)).toBe(expected);
  });

  it('comes without the token', () => {
    expect(withoutLoginToken('at https://h:1/login?t=abc123&x=1 and')).toBe(
      'at https://h:1/login?t=[REDACTED]&x=1 and',
    );
  });
});

describe('a line of a build', () => {
  it.each([
    '  Determining projects to restore...',
    '  All projects are up-to-date for restore.',
    '  Restored /repo/App.csproj (in 85 ms).',
    '  App -> /repo/bin/Debug/net10.0/App.dll',
    '/repo/Program.cs(1,5): warning CS0168: never used [/repo/App.csproj]',
    'MSBUILD : error MSB1009: Project file does not exist.',
    'NuGet.targets(198,5): error : Restore canceled! [/repo/App.csproj]',
    'Using launch settings from /repo/Properties/launchSettings.json...',
    'The build failed. Fix the build errors and run again.',
    '',
  ])('is %j', (line) => {
    expect(isBuildLine(line)).toBe(true);
  });

  it.each([
    'hello',
    'info: Microsoft.Hosting.Lifetime[14]',
    'warn: x',
    'error: bad arguments',
    'a -> b',
    'Building a house',
  ])('is not %j', (line) => {
    expect(isBuildLine(line)).toBe(false);
  });
});

describe('dotnet watch', () => {
  /** The states after each line; those of stdout begin with `| `. */
  function states(...lines: string[]) {
    const reader = createWatchReader();
    return lines.map((line) => {
      const isStdout = line.startsWith('| ');
      reader.read(isStdout ? line.slice(2) : `dotnet watch ${line}`, isStdout ? 'stdout' : 'stderr');
      return reader.state;
    });
  }

  it('with hot reload runs what waits for changes', () => {
    expect(
      states(
        ': Hot reload enabled. For a list of supported edits, see https://aka.ms/dotnet/hot-reload.',
        '|   Determining projects to restore...',
        '| Build succeeded.',
        ': Loading projects ...',
        ': Waiting for changes',
        ': File updated: ./Program.cs',
        ': Hot reload succeeded.',
        '🔥 Restart is needed to apply the changes.',
        ': [app (net10.0)] Exited',
        '|   Determining projects to restore...',
        '| Build FAILED.',
        ': Loading projects ...',
        ': Fix the error to continue or press Ctrl+C to exit.',
        '|   Determining projects to restore...',
        ': Waiting for changes',
        ': [app (net10.0)] Exited',
        ': Waiting for a file to change before restarting ...',
      ),
    ).toEqual([
      ...['building', 'building', 'building', 'building', 'running', 'running', 'running', 'building', 'waiting'],
      ...['building', 'waiting', 'building', 'waiting', 'building', 'running', 'waiting', 'waiting'],
    ]);
  });

  it('without it builds when it says that it waits for changes', () => {
    expect(
      states(
        ': Waiting for changes',
        '| hello',
        ': Exited with error code 143',
        ': File changed: /repo/Program.cs',
        ': Waiting for changes',
        '| /repo/Program.cs(2,8): error CS1026: ) expected [/repo/App.csproj]',
        ': Exited with error code 1',
        ': Waiting for a file to change before restarting ...',
      ),
    ).toEqual(['building', 'running', 'waiting', 'building', 'building', 'building', 'waiting', 'waiting']);
  });

  it('is not taken in by what the program says', () => {
    const reader = createWatchReader();
    reader.read('the program: Waiting for a file to change', 'stderr');
    expect(reader.state).toBe('building');
  });
});
