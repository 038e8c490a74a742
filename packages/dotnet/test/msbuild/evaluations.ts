import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { useRecordedDotnet } from '../../../../test/support/recorded-dotnet/index.js';
import type { ProjectSource } from '../../src/analysis/load-project.js';
import { getProperties, type PropertyValue } from '../../src/analysis/query-project.js';
import { createDotnetHosts, type DotnetHosts } from '../../src/host/dotnet-hosts.js';
import { createEvaluationHost } from '../../src/msbuild/evaluation-host.js';
import type { EvaluationHost } from '../../src/msbuild/read-projects.js';
import { commandEnvironment, readOnlyEnvironment } from '../../src/process/command-environment.js';
import type { CommandRun } from '../../src/process/command-run.js';
import { createDotnetProcesses, type DotnetProcesses } from '../../src/process/dotnet-processes.js';
import { createDotnetProgram } from '../../src/process/find-dotnet.js';
import { createRunDotnet } from '../../src/process/run-dotnet.js';
import { createSdkInfo } from '../../src/sdk/sdk-info.js';
import { PROPERTIES } from '../sdk.js';

/** The folders of {@link folderWith}, and where their `dotnet` is: in tests with recorded commands another one. */
const searchPaths = new Map<string, Record<string, string>>();
const folderOf = (path: string) => [...searchPaths.keys()].find((folder) => path.startsWith(folder)) ?? '';

const END_GRACE_MS = 1000;
const opened: DotnetProcesses[] = [];
afterAll(() => Promise.all(opened.map((processes) => processes.shutDown(END_GRACE_MS))));

/** The commands and processes as the server has them. They end with the tests of the file. */
export function openDotnet(
  environment: Readonly<Record<string, string>> = {},
  more: { readonly program?: string; readonly readOnly?: Readonly<Record<string, string>> } = {},
) {
  const env = { ...process.env, ...PROPERTIES, ...environment };
  const program = createDotnetProgram({ setting: '', env, platform: process.platform });
  const own = { environment: {}, own: () => ({ remove() {} }) };
  const processes = createDotnetProcesses({ dotnet: program, environment: commandEnvironment(env), own });
  opened.push(processes);
  const dotnet = createRunDotnet({ processes, maxBytes: 2 ** 20 });
  const hosts = createDotnetHosts({
    processes,
    sdk: createSdkInfo({ dotnet, program, home: tmpdir(), trustedFolders: [] }),
    environment: { ...readOnlyEnvironment(commandEnvironment(env)), ...more.readOnly },
    memoryMb: 1500,
    ...(more.program !== undefined && { program: more.program }),
  });
  return { dotnet, hosts };
}

/** A call that looks, with the time that tests have. */
const LOOKING = {
  isReadOnly: true,
  context: { signal: new AbortController().signal },
  limitMs: 120_000,
  timeLeftMs: 120_000,
};

export const evaluationHostOf = (hosts: DotnetHosts): EvaluationHost => createEvaluationHost(hosts, LOOKING);

const openedByEnvironment = new Map<string, ReturnType<typeof openDotnet>>();

/** Tests with the same environment share one process. */
function openedFor(folder: string): ReturnType<typeof openDotnet> {
  const { NUGET_PACKAGES } = process.env;
  const environment = { ...searchPaths.get(folderOf(folder)), ...(NUGET_PACKAGES !== undefined && { NUGET_PACKAGES }) };
  const key = JSON.stringify(environment);
  const found = openedByEnvironment.get(key) ?? openDotnet(environment);
  openedByEnvironment.set(key, found);
  return found;
}

/** Evaluates in the real process. */
export const evaluationHost: EvaluationHost = (folder, params) =>
  evaluationHostOf(openedFor(folder).hosts)(folder, params);

/** Runs a command of the real CLI. */
export const runDotnet = (args: readonly string[], cwd: string): Promise<CommandRun> =>
  openedFor(cwd).dotnet({ args, cwd, signal: LOOKING.context.signal, timeoutMs: LOOKING.limitMs });

/** A folder with these files, gone after the test. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'projects-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() };
  useRecordedDotnet({ folder, env });
  searchPaths.set(folder, env);
  for (const [path, text] of Object.entries(files)) await writeIn(folder, path, text);
  return folder;
}

export async function writeIn(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** The value of one property of a project. */
export async function getProperty(source: ProjectSource, project: string, name: string): Promise<PropertyValue> {
  return (await getProperties(source, project, [name])).values[0]!;
}
