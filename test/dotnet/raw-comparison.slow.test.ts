import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import {
  type Aspect,
  aspect,
  BUILD_COUNTS,
  CODES,
  FAILED_TESTS,
  FORMATTED,
  files,
  ITEMS,
  LISTED,
  NUGET_CODES,
  PACKAGES,
  PLATFORM_COUNTS,
  PLATFORM_FAILED,
  PLATFORM_NAMES,
  prints,
  REFERENCES,
  SUCCESS,
  TEST_COUNTS,
  TEST_NAMES,
  VALUES,
} from './raw-aspects.js';
import { GOOD, REPOSITORY } from './real-repository.js';
import { type SdkServer, sdkEnvironment, startSdkServer } from './sdk-server.js';

/** A call and the command line that does the same; what is compared of each of them. */
type Comparison = readonly [
  title: string,
  call: readonly [tool: string, args: Record<string, unknown>],
  command: readonly string[],
  aspects: readonly Aspect[],
  /** Where both run; default: the folder of the repository. */
  folder?: string,
];

const project = (action: string, args: Record<string, unknown> = {}) =>
  ['dotnet_project', { action, ...args }] as const;
const nuget = (action: string, args: Record<string, unknown> = {}) => ['dotnet_package', { action, ...args }] as const;
const solution = (action: string, args: Record<string, unknown> = {}) =>
  ['dotnet_solution', { action, ...args }] as const;
const BUILD = [SUCCESS, BUILD_COUNTS, CODES];
const TESTS = [SUCCESS, TEST_COUNTS, FAILED_TESTS];
const NAMES = ['TargetFramework', 'TargetFrameworks', 'OutputType', 'AssemblyName', 'LangVersion', 'Nullable'];

const listing = (target: string): Comparison => [
  `solution List ${target}`,
  solution('List', { solution: target }),
  ['solution', target, 'list'],
  [SUCCESS, LISTED],
];
const packagesOf = (target: string): Comparison => [
  `package List ${target}`,
  nuget('List', { project: target }),
  ['list', target, 'package', '--format', 'json', '--no-restore'],
  [SUCCESS, PACKAGES],
];
const propertiesOf = (target: string): Comparison => [
  `properties of ${target}`,
  project('GetProperty', { project: target, names: NAMES }),
  ['msbuild', target, `-getProperty:${NAMES.join(',')}`],
  [SUCCESS, VALUES],
];
const itemsOf = (target: string, itemType: string): Comparison => [
  `${itemType} items of ${target}`,
  project('ListItems', { project: target, itemType }),
  ['msbuild', target, `-getItem:${itemType}`],
  [SUCCESS, ITEMS],
];
const referencesOf = (target: string): Comparison => [
  `references of ${target}`,
  nuget('ListReferences', { project: target }),
  ['list', target, 'reference'],
  [SUCCESS, REFERENCES],
];

/** A test run of Microsoft.Testing.Platform, which its folder chooses. */
const platform = (
  title: string,
  args: Record<string, unknown>,
  command: readonly string[],
  aspects: readonly Aspect[] = [SUCCESS, PLATFORM_COUNTS, PLATFORM_FAILED],
): Comparison => [
  `Microsoft.Testing.Platform: ${title}`,
  project('Test', { ...args, noBuild: true }),
  ['test', ...command, '--no-build'],
  aspects,
  'platform',
];
const PLATFORM: readonly Comparison[] = [
  [
    'Build with restore of tests of Microsoft.Testing.Platform',
    project('Build', { project: 'Platform.slnx' }),
    ['build', 'Platform.slnx'],
    BUILD,
    'platform',
  ],
  platform('a solution of two frameworks', { project: 'Platform.slnx' }, ['--solution', 'Platform.slnx']),
  platform('MSTest', { project: 'MTests/MTests.csproj' }, ['--project', 'MTests/MTests.csproj']),
  ...['FullyQualifiedName~Adds', 'FullyQualifiedName~Rows|FullyQualifiedName~Inherited'].map((filter) =>
    platform(`MSTest with ${filter}`, { project: 'MTests/MTests.csproj', filter }, [
      ...['--project', 'MTests/MTests.csproj', '--filter', filter],
    ]),
  ),
  platform('xUnit with a filter', { project: 'VTests/VTests.csproj', filter: 'FullyQualifiedName~Fails' }, [
    ...['--project', 'VTests/VTests.csproj', '--filter-method', '*Fails*'],
  ]),
  platform(
    'names',
    { project: 'Platform.slnx', listTests: true },
    ['--solution', 'Platform.slnx', '--list-tests'],
    [SUCCESS, PLATFORM_NAMES],
  ),
];

const COMPARISONS: readonly Comparison[] = [
  ['Restore', project('Restore', { project: 'Fail.slnx' }), ['restore', 'Fail.slnx'], [SUCCESS]],
  [
    'Restore with a package that no source has',
    project('Restore', { project: 'Missing.slnx' }),
    ['restore', 'Missing.slnx'],
    [SUCCESS, NUGET_CODES],
  ],
  [
    'Restore of a solution that cannot be loaded',
    project('Restore', { project: 'Names.slnx' }),
    ['restore', 'Names.slnx'],
    [SUCCESS],
  ],
  ['Build', project('Build', { project: 'Good.slnx', noRestore: true }), ['build', 'Good.slnx', '--no-restore'], BUILD],
  [
    'Build of a filter',
    project('Build', { project: 'Part.slnf', noRestore: true }),
    ['build', 'Part.slnf', '--no-restore'],
    BUILD,
  ],
  [
    'Build with errors',
    project('Build', { project: 'Fail.slnx', noRestore: true, noIncremental: true }),
    ['build', 'Fail.slnx', '--no-restore', '--no-incremental'],
    BUILD,
  ],
  [
    'Build of one framework',
    project('Build', { project: 'Warns/Warns.csproj', framework: 'net10.0', noRestore: true, noIncremental: true }),
    ['build', 'Warns/Warns.csproj', '-f', 'net10.0', '--no-restore', '--no-incremental'],
    BUILD,
  ],
  [
    'Build of a framework that the project lacks',
    project('Build', { project: 'Model/Model.csproj', framework: 'net9.0', noRestore: true }),
    ['build', 'Model/Model.csproj', '-f', 'net9.0', '--no-restore'],
    [SUCCESS],
  ],
  [
    'Build of analyzers as errors',
    project('Build', { project: 'Strict/Strict.csproj', noRestore: true }),
    ['build', 'Strict/Strict.csproj', '--no-restore'],
    BUILD,
  ],
  [
    'Run',
    project('Run', { project: 'App/App.csproj', noBuild: true }),
    ['run', '--project', 'App/App.csproj', '--no-build'],
    [SUCCESS, prints('total 0')],
  ],
  [
    'Run that fails',
    project('Run', { project: 'App/App.csproj', noBuild: true, appArgs: ['3'] }),
    ['run', '--project', 'App/App.csproj', '--no-build', '--', '3'],
    [
      SUCCESS,
      aspect(
        'exit code',
        ({ data }) => data.exitCode,
        ({ exitCode }) => exitCode,
      ),
    ],
  ],
  ['Test', project('Test', { project: 'Good.slnx', noBuild: true }), ['test', 'Good.slnx', '--no-build'], TESTS],
  ...(
    [
      ['XTests/XTests.csproj', 'FullyQualifiedName~Adds'],
      ['XTests/XTests.csproj', 'FullyQualifiedName=Shop.XTests.Inherited|FullyQualifiedName~Rows'],
      ['NTests/NTests.csproj', 'Name=Fails'],
    ] as const
  ).map(
    ([target, filter]): Comparison => [
      `Test of ${target} with ${filter}`,
      project('Test', { project: target, filter, noBuild: true }),
      ['test', target, '--no-build', '--filter', filter],
      TESTS,
    ],
  ),
  [
    'Test of a solution with a filter that matches in one project',
    project('Test', { project: 'Good.slnx', filter: 'FullyQualifiedName~More.NTests.Adds', noBuild: true }),
    ['test', 'Good.slnx', '--no-build', '--filter', 'FullyQualifiedName~More.NTests.Adds'],
    TESTS,
  ],
  ...['XTests/XTests.csproj', 'NTests/NTests.csproj'].map(
    (target): Comparison => [
      `names of the tests of ${target}`,
      project('Test', { project: target, listTests: true, noBuild: true }),
      ['test', target, '--no-build', '--list-tests'],
      [SUCCESS, TEST_NAMES],
    ],
  ),
  ...['Good.slnx', 'Part.slnf', 'Fail.slnx', 'Names.slnx'].map(listing),
  ...['Good.slnx', 'Core/Core.csproj', 'Model/Model.csproj', 'Fs/Fs.fsproj', 'XTests/XTests.csproj'].map(packagesOf),
  [
    'package List with transitive packages',
    nuget('List', { project: 'NTests/NTests.csproj', includeTransitive: true }),
    ['list', 'NTests/NTests.csproj', 'package', '--include-transitive', '--format', 'json', '--no-restore'],
    [SUCCESS, PACKAGES],
  ],
  ...['Core/Core.csproj', 'App/App.csproj', 'Fs/Fs.fsproj', 'XTests/XTests.csproj', 'Gen/Gen.csproj'].map(propertiesOf),
  ...(
    [
      ['App/App.csproj', 'Compile'],
      ['Fs/Fs.fsproj', 'Compile'],
      ['Uses/Uses.csproj', 'ProjectReference'],
      ['XTests/XTests.csproj', 'PackageReference'],
    ] as const
  ).map(([target, itemType]) => itemsOf(target, itemType)),
  ...['App/App.csproj', 'Uses/Uses.csproj', 'XTests/XTests.csproj', 'Plain/Plain.csproj'].map(referencesOf),
  [
    'Format that only checks',
    project('Format', { project: 'Warns/Warns.csproj', verify: true, noRestore: true }),
    ['format', 'Warns/Warns.csproj', '--verify-no-changes', '--no-restore'],
    [SUCCESS, FORMATTED],
  ],
  [
    'AddReference',
    nuget('AddReference', { project: 'Plain/Plain.csproj', referencePath: 'Model/Model.csproj' }),
    ['add', 'Plain/Plain.csproj', 'reference', 'Model/Model.csproj'],
    [SUCCESS, files('Plain/Plain.csproj')],
  ],
  [
    'RemoveReference',
    nuget('RemoveReference', { project: 'Plain/Plain.csproj', referencePath: 'Model/Model.csproj' }),
    ['remove', 'Plain/Plain.csproj', 'reference', 'Model/Model.csproj'],
    [SUCCESS, files('Plain/Plain.csproj')],
  ],
  [
    'solution Add',
    solution('Add', { solution: 'Good.slnx', projects: ['Strict/Strict.csproj'] }),
    ['solution', 'Good.slnx', 'add', 'Strict/Strict.csproj'],
    [SUCCESS, files('Good.slnx')],
  ],
  [
    'package Add with a central version',
    nuget('Add', { project: 'Plain/Plain.csproj', packageId: 'xunit' }),
    ['add', 'Plain/Plain.csproj', 'package', 'xunit'],
    [SUCCESS, files('Plain/Plain.csproj', 'Directory.Packages.props')],
  ],
  [
    'package Remove',
    nuget('Remove', { project: 'Plain/Plain.csproj', packageId: 'xunit' }),
    ['remove', 'Plain/Plain.csproj', 'package', 'xunit'],
    [SUCCESS, files('Plain/Plain.csproj', 'Directory.Packages.props')],
  ],
  ...PLATFORM,
];

describeWithSdk('the tools beside the raw CLI, on copies of one repository', () => {
  let server: SdkServer;
  let copy: Workplace;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startSdkServer(REPOSITORY);
    copy = makeWorkplace(REPOSITORY, {});
    env = sdkEnvironment(copy, { DOTNET_CLI_UI_LANGUAGE: 'en', NO_COLOR: '1', MSBUILDTERMINALLOGGER: 'off' });
  });
  afterAll(async () => {
    await server?.close();
    removeWorkplace(copy);
  });

  it('makes at least forty comparisons on at least ten projects', () => {
    expect(COMPARISONS.length).toBeGreaterThanOrEqual(40);
    expect(GOOD.length).toBeGreaterThanOrEqual(10);
  });

  it.each(COMPARISONS.map((comparison) => [comparison[0], comparison] as const))('%s', async (_, comparison) => {
    const [, [tool, args], command, aspects, folder = '.'] = comparison;
    const { status, stdout, stderr } = spawnSync('dotnet', command, {
      cwd: join(copy.folder, folder),
      env,
      encoding: 'utf8',
    });
    const raw = { exitCode: status ?? -1, output: `${stdout}${stderr}` };
    const called = await server.call(tool, { ...args, workingDirectory: join(server.workplace.folder, folder) });
    const inServer = (path: string) => join(server.workplace.folder, path);
    const inCopy = (path: string) => join(copy.folder, path);
    const ofCall = Object.fromEntries(aspects.map((one) => [one.name, one.ofCall(called, inServer)]));
    const ofRaw = Object.fromEntries(aspects.map((one) => [one.name, one.ofRaw(raw, inCopy)]));
    expect(ofCall, `${called.text}\n---\n${raw.output}`).toEqual(ofRaw);
  });
});
