import { basename, isAbsolute } from 'node:path';

/** `  App -> /src/App/bin/Debug/net10.0/App.dll`: what was built. */
export interface BuildOutput {
  readonly project: string;
  readonly path: string;
}

/** What MSBuild says that it has made, in order; each path once. */
export function outputsOf(output: string): BuildOutput[] {
  const found = new Map<string, BuildOutput>();
  for (const [, project, path] of output.matchAll(/^\s*(?:\d+>)?\s*(\S.*?) -> (\S.*?)\s*$/gm)) {
    if (isAbsolute(path!) || /^[A-Za-z]:\\/.test(path!)) found.set(path!, { project: project!, path: path! });
  }
  return [...found.values()];
}

/** The folder that a publish wrote to: it is printed with a slash at its end. */
export function publishedTo(output: string): string | undefined {
  return outputsOf(output).findLast(({ path }) => /[/\\]$/.test(path))?.path;
}

/** A project as results name it: an absolute path by its file name, a relative one as it was given. */
export function shownProject(project: string): string {
  return isAbsolute(project) || /^[A-Za-z]:[\\/]/.test(project) ? basename(project.replaceAll('\\', '/')) : project;
}
