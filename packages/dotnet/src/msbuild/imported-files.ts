import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type DotnetCall, lookingArguments } from './evaluate.js';

/** The line above the second rule of a header in the preprocessed text: the path of a file (SDK 10.0.401). */
const HEADER = /^(.+)\r\n={100,}\r\n-->/gm;

/**
 * The files that a project's evaluation imports, itself included, by `dotnet msbuild -preprocess`; `undefined` where
 * that failed. It must be a separate command: together with `-getProperty` it writes an empty file.
 */
export async function importedFiles(
  dotnet: DotnetCall,
  project: string,
  framework: string | undefined,
): Promise<string[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-imports-'));
  try {
    const file = join(folder, 'preprocessed.xml');
    const args = [
      ...lookingArguments(project, framework === undefined ? {} : { TargetFramework: framework }),
      `-preprocess:${file}`,
    ];
    const { terminatedBy, exitCode } = await dotnet(args, { cwd: dirname(project) });
    if (terminatedBy !== 'exited' || exitCode !== 0) return undefined;
    return parseHeaders(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function parseHeaders(preprocessed: string): string[] {
  return [
    ...new Set(Array.from(preprocessed.matchAll(HEADER), ([, path]) => path!).filter((path) => isAbsolute(path))),
  ];
}
