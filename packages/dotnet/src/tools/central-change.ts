import { type ActionContext, ActionError } from '../actions/action.js';
import { placeOf } from '../actions/changed-lines.js';
import type { Arguments } from '../actions/parameters.js';
import { errorEntry } from '../advice/plain-error.js';
import type { CentralVersion } from '../nuget/central-version.js';
import type { VersionDeclaration } from '../nuget/package-versions.js';
import { compareVersions } from '../nuget/version-range.js';
import { relativePath } from '../project-files/relative-path.js';

/** The maximum number of projects in a sentence. The data lists all of them. */
const MAX_NAMES = 10;

/** Joins the paths of projects for a sentence, relative to the folder of the call. */
export function projectNames(projects: readonly string[], { cwd }: ActionContext): string {
  const names = projects.slice(0, MAX_NAMES).map((path) => relativePath(cwd, path));
  const omittedCount = projects.length - names.length;
  return `${names.join(', ')}${omittedCount > 0 ? ` and ${omittedCount} more` : ''}`;
}

/** Returns for example `Directory.Packages.props, line 7: 12.0.1`. */
export function versionPlace(declaration: VersionDeclaration, call: Pick<ActionContext, 'cwd'>): string {
  return `${placeOf(call, declaration)}: ${declaration.version}`;
}

/** Describes the version that the CLI chooses if the call names none. */
export const newestOf = ({ prerelease }: Arguments) => (prerelease ? 'newest, prereleases included' : 'newest stable');

/** Returns a sentence that lists the projects which the change of a central version affects. */
export function affects(call: ActionContext, projects: readonly string[]): string {
  return `The central version changed for: ${projectNames(projects, call)}`;
}

/**
 * Refuses to add a package with a version lower than the central one, because the CLI would silently lower the version
 * of all projects.
 * @throws ActionError unless the call has `force`
 */
export function assertNotLower(call: ActionContext, central: CentralVersion | undefined): void {
  const { packageId, version, force } = call.args;
  if (!central || version === undefined || force) return;
  const difference = compareVersions(version, central.version);
  if (difference === undefined || difference >= 0) return;
  const users = central.projects.length === 0 ? 'no project yet' : projectNames(central.projects, call);
  const message = `${packageId} ${version} is lower than the central version ${central.version} in ${central.file}; nothing was changed`;
  const alternatives = [
    `Without version: the project takes ${central.version}.`,
    `With force: true: ${version} becomes the version of all projects that take the central one (${users}).`,
  ];
  const data = {
    exitCode: -1,
    additionalData: {
      parameter: 'version',
      reason: 'conflict',
      providedValue: version,
      centralVersion: central.version,
    },
  };
  const { version: _, ...same } = call.args;
  const entry = errorEntry('INVALID_PARAMS', message, { hint: alternatives.join(' '), alternatives, data });
  throw new ActionError(message, {
    errors: [
      {
        ...entry,
        rootCauseKind: 'InvalidParameter',
        recommendedAction: {
          actionKind: 'CallTool',
          description: `Add the package with the central version ${central.version}.`,
          toolName: 'dotnet_package',
          arguments: same,
        },
      },
    ],
    structured: { changed: false, affectedProjects: central.projects },
  });
}
