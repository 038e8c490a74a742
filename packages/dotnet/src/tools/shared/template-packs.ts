import { existsSync } from 'node:fs';
import { type ActionContext, type ActionResult, changed } from '../../actions/action.js';
import { options, runCli } from '../../actions/cli-action.js';
import { commandFailed } from '../../actions/command-failed.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { CommandRun } from '../../process/command-run.js';

/** A template pack as a package with an optional version, or a path. */
export type TemplatePackage = { path: string } | { id: string; version?: string };

const NAME = 'templatePackage';

function refuse(message: string, reason: 'invalid value' | 'invalid characters' | 'conflict', parameter = NAME): never {
  throw new InvalidParameterError(parameter, reason, message);
}

/**
 * Reads `id`, `id@version`, `id::version` or a path (docs/spec/dotnet-tools.md#template-package).
 * @throws InvalidParameterError
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

/** What looks like a path is one. */
export function isPath(spec: string): boolean {
  return /[/\\]/.test(spec) || spec.startsWith('.') || /\.nupkg$/i.test(spec);
}

function splitVersion(spec: string): [id: string, version?: string] {
  const separators = spec.match(/@|::/g) ?? [];
  if (separators.length === 0) return [spec];
  if (separators.length > 1) refuse(`Parameter '${NAME}' has more than one version`, 'invalid value');
  const [id, version] = spec.split(separators[0]!) as [string, string];
  if (version === '') refuse(`Parameter '${NAME}' has an empty version behind '${separators[0]}'`, 'invalid value');
  return [id, version];
}

/** `dotnet new`: the pack could not be installed, because it is installed already or for another reason; not found. */
const NOT_INSTALLED = 106;
const NOT_FOUND = 103;

/** Installed already is what was wanted. */
const isInstalled = ({ exitCode, output }: CommandRun): boolean =>
  exitCode === NOT_INSTALLED && /\bis already installed\b/.test(output);

/** Runs `new install`. If the version does not exist, the CLI removes the installed one, which is then reinstalled. */
export async function installTemplatePack(call: ActionContext): Promise<ActionResult> {
  const { templatePackage, templateVersion, nugetSource, interactive, force } = call.args;
  const pack = parseTemplatePackage(templatePackage!, templateVersion);
  if ('path' in pack && !existsSync(call.resolve(pack.path)))
    throw new InvalidParameterError(NAME, 'not found', `Parameter '${NAME}' not found: ${pack.path}`, {
      hint: `Resolved path: ${call.resolve(pack.path)}.`,
    });
  const before = 'id' in pack ? await call.services.sdk.templatePackVersion(pack.id) : undefined;
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
    const note = 'id' in pack && before !== undefined ? await restoreVersion(call, pack.id, before) : undefined;
    throw commandFailed(run, {
      label: 'Template pack install',
      partialResult: { templatePackage: argument, ...(note && { note }) },
      advice: { hint: note ?? 'Check the id, the version and the package sources.' },
    });
  }
  const isThere = isInstalled(run);
  return changed(
    isThere ? `${argument} is installed already` : `${argument} installed`,
    { ...(isThere && { changed: false }), templatePackage: argument },
    {
      exitCode: run.exitCode,
      command: run.command,
      ...(isThere && { metadata: { alreadyInstalled: 'true' } }),
    },
  );
}

async function restoreVersion(call: ActionContext, id: string, version: string): Promise<string> {
  const again = await call.dotnet(['new', 'install', `${id}@${version}`]);
  return again.exitCode === 0
    ? `The CLI had removed ${id} ${version}; it was reinstalled`
    : `The CLI has removed ${id} ${version}, and it could not be reinstalled`;
}
