import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeWithSdk } from '../../../../dotnet/test/sdk.js';
import { ProcessExitedError } from '../../../src/processes/exit-reason.js';
import { missingPart, parseHostProblems, toStartProblem } from '../../../src/run/dotnet/problems.js';
import { makeAssembly } from '../../plugins/find/make-assembly.js';

const FILE = '/plugins/Weather.dll';
const dotnetOptions = (setting = '', PATH = process.env.PATH ?? '') => ({
  setting,
  env: { PATH },
  platform: process.platform,
});

describe('what the host says of classes', () => {
  const problem = {
    severity: 'error',
    code: 'CLASS_CONSTRUCTOR_THREW',
    message: 'It threw',
    hint: 'Correct it',
    location: { subject: 'Weather.Tool' },
  };
  const read = (problems: unknown) =>
    parseHostProblems({ tools: [], _meta: { 'mortise/problems': problems } } as never, FILE);

  it('is a problem of the plugin, with the place', () => {
    expect(read([problem])).toEqual([{ ...problem, location: { file: FILE, subject: 'Weather.Tool' } }]);
    expect(read([{ ...problem, severity: 'warning', location: {} }])).toEqual([
      { ...problem, severity: 'warning', location: { file: FILE } },
    ]);
  });

  it('is at the line of the source that threw, where the host knows it', () => {
    const at = (more: object) => read([{ ...problem, location: { subject: 'Weather.Tool', ...more } }])[0]!.location;
    const place = { file: '/source/Tool.cs', line: 7 };
    expect(at(place)).toEqual({ subject: 'Weather.Tool', ...place });
    expect(at({ file: '/source/Tool.cs' })).toEqual({ subject: 'Weather.Tool', file: FILE });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no list', 'problems'],
    ['no object', ['problem', null, 3]],
    ['an unknown code', [{ ...problem, code: 'WHATEVER' }]],
    ['a code of JavaScript itself', [{ ...problem, code: 'constructor' }]],
    ['no message', [{ ...problem, message: undefined }]],
    ['no next step', [{ ...problem, hint: 7 }]],
  ])('is ignored where it is %s', (_, value) => {
    expect(read(value)).toEqual([]);
  });

  it('is cut off where it does not end', () => {
    expect(read(Array.from({ length: 5000 }, () => problem))).toHaveLength(100);
  });
});

describe('a machine without .NET', () => {
  it('is told what to install, or which setting is wrong', () => {
    expect(missingPart(FILE, dotnetOptions('', ''))).toMatchObject({
      code: 'DOTNET_NOT_AVAILABLE',
      message: 'C# plugins need .NET: dotnet was not found',
      hint: expect.stringContaining('Install .NET 8 or later'),
      location: { file: FILE },
    });
    expect(missingPart(FILE, dotnetOptions('/gone/dotnet'))?.message).toContain('Dotnet.Path is /gone/dotnet');
  });
});

describeWithSdk('a host that does not start', () => {
  /** What `dotnet` really says of an assembly that needs this runtime. */
  function run(framework: { name: string; version: string }): ProcessExitedError {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-host-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'Host.dll'), makeAssembly());
    writeFileSync(join(folder, 'Host.runtimeconfig.json'), JSON.stringify({ runtimeOptions: { framework } }));
    const { status, stderr } = spawnSync('dotnet', ['exec', join(folder, 'Host.dll')], { encoding: 'utf8' });
    return new ProcessExitedError(`it exited with code ${status}`, stderr);
  }

  it('says so where the runtime is too old', () => {
    const ended = run({ name: 'Microsoft.NETCore.App', version: '99.0.0' });
    expect(toStartProblem(FILE, dotnetOptions(), ended)).toMatchObject({
      code: 'DOTNET_NOT_AVAILABLE',
      message: expect.stringContaining('.NET 8 or later'),
      location: { file: FILE },
    });
  });

  it('says how the process ended where it did by itself, and what it printed', () => {
    const ended = new ProcessExitedError('it exited with code 134', 'Out of cheese\n');
    expect(toStartProblem(FILE, dotnetOptions(), ended)).toMatchObject({
      code: 'PLUGIN_ENDED_PROCESS',
      message: 'The process ended while the plugin was loaded: it exited with code 134. It printed last: Out of cheese',
    });
  });
});
