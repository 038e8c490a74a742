import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Root } from '@mortise/plugin';
import type { WorkspaceReader } from '../analysis/workspace.js';
import { type Action, type ActionContext, parametersOf } from './action.js';
import { isWithinRoots } from './allowed-roots.js';

/** The first version without roots: they are deprecated, and asked for where older clients have them. */
const WITHOUT_ROOTS = '2026-07-28';

/**
 * The project or solution for a call that names none and whose folder has none: the one in the client's roots, if there
 * is exactly one (docs/spec/dotnet-runtime.md#roots). Undefined if the client has no roots, or they contain none or
 * several.
 */
export async function projectInRoots(action: Action, call: ActionContext): Promise<string | undefined> {
  const { args, context, services, cwd } = call;
  const { workspaces } = services;
  const isNamed = [args.project, args.projectPath, args.workingDirectory].some((path) => path !== undefined);
  if (isNamed || !parametersOf({}, action).includes('project') || context.protocolVersion >= WITHOUT_ROOTS)
    return undefined;
  if (context.clientCapabilities.roots === undefined || workspaces.isCached(cwd)) return undefined;
  const folders = (await rootsOf(call)).filter((root) => isWithinRoots(services.settings.roots, root));
  const candidates = folders.flatMap((root) => candidatesIn(workspaces, root));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** A client that does not answer leaves the call as it is. */
async function rootsOf({ context }: ActionContext): Promise<string[]> {
  const roots = await context.input.roots('roots').catch((): Root[] => []);
  return roots.flatMap(({ uri }) => folderOf(uri) ?? []);
}

function folderOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The solution of a folder, else all projects in it. */
function candidatesIn(workspaces: WorkspaceReader, root: string): string[] {
  const { solution, projects } = workspaces.read(root);
  return (solution === undefined ? projects.map(({ path }) => path) : [solution]).map((path) => resolve(root, path));
}
