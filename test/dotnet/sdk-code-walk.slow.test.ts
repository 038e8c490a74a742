import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOG_CODES } from '../../packages/dotnet/src/advice/codes/code-catalog.js';
import { diagnosticError } from '../../packages/dotnet/src/advice/diagnostic-error.js';
import type { Diagnostic } from '../../packages/dotnet/src/diagnostics/parse/diagnostic.js';
import type { ProvokingBuild } from '../../packages/dotnet/test/diagnostics/provoked/build.js';
import { COMMANDS } from '../../packages/dotnet/test/diagnostics/provoked/commands.js';
import { CSHARP_PROJECTS, CSHARP_SNIPPETS } from '../../packages/dotnet/test/diagnostics/provoked/csharp.js';
import { MSBUILD_TASKS } from '../../packages/dotnet/test/diagnostics/provoked/msbuild.js';
import notProvoked from '../../packages/dotnet/test/diagnostics/provoked/not-provoked.json' with { type: 'json' };
import { SMALLEST_PROJECTS } from '../../packages/dotnet/test/diagnostics/provoked/projects.js';
import { endCompilers, provokedDiagnostics } from '../../packages/dotnet/test/diagnostics/provoked/run-build.js';
import { SDK_FEATURES, SDK_PACKAGES } from '../../packages/dotnet/test/diagnostics/provoked/sdk-features.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { type Called, type SdkServer, startSdkServer } from './sdk-server.js';

/** Next actions that are not called here, and why. Codes that nothing provokes are in not-provoked.json, with the reason. */
const NOT_CALLED: Readonly<Record<string, string>> = {
  NETSDK1147: 'the call installs a workload on this machine',
  MSB6006: 'the call shows what the program printed, beside the same error',
};
/** The folder of each build; each code is in a folder of its name there. */
const BUILDS: Readonly<Record<string, ProvokingBuild>> = {
  smallest: SMALLEST_PROJECTS,
  tasks: MSBUILD_TASKS,
  features: SDK_FEATURES,
  csharp: CSHARP_PROJECTS,
  ...Object.fromEntries(CSHARP_SNIPPETS.map((build, index) => [`snippets${index}`, build])),
};
const OF_THE_SDK = /^(?:NETSDK|MSB|CS)\d/;

/** The call of a tool that prints a code of a command line. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  MSB1003: { folder: 'none' },
  MSB1009: { project: 'nope.csproj' },
  MSB1011: { folder: 'two' },
  MSB1050: { project: 'two' },
  MSB4126: { project: 'solution/a.slnx', configuration: 'Relase' },
  MSB5004: { project: 'names/a.sln' },
  MSB5028: { project: 'setup/a.slnf' },
};

const PACKS = 'its build downloads packs of hundreds of megabytes';
const WARNING = 'a warning of a solution, so it has no next action';
const COMMAND_LINE = 'no tool passes the command line that prints it';
/** Codes that are provoked elsewhere alone, and why. */
const NOT_WALKED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(codesOf(SDK_PACKAGES).map((code) => [code, PACKS])),
  MSB1001: COMMAND_LINE,
  MSB1006: COMMAND_LINE,
  MSB1008: COMMAND_LINE,
  MSB1014: COMMAND_LINE,
  MSB1063: COMMAND_LINE,
  MSB4078: WARNING,
  MSB4166: 'its build ends a process of MSBuild, which a variable of the command makes another one',
  NETSDK1064: 'the package is removed between two steps of one build',
  NETSDK1194: WARNING,
  NETSDK1206: 'a warning about a package of the walk of NuGet',
};

/** Actions after which the call that failed has another answer. */
const REPAIRS = /^(?:Add|Update|Remove|SetProperty|RemoveProperty|RemoveItem|RemoveReference|Restore)$/;

function codesOf({ codes }: ProvokingBuild): string[] {
  return codes.filter((code) => OF_THE_SDK.test(code));
}

it('walks each code of the SDK, MSBuild and the compiler that can be provoked, or says why not', () => {
  const walked = [...Object.values(BUILDS).flatMap(codesOf), ...Object.keys(CALLS)];
  const known = [...walked, ...Object.keys(NOT_WALKED), ...Object.keys(notProvoked)].filter((one) =>
    OF_THE_SDK.test(one),
  );
  expect(known.toSorted()).toEqual(CATALOG_CODES.filter((code) => OF_THE_SDK.test(code)).toSorted());
  expect(walked.length).toBeGreaterThan(190);
});

describeWithSdk('each next action of an error of the SDK, MSBuild and the compiler, called as it is printed', () => {
  let server: SdkServer;
  const at = (...path: string[]) => join(server.workplace.folder, ...path);

  beforeAll(async () => {
    server = await startSdkServer({}, {}, ({ folder }) => ({ NUGET_PACKAGES: join(folder, '.packages') }));
    for (const [path, content] of Object.entries(COMMANDS.files)) {
      mkdirSync(dirname(at('commands', path)), { recursive: true });
      writeFileSync(at('commands', path), content);
    }
  }, 120_000);
  afterAll(async () => {
    await server?.close();
    await endCompilers();
  });

  const shown = ({ data }: Called) =>
    (data.errors ?? []).map(({ code, message }: { code: string; message: string }) => ({ code, message }));

  /** Warnings of the code are errors in the call, so that each code is one that fails. */
  function provoke(build: string, code: string): Promise<Called> {
    const [target, step] = lastStep(BUILDS[build]!, code);
    const project = `${build}/${code}/p.csproj`;
    const properties = { Step: step, MSBuildWarningsAsErrors: code };
    if (target === 'Restore') return server.project('Restore', { project, properties });
    return server.project('Build', { project, properties, noRestore: true, ...(target !== 'Build' && { target }) });
  }

  /** The next action of the code is called; what it repairs is provoked again. */
  async function walk(code: string, again: () => Promise<Called>): Promise<void> {
    const failed = await again();
    const error = failed.data.errors?.find((one: { code: string }) => one.code === code);
    expect(error, failed.text).toBeDefined();
    const action: RecommendedAction = error.recommendedAction ?? failed.data.codes?.[code]?.recommendedAction;
    expect(action.description).toMatch(/^\S.+\.$/s);
    if (action.actionKind !== 'CallTool') return;
    expect(JSON.stringify(action.arguments)).not.toMatch(/<\w+>/);
    const next = await server.call(action.toolName, action.arguments);
    const isRepair = !next.isError && REPAIRS.test(String(action.arguments.action));
    const second = isRepair ? await again() : next;
    if (second.isError) expect(shown(second), JSON.stringify(action)).not.toEqual(shown(failed));
  }

  describe.each(Object.entries(BUILDS))('%s', (name, build) => {
    let seen: ReadonlyMap<string, Diagnostic>;
    beforeAll(async () => {
      mkdirSync(at(name));
      seen = await provokedDiagnostics(build, { folder: at(name), audit: '', packages: at('.packages') });
    }, 600_000);

    it.each(codesOf(build))(
      '%s leads to a success or to another error',
      async (code) => {
        const diagnostic = seen.get(code);
        expect(diagnostic, code).toBeDefined();
        const { file, line, projects } = diagnostic!;
        const { recommendedAction: action } = diagnosticError(diagnostic!, {
          ...{ code, message: diagnostic!.message, run: { args: ['build', `${name}/${code}/p.csproj`], cwd: at() } },
          ...(file !== undefined && { file }),
          ...(line !== undefined && { line }),
          ...(projects[0] !== undefined && { project: projects[0] }),
        });
        if (typeof action !== 'object' || action.actionKind !== 'CallTool' || NOT_CALLED[code] !== undefined) {
          expect(typeof action === 'object' && action.description).toMatch(/^\S.+\.$/s);
          return;
        }
        await walk(code, () => provoke(name, code));
      },
      120_000,
    );
  });

  it.each(Object.entries(CALLS))(
    '%s of a command line leads to a success or to another error',
    async (code, call) => {
      const { folder = '.', ...args } = call;
      await walk(code, () => server.project('Build', { ...args, workingDirectory: at('commands', String(folder)) }));
    },
    120_000,
  );
});

/** The last target that a build runs for a code, and the value of `Step` there. */
function lastStep({ files }: ProvokingBuild, code: string): [target: string, step: string] {
  const steps = [...String(files['all.proj']).matchAll(/<Step(\d) Include="([^"/]+)\/[^"]*" Targets="([^"]*)"/g)];
  const [, step, , target] = steps.findLast(([, , folder]) => folder === code) ?? [];
  return [target ?? 'Build', step ?? '1'];
}
