import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first `dotnet` of a search path; undefined where there is none. @param path default: that of this process */
export function realDotnet(path = process.env.PATH ?? ''): string | undefined {
  return path
    .split(delimiter)
    .map((folder) => join(folder, 'dotnet'))
    .find((program) => existsSync(program));
}
