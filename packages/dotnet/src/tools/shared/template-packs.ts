import { existsSync } from 'node:fs';
import { type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { options, runCli } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { CommandRun } from '../../process/command-run.js';

/** A template pack: a path, or the id of a package with an optional version. */
export type TemplatePackage = { path: string } | { id: string; version?: string };

const NAME = 'templatePackage';

function refuse(message: string, reason: 'invalid value' | 'invalid characters' | 'conflict', parameter = NAME): never {
  throw new InvalidParameterError(parameter, reason, message);
}

/**
 * Parses `id`, `id@version`, `id::version` or a path (docs/spec/dotnet-tools.md#template-package).
 * @throws InvalidParameterError if it is none of them, or if a version is given twice
 */
export function parseTemplatePackage(spec: string, templateVersion?: string): TemplatePackage {
  if (isPath(spec)) {
    if (templateVersion !== undefined)
      refuse(`Parameter '${NAME}' is a path, which has no templateVersion`, 'conflict', 'templateVersion');
    return { path: spec };
  }
  const [id, version] = splitVersion(spec);
  if (!/^[\p{L}\p{N}._-]+$/u.test(id))
    refuse(`Parameter '${NAME}' is not a package ID: letters, digits, '.', '-' and '_' only`, 'invalid characters');
  if (templateVersion === undefined) return version === undefined ? { id } : { id, version };
  if (version !== undefined)
    refuse(`Parameter '${NAME}' already contains a version; give it there or as templateVersion`, 'conflict');
  if (/\s/.test(templateVersion))
    refuse("Parameter 'templateVersion' contains invalid characters", 'invalid characters', 'templateVersion');
  return { id, version: templateVersion };
}

/** True for a text that looks like a path, whether or not it exists. */
export function isPath(spec: string): boolean {
  return /[/\\]/.test(spec) || spec.startsWith('.') || /\.nupkg$/i.test(spec);
}

function splitVersion(spec: string): [id: string, version?: string] {
  const separators = spec.match(/@|::/g) ?? [];
  if (separators.length === 0) return [spec];
  if (separators.length > 1) refuse(`Parameter '${NAME}' has more than one version`, 'invalid value');
  const [id, version] = spec.split(separators[0]!) as [string, string];
  if (version === '') refuse(`Parameter '${NAME}' has an empty version after '${separators[0]}'`, 'invalid value');
  return [id, version];
}

/** The exit code of `dotnet new` if a pack cannot be installed, for example because it is installed already. */
const NOT_INSTALLED = 106;
/** The exit code of `dotnet new` if a pack was not found. */
const NOT_FOUND = 103;

/** A pack that is already installed counts as a success. */
const isInstalled = ({ exitCode, output }: CommandRun): boolean =>
  exitCode === NOT_INSTALLED && /\bis already installed\b/.test(output);

/**
 * Runs `dotnet new install`. If the requested version does not exist, the CLI has removed the installed one, which is
 * then reinstalled.
 */
export async function installTemplatePack(call: ActionContext): Promise<ActionResult> {
  const { templatePackage, templateVersion, nugetSource, interactive, force } = call.args;
  const pack = parseTemplatePackage(templatePackage!, templateVersion);
  if ('path' in pack && !existsSync(call.resolve(pack.path)))
    throw new InvalidParameterError(NAME, 'not found', `Parameter '${NAME}' not found: ${pack.path}`, {
      hint: `Give the path of an existing file or folder. Resolved path: ${call.resolve(pack.path)}.`,
    });
  const formerVersion = 'id' in pack ? await call.services.sdk.templatePackVersion(pack.id) : undefined;
  const argument = 'path' in pack ? pack.path : `${pack.id}${pack.version === undefined ? '' : `@${pack.version}`}`;
  const run = await runCli(
    {
      label: 'Template pack install',
      commandArgs: () => [
        ...['new', 'install', argument],
        ...options(['--nuget-source', nugetSource], ['--interactive', interactive], ['--force', force]),
      ],
      isSuccess: (run) => run.exitCode === 0 || run.exitCode === NOT_FOUND || isInstalled(run),
    },
    call,
  );
  call.services.sdk.reset();
  if (run.exitCode === NOT_FOUND) {
    const note =
      'id' in pack && formerVersion !== undefined ? await reinstall(call, pack.id, formerVersion) : undefined;
    throw commandFailed(run, {
      label: 'Template pack install',
      partialResult: { templatePackage: argument, ...(note && { note }) },
      advice: { hint: note ?? 'Check the id, the version and the package sources.' },
    });
  }
  const wasInstalled = isInstalled(run);
  return changed(
    wasInstalled ? `${argument} is installed already` : `${argument} installed`,
    { ...(wasInstalled && { changed: false }), templatePackage: argument },
    {
      exitCode: run.exitCode,
      command: run.command,
      ...(wasInstalled && { metadata: { alreadyInstalled: 'true' } }),
    },
  );
}

async function reinstall(call: ActionContext, id: string, version: string): Promise<string> {
  const run = await call.dotnet(['new', 'install', `${id}@${version}`]);
  return run.exitCode === 0
    ? `The CLI had removed ${id} ${version}; it was reinstalled`
    : `The CLI has removed ${id} ${version}, and it could not be reinstalled`;
}
