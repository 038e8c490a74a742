import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PARAMETERS } from '../../src/actions/parameters.js';
import { type FailureEvidence, ROOT_CAUSE_KINDS } from '../../src/advice/codes/root-cause-kind.js';
import { rootCauseOf, rootCauseOfText } from '../../src/advice/root-cause.js';
import { fixtureOutput } from '../diagnostics/fixture.js';

interface Row {
  readonly id: string;
  readonly code: string;
  readonly text: string;
  readonly rootCauseKind: string | null;
}

const ROWS: Row[] = JSON.parse(
  readFileSync(new URL('../../../../test/cases/classification.json', import.meta.url), 'utf8'),
).cases;

const causeOf = (code: string, message = '', more: Partial<FailureEvidence> = {}) =>
  rootCauseOf({ code, message, ...more });
const kindOf = (...args: Parameters<typeof causeOf>) => causeOf(...args).rootCauseKind;
const actionOf = (...args: Parameters<typeof causeOf>) => causeOf(...args).recommendedAction;

it.each(ROOT_CAUSE_KINDS)('the specification names the kind %s', (kind) => {
  const [page, anchor] = 'docs/spec/errors.md#root-cause-kinds'.split('#');
  const text = readFileSync(new URL(`../../../../${page}`, import.meta.url), 'utf8');
  const [, section = ''] = text.split(new RegExp(`<a id="${anchor}"></a>|<a id="classification"></a>`));
  expect(section).toContain(kind);
});

describe('the specified cases', () => {
  it.each(ROWS)('$id $code $text', ({ code, text, rootCauseKind }) => {
    for (const evidence of [
      { code, message: text },
      { code, message: '', stderr: text },
      { code, message: '', lastStdout: text },
    ]) {
      expect(rootCauseOf(evidence).rootCauseKind ?? null).toBe(rootCauseKind);
    }
  });
});

describe('a code', () => {
  it.each([
    ['cs0103', 'CompilationError'],
    ['FS0039', 'CompilationError'],
    ['BC30451', 'CompilationError'],
    ['MSB4057', 'BuildError'],
    ['NU1605', 'PackageError'],
    ['NU1303', 'RestoreFailure'],
    ['NETSDK1064', 'RestoreFailure'],
    ['NETSDK1100', 'SdkError'],
    ['MSB3202', 'ProjectNotFound'],
    ['MSB1001', 'InvalidParameter'],
    ['MSB1050', 'InvalidParameter'],
    ['MSB3021', 'FileLocked'],
    ['NU1903', 'PackageVulnerable'],
    ['OPERATION_TIMEOUT', 'Timeout'],
  ])('%s tells %s before any text does', (code, kind) => {
    expect(kindOf(code, 'Access is denied. Test run failed.')).toBe(kind);
  });

  it('of an analyzer tells by its place', () => {
    expect(kindOf('CA1822', 'm', { file: '/a.cs', line: 1 })).toBe('CompilationError');
    expect(kindOf('CA1822', 'm')).toBe('BuildError');
    expect(kindOf('MSBUILD_UNCODED', 'm', { file: '/a.csproj', line: 1 })).toBe('BuildError');
  });

  it('is refined where the message knows better', () => {
    const unauthorized =
      'Unable to load the service index. Response status code does not indicate success: 403 (Forbidden).';
    expect(kindOf('NU1301', unauthorized)).toBe('PackageSourceAuth');
    expect(kindOf('NU1301', 'Connection refused (127.0.0.1:9)')).toBe('NetworkUnreachable');
    expect(kindOf('NU1301', 'm')).toBe('RestoreFailure');
    expect(kindOf('MSB3021', 'No space left on device')).toBe('OutOfDisk');
  });

  it('of nothing that is known leaves the cause open', () => {
    expect(causeOf('EXIT_1', 'strange')).toEqual({});
    expect(causeOf('OPERATION_CANCELLED')).toEqual({});
  });
});

describe('a text', () => {
  it.each([
    ['No .NET SDKs were found.', 'MissingSdk'],
    ['Failed to bind to address http://127.0.0.1:5000: address already in use.', 'PortInUse'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'DockerNotRunning'],
    ['Unable to configure HTTPS endpoint. No server certificate was specified', 'DevCertNotTrusted'],
    ['You must install or update .NET to run this application.', 'MissingRuntime'],
    ['write: No space left on device', 'OutOfDisk'],
    ['Could not find project or directory `missing.csproj`.', 'ProjectNotFound'],
    ['The provided file path does not exist: x.csproj.', 'ProjectNotFound'],
    ['No such host is known. (api.example:443)', 'NetworkUnreachable'],
    ["The process cannot access the file 'a.dll' because it is being used by another process.", 'FileLocked'],
    ["Unrecognized command or argument 'serch'.", 'InvalidParameter'],
    ['More than one project was found in the current working directory.', 'InvalidParameter'],
  ])('%s', (text, kind) => {
    expect(kindOf('EXIT_1', text)).toBe(kind);
  });

  it.each([
    'The SDK was not able to say whether the value was found.',
    'All tests passed; the template was used.',
    'This workload ran for long and is done.',
    'The project was restored.',
    'sdk note: file not found',
    'Denied: the credit card',
  ])('does not accuse: %s', (text) => {
    expect(kindOf('EXIT_1', text)).toBeUndefined();
  });

  // A search that is not linear would never come to the end of four million characters.
  it.each(['SDK "', 'access to the path ', 'could not find ', 'workload ', 'template "', 'container runtime '])(
    'is read to the end of a long text of %j',
    (odd) => {
      expect(rootCauseOfText(odd.repeat(4_000_000 / odd.length))).toBeUndefined();
    },
  );
});

describe('test results', () => {
  it('decide before words do', () => {
    expect(kindOf('EXIT_1', 'access denied', { failedTests: 2 })).toBe('TestFailure');
    expect(kindOf('EXIT_1', 'access denied', { failedTests: 0 })).toBe('AccessDenied');
  });
});

describe('the recommended action', () => {
  it.each<[string, FailureEvidence, object]>([
    [
      'lists the versions of a package',
      { code: 'NU1102', message: 'Unable to find package Dapper with version (>= 98.0.0)' },
      { toolName: 'dotnet_package', arguments: { action: 'Search', searchTerm: 'Dapper', exactMatch: true } },
    ],
    [
      'allows prereleases',
      { code: 'NU1103', message: 'Unable to find a stable package A with version (>= 1.0.0)' },
      { toolName: 'dotnet_package', arguments: { action: 'Search', searchTerm: 'A', prerelease: true } },
    ],
    [
      'raises a downgraded package',
      {
        code: 'NU1605',
        message: 'Detected package downgrade: A.B from 2.9.3 to 2.9.2. Reference',
        project: '/p/a.csproj',
      },
      {
        toolName: 'dotnet_package',
        arguments: { action: 'Add', packageId: 'A.B', version: '2.9.3', project: '/p/a.csproj' },
      },
    ],
    [
      'updates a vulnerable package',
      {
        code: 'NU1903',
        message: "Package 'Newtonsoft.Json' 12.0.1 has a known high severity vulnerability, https://x",
        project: '/p/a.csproj',
      },
      {
        toolName: 'dotnet_package',
        arguments: { action: 'Update', packageId: 'Newtonsoft.Json', project: '/p/a.csproj' },
      },
    ],
    [
      'restores the project',
      { code: 'NETSDK1004', message: 'm', project: '/p/a.csproj' },
      { toolName: 'dotnet_project', arguments: { action: 'Restore', project: '/p/a.csproj' } },
    ],
    [
      'installs the workloads by name',
      {
        code: 'NETSDK1147',
        message: 'To build this project, the following workloads must be installed: android wasm-tools\nTo install',
      },
      { toolName: 'dotnet_workload', arguments: { action: 'Install', workloadIds: ['android', 'wasm-tools'] } },
    ],
    [
      'installs the tool that does not exist',
      { code: 'EXIT_1', message: fixtureOutput('missing-ef', 'stderr'), lastStdout: fixtureOutput('missing-ef') },
      { toolName: 'dotnet_tool', arguments: { action: 'Install', packageId: 'dotnet-ef' } },
    ],
    [
      'restores the tools of a manifest',
      { code: 'EXIT_1', message: 'Run "dotnet tool restore" to make the "dotnet-ef" command available.' },
      { toolName: 'dotnet_tool', arguments: { action: 'Restore' } },
    ],
    [
      'lets global.json name an SDK that is there',
      {
        code: 'EXIT_155',
        message: '',
        stderr: fixtureOutput('exit-155', 'stderr'),
        lastStdout: fixtureOutput('exit-155'),
      },
      {
        toolName: 'dotnet_sdk',
        arguments: {
          action: 'ConfigureGlobalJson',
          sdkVersion: '10.0.401',
          globalJsonPath: '/src/globaljson/global.json',
        },
      },
    ],
    [
      'searches the templates',
      { code: 'EXIT_103', message: fixtureOutput('unknown-template', 'stderr') },
      { toolName: 'dotnet_sdk', arguments: { action: 'SearchTemplates', searchTerm: 'nosuchtemplate' } },
    ],
    [
      'leaves out the test runner that does not know --project',
      { code: 'MSB1001', message: 'Unknown switch.\nSwitch: --project' },
      { toolName: '', arguments: { testRunner: undefined } },
    ],
    [
      'leaves out the idempotent script that a provider cannot write',
      {
        code: 'EXIT_1',
        message:
          'Generating idempotent scripts for migrations is not currently supported for SQLite. See https://go.microsoft.com/fwlink/?linkid=723262 for more information and examples.',
      },
      { toolName: '', arguments: { idempotent: undefined } },
    ],
    [
      'stops the session that holds a file',
      {
        code: 'MSB3027',
        message: 'Failed. The file is locked by: "App (42)"',
        sessions: [{ sessionId: 's1', owns: (pid) => pid === 42 }],
      },
      { toolName: 'dotnet_project', arguments: { action: 'Stop', sessionId: 's1' } },
    ],
    [
      'trusts the development certificate',
      { code: 'EXIT_1', message: 'Unable to configure HTTPS endpoint.' },
      { toolName: 'dotnet_dev_certs', arguments: { action: 'CertificateTrust' } },
    ],
    [
      'formats the project',
      { code: 'WHITESPACE', message: 'm', file: '/a.cs', line: 1, project: '/p/a.csproj' },
      { toolName: 'dotnet_project', arguments: { action: 'Format', project: '/p/a.csproj' } },
    ],
  ])('%s', (_, evidence, action) => {
    const { recommendedAction } = rootCauseOf(evidence);
    expect(recommendedAction).toMatchObject({ actionKind: 'CallTool', description: expect.any(String), ...action });
    const { action: _action, ...args } = (recommendedAction as { arguments: Record<string, unknown> }).arguments;
    for (const name of Object.keys(args)) expect(PARAMETERS).toHaveProperty(name);
  });

  it('names the process that holds a file, where it is none of ours', () => {
    expect(actionOf('MSB3026', 'The file is locked by: "App (42)"')).toEqual({
      actionKind: 'ManualStep',
      description: expect.stringContaining('App (process 42)'),
    });
  });

  it('is of the other kinds where that helps more', () => {
    expect(actionOf('NU1101', 'Unable to find package Newtonsoft.Jsn.')).toMatchObject({
      actionKind: 'ManualStep',
      description: expect.stringMatching(/^No source has Newtonsoft\.Jsn, /),
    });
    expect(actionOf('CS0103', 'm', { file: '/a.cs', line: 2, column: 3 })).toEqual({
      actionKind: 'ManualStep',
      description: 'Correct the source code at /a.cs(2,3).',
    });
    expect(actionOf('EXIT_1', 'address already in use')).toMatchObject({
      actionKind: 'CallTool',
      arguments: { appArgs: ['--urls', 'http://127.0.0.1:0'] },
    });
    expect(
      actionOf(
        'EXIT_150',
        'You must install or update .NET to run this application.\nhttps://aka.ms/dotnet-core-applaunch?x=1',
      ),
    ).toMatchObject({
      actionKind: 'OpenUrl',
      url: 'https://aka.ms/dotnet-core-applaunch?x=1',
    });
  });

  it('never calls a tool without what it needs', () => {
    expect(actionOf('NU1101')).toMatchObject({ actionKind: 'ManualStep' });
    const install = rootCauseOf({
      ...{ code: 'NU1101', message: 'nope is not found in NuGet feeds https://feed.' },
      run: { args: ['tool', 'install', 'nope'], cwd: '/src' },
    });
    expect(install.recommendedAction).toMatchObject({
      toolName: 'dotnet_package',
      arguments: { action: 'ListSources' },
    });
    expect(actionOf('NU1901')).toMatchObject({ arguments: { action: 'Audit' } });
    expect(actionOf('NETSDK1147')).toMatchObject({ toolName: 'dotnet_workload', arguments: { action: 'Restore' } });
    expect(actionOf('EXIT_103', 'No templates found')).toMatchObject({ arguments: { action: 'ListTemplates' } });
    expect(actionOf('EXIT_155')).toMatchObject({ arguments: { rollForward: 'latestMajor' } });
  });
});
