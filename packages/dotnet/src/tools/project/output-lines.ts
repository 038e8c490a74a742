import { isAbsolute } from 'node:path';
import { cleanLine } from '../../diagnostics/parse/clean-line.js';

/** An output of a build, from a line such as `  App -> /src/App/bin/Debug/net10.0/App.dll`. */
export interface BuildOutput {
  readonly project: string;
  readonly path: string;
}

const ARROW = ' -> ';

/** Returns the output that a line of MSBuild reports, if any. */
export function outputIn(text: string): BuildOutput | undefined {
  if (!text.includes(ARROW)) return undefined;
  const { line } = cleanLine(text);
  const at = line.indexOf(ARROW);
  const path = line.slice(at + ARROW.length).trim();
  return at > 0 && isRooted(path) ? { project: line.slice(0, at), path } : undefined;
}

/** Returns the folders to which a publish has written. Their paths end with a slash. */
export function publishedFolders(outputs: readonly BuildOutput[]): BuildOutput[] {
  return outputs.filter(({ path }) => /[/\\]$/.test(path));
}

/** Returns the name of a project in results: the file name of an absolute path, or a relative path unchanged. */
export function displayProject(project: string): string {
  return isRooted(project) ? project.replaceAll('\\', '/').split('/').at(-1)! : project;
}

function isRooted(path: string): boolean {
  return isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path);
}
