import { isAbsolute } from 'node:path';
import { cleanLine } from '../../diagnostics/parse/clean-line.js';

/** `  App -> /src/App/bin/Debug/net10.0/App.dll`: what was built. */
export interface BuildOutput {
  readonly project: string;
  readonly path: string;
}

const ARROW = ' -> ';

/** The output that this line of MSBuild reports. */
export function outputIn(text: string): BuildOutput | undefined {
  if (!text.includes(ARROW)) return undefined;
  const { line } = cleanLine(text);
  const at = line.indexOf(ARROW);
  const path = line.slice(at + ARROW.length).trim();
  return at > 0 && isRooted(path) ? { project: line.slice(0, at), path } : undefined;
}

/** The folders that a publish wrote to: they are printed with a slash at their end. */
export function publishedFolders(outputs: readonly BuildOutput[]): BuildOutput[] {
  return outputs.filter(({ path }) => /[/\\]$/.test(path));
}

/** A project as results name it: an absolute path by its file name, a relative one unchanged. */
export function displayProject(project: string): string {
  return isRooted(project) ? project.replaceAll('\\', '/').split('/').at(-1)! : project;
}

function isRooted(path: string): boolean {
  return isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path);
}
