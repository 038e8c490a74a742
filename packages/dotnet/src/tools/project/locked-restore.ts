import { dirname, join, relative } from 'node:path';
import { readRegularText } from '@mortise/plugin/runtime';
import type { Action, ActionContext } from '../../actions/action.js';
import { namesIn } from '../../project-files/readable-files.js';
import { projectsOf } from '../shared/projects-of.js';

/** Matches `packages.lock.json`, and the lock file of a single project: `packages.App.lock.json`. */
const LOCK_FILE = /^packages\.(?:.+\.)?lock\.json$/i;

/**
 * Adds a note to the result of a restore with lockedMode that has rewritten a lock file. That happens if the project
 * sets RestoreForceEvaluate, which overrules lockedMode (NuGet 7).
 */
export function tellingRewrites(restore: Action['execute']): Action['execute'] {
  return async (call) => {
    const before = call.args.lockedMode ? lockFilesOf(call) : new Map<string, string>();
    const result = await restore(call);
    const rewritten = [...before].filter(([path, text]) => readRegularText(path) !== text);
    if (rewritten.length === 0) return result;
    const paths = rewritten.map(([path]) => relative(call.cwd, path) || path).join(', ');
    const note = `lockedMode was overruled, and ${paths} was rewritten: look for RestoreForceEvaluate in the project and its Directory.Build files.`;
    return { ...result, data: { ...result.data, note }, text: `${result.text}\n${note}` };
  };
}

/** Reads the lock files of the projects that are restored. @returns their texts by path */
function lockFilesOf(call: ActionContext): Map<string, string> {
  const folders = new Set(projectsOf(call).map((project) => dirname(project)));
  const paths = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => LOCK_FILE.test(name))
      .map((name) => join(folder, name)),
  );
  return new Map(paths.map((path) => [path, readRegularText(path)]));
}
