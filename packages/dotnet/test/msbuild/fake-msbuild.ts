import { writeFile } from 'node:fs/promises';
import type { DotnetCall } from '../../src/msbuild/evaluate.js';

/** A `dotnet msbuild` that counts its evaluations, and answers with what a test gives it. */
export interface FakeMSBuild {
  readonly dotnet: DotnetCall;
  /** How many times a project was evaluated. */
  evaluations: number;
  /** How many times the imports of a project were listed. */
  listings: number;
  /** Instead of an answer: the exit code with which each command fails. */
  exitCode: number;
}

/**
 * @param properties those of each evaluation; `Serial` is its number, so that a fresh one is seen
 * @param imports the files that a project imports now
 */
export function createFakeMSBuild(
  properties: Readonly<Record<string, string>>,
  imports: () => readonly string[],
): FakeMSBuild {
  const fake: FakeMSBuild = { dotnet, evaluations: 0, listings: 0, exitCode: 0 };

  async function dotnet(args: readonly string[], { cwd }: { cwd: string }) {
    const stdout = fake.exitCode === 0 ? await answer(args) : '';
    return {
      args,
      command: ['dotnet', ...args].join(' '),
      cwd,
      terminatedBy: 'exited' as const,
      exitCode: fake.exitCode,
      output: stdout,
      stdout,
      stderr: '',
      omittedBytes: 0,
      startedAt: new Date(),
      durationMs: 0,
    };
  }

  async function answer(args: readonly string[]): Promise<string> {
    const option = (name: string) => args.find((arg) => arg.startsWith(name))?.slice(name.length);
    const file = option('-preprocess:');
    if (file !== undefined) {
      fake.listings += 1;
      await writeFile(
        file,
        imports()
          .map((path) => `${path}\r\n${'='.repeat(140)}\r\n-->\r\n`)
          .join(''),
      );
      return '';
    }
    fake.evaluations += 1;
    const framework = option('-p:TargetFramework=');
    const values: Record<string, string> = {
      ...properties,
      Serial: String(fake.evaluations),
      ...(framework !== undefined && { TargetFramework: framework }),
    };
    const names = option('-getProperty:')!.split(',');
    return JSON.stringify({
      Properties: Object.fromEntries(names.map((name) => [name, values[name] ?? ''])),
      Items: {},
    });
  }

  return fake;
}
