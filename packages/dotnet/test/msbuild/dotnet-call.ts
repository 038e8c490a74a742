import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { realDotnet } from '../../../../test/support/dotnet-program.js';
import { useRecordedDotnet } from '../../../../test/support/recorded-dotnet/index.js';
import type { ProjectSource } from '../../src/analysis/load-project.js';
import { getProperties, type PropertyValue } from '../../src/analysis/query-project.js';
import { lookingEnvironment } from '../../src/process/command-environment.js';
import type { CommandRequest, CommandRun } from '../../src/process/command-run.js';
import { PROPERTIES } from '../sdk.js';

/** Every command that {@link dotnetCall} ran since it was emptied. */
export const commands: string[][] = [];

/** By the folders of {@link folderWith}: where their `dotnet` is, in tests with recorded commands another one. */
const searchPaths = new Map<string, Record<string, string>>();
const folderOf = (cwd: string) => [...searchPaths.keys()].find((folder) => cwd.startsWith(folder)) ?? '';

/** The real CLI as evaluations call it, without the limits of the server. */
export function dotnetCall(
  args: readonly string[],
  { cwd, env }: Pick<CommandRequest, 'cwd' | 'env'>,
): Promise<CommandRun> {
  commands.push([...args]);
  const base = { ...process.env, ...PROPERTIES } as Record<string, string>;
  const startedAt = new Date();
  return new Promise((resolve) => {
    execFile(
      realDotnet(searchPaths.get(folderOf(cwd))?.PATH) ?? 'dotnet',
      args,
      {
        cwd,
        env: {
          ...base,
          ...lookingEnvironment(base),
          ...searchPaths.get(folderOf(cwd)),
          ...env,
          DOTNET_CLI_UI_LANGUAGE: 'en',
          NO_COLOR: '1',
        },
        maxBuffer: 2 ** 26,
      },
      (error, stdout, stderr) => {
        resolve({
          args,
          command: ['dotnet', ...args].join(' '),
          cwd,
          terminatedBy: 'exited',
          exitCode: error ? Number(error.code) : 0,
          output: stdout + stderr,
          stdout,
          stderr,
          omittedBytes: 0,
          startedAt,
          durationMs: Date.now() - startedAt.getTime(),
        });
      },
    );
  });
}

/** An evaluation that begins in the millisecond of a write is not remembered: it may have read what was there before. */
const AFTER_WRITING_MS = 2;

/** A folder with these files, gone after the test. */
export async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'projects-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() };
  useRecordedDotnet({ folder, env });
  searchPaths.set(folder, env);
  for (const [path, text] of Object.entries(files)) await writeIn(folder, path, text);
  await setTimeout(AFTER_WRITING_MS);
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
