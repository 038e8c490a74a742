import { readFile, writeFile } from 'node:fs/promises';
import type { DotnetCall } from '../../src/msbuild/evaluation.js';

/** A `dotnet msbuild` with the project reader, which counts its runs and answers with what a test gives it. */
export interface FakeMSBuild {
  readonly dotnet: DotnetCall;
  /** How many times a project was read, with all its frameworks. */
  evaluations: number;
  /** Instead of an answer: the exit code with which each command fails. */
  exitCode: number;
}

/**
 * @param properties those of each evaluation; `Serial` is the number of the run, so that a fresh one is seen
 * @param files the files that a project imports now, and the project
 */
export function createFakeMSBuild(
  properties: Readonly<Record<string, string>>,
  files: () => readonly string[],
): FakeMSBuild {
  const fake: FakeMSBuild = { dotnet, evaluations: 0, exitCode: 0 };

  async function dotnet(args: readonly string[], { cwd }: { cwd: string }) {
    if (fake.exitCode === 0) await answer(args);
    return {
      args,
      command: ['dotnet', ...args].join(' '),
      cwd,
      terminatedBy: 'exited' as const,
      exitCode: fake.exitCode,
      output: '',
      stdout: '',
      stderr: '',
      omittedBytes: 0,
      startedAt: new Date(),
      durationMs: 0,
    };
  }

  async function answer(args: readonly string[]): Promise<void> {
    const file = (name: string) => {
      const prefix = `-p:${name}=`;
      return decodeURIComponent(args.find((arg) => arg.startsWith(prefix))!.slice(prefix.length));
    };
    const request = JSON.parse(await readFile(file('Request'), 'utf8')) as {
      projects: { path: string }[];
      properties: string[];
    };
    fake.evaluations += 1;
    const evaluation = (own: Readonly<Record<string, string>>) => {
      const values: Record<string, string> = { ...properties, Serial: String(fake.evaluations), ...own };
      return {
        properties: Object.fromEntries(request.properties.map((name) => [name, values[name] ?? ''])),
        items: {},
      };
    };
    const frameworks = properties.TargetFrameworks?.split(';') ?? [];
    const projects = request.projects.map(({ path }) => ({
      path,
      evaluations: [evaluation({}), ...frameworks.map((TargetFramework) => evaluation({ TargetFramework }))],
      files: files(),
      error: null,
    }));
    await writeFile(file('Result'), JSON.stringify({ projects, refused: null }));
  }

  return fake;
}
