import { lockTargetFor } from '../locks/lock-target.js';
import type { CommandRun } from '../process/command-run.js';
import { assetsPath } from '../projects/assets.js';
import { findProject } from '../projects/find-project.js';
import { loadProject } from '../projects/load-project.js';
import { type ListedPackage, type PackageList, packagesOf, readPackageList } from '../projects/packages.js';
import type { ActionCall, Answer } from '../tool/action.js';
import { withLock } from '../tool/answer-call.js';
import { options, positional } from '../tool/cli.js';
import { commandFailed } from '../tool/command-failed.js';

/** `dotnet_package` List: from files where they are current, else from the CLI (dotnet-runtime.md §1). */
export async function listPackages(call: ActionCall): Promise<Answer> {
  const { outdated, deprecated, vulnerable } = call.args;
  const isPlain = !outdated && !deprecated && !vulnerable;
  const known = isPlain ? await restoredPackages(call) : undefined;
  if (known) return packageAnswer(call, { packages: known, problems: [], sources: [] }, undefined);
  const { run, list } = await askCli(call, listArguments(call));
  return packageAnswer(call, list, run);
}

/** Vulnerable packages; a source that has no data on vulnerabilities is named, and never means that there are none. */
export async function auditPackages(call: ActionCall): Promise<Answer> {
  const { project, framework } = call.args;
  const argv = [
    ...['list', ...positional(project), 'package', '--vulnerable', '--include-transitive'],
    ...options(['--framework', framework]),
    ...MACHINE,
  ];
  const { run, list } = await askCli(call, argv);
  const vulnerable = list.packages.filter(({ vulnerabilities }) => vulnerabilities !== undefined);
  const lines = vulnerable.map(
    ({ name, resolvedVersion, vulnerabilities = [] }) =>
      `${name} ${resolvedVersion}: ${vulnerabilities.map(({ severity, advisoryUrl }) => `${severity} ${advisoryUrl}`).join(', ')}`,
  );
  const count = `${vulnerable.length} packages are known as vulnerable to ${list.sources.join(', ') || 'no source'} (a source may have no such data)`;
  const { problems, sources } = list;
  return {
    data: { packages: vulnerable, sources, ...(problems.length > 0 && { problems }) },
    text: [...lines, count, ...problems.map((problem) => `Warning: ${problem}`)].join('\n'),
    command: run.command,
  };
}

const MACHINE = ['--format', 'json', '--no-restore'];

function listArguments({ args }: ActionCall): string[] {
  return [
    ...['list', ...positional(args.project), 'package'],
    ...options(
      ['--outdated', args.outdated],
      ['--deprecated', args.deprecated],
      ['--vulnerable', args.vulnerable],
      ['--include-transitive', args.includeTransitive],
      ['--framework', args.framework],
    ),
    ...MACHINE,
  ];
}

async function restoredPackages(call: ActionCall): Promise<ListedPackage[] | undefined> {
  const project = findProject(call.resolve(call.args.project ?? '.'));
  if (project === undefined) return undefined;
  const source = call.services.projects(call);
  const load = () => loadProject(source, project, { properties: [], itemTypes: [] });
  const before = await load();
  if (!(await source.readAssets(assetsPath(before.evaluation)))) return undefined;
  // Of assets that are not current the CLI itself would show old versions, and say nothing of it.
  if (!before.restored) await restore(call);
  const loaded = before.restored ? before : await load();
  const assets = await source.readAssets(assetsPath(loaded.evaluation));
  if (!loaded.restored || !assets) return undefined;
  const { framework, includeTransitive } = call.args;
  return packagesOf(loaded.evaluation, assets).filter(
    (one) => (includeTransitive || !one.transitive) && (framework === undefined || one.framework === framework),
  );
}

/** Under the lock. @throws ActionFailed with the diagnostics of NuGet */
async function restore(call: ActionCall): Promise<void> {
  await withLock(call, 'restore', [lockTargetFor(call.args.project, call.cwd)], async () => {
    const run = await call.dotnet(['restore', ...positional(call.args.project)]);
    if (run.ending !== 'exited' || run.exitCode !== 0) throw commandFailed(run, { verb: 'Restore' });
  });
}

/** Asks the CLI; where it wants a restore, restores under the lock and asks again. */
async function askCli(call: ActionCall, argv: readonly string[]): Promise<{ run: CommandRun; list: PackageList }> {
  let run = await call.dotnet(argv);
  if (readPackageList(run.stdout)?.needsRestore) {
    await restore(call);
    run = await call.dotnet(argv);
  }
  const list = readPackageList(run.stdout);
  if (run.ending !== 'exited' || run.exitCode !== 0 || !list)
    throw commandFailed(run, { verb: 'Listing the packages' });
  return { run, list };
}

function packageAnswer(
  { args }: ActionCall,
  { packages, problems, sources }: Pick<PackageList, 'packages' | 'problems' | 'sources'>,
  run: CommandRun | undefined,
): Answer {
  const { filter, maxResults, outdated, deprecated, vulnerable, framework } = args;
  const isPlain = !outdated && !deprecated && !vulnerable && framework === undefined;
  const like = packages.filter(({ name }) => filter === undefined || name.toLowerCase().includes(filter.toLowerCase()));
  const shown = distinct(like.map((one) => (isPlain ? bare(one) : one))).slice(0, maxResults);
  const lines = shown.map((one) => {
    const { name, requestedVersion, resolvedVersion, latestVersion } = one;
    const versions = [requestedVersion, resolvedVersion, latestVersion && `latest ${latestVersion}`].filter(Boolean);
    return [name, ...versions, one.framework && `(${one.framework})`].filter(Boolean).join(' ');
  });
  return {
    data: {
      packages: shown,
      ...(!isPlain && sources.length > 0 && { sources }),
      ...(problems.length > 0 && { problems }),
    },
    text: [...lines, ...problems.map((problem) => `Warning: ${problem}`)].join('\n') || 'No packages',
    ...(run && { command: run.command }),
  };
}

/** As the seed has it, with nothing added (contract.md §2). */
function bare({ name, requestedVersion, resolvedVersion, transitive }: ListedPackage): ListedPackage {
  return {
    name,
    ...(requestedVersion !== undefined && { requestedVersion }),
    ...(resolvedVersion !== undefined && { resolvedVersion }),
    ...(transitive && { transitive }),
  };
}

function distinct(packages: readonly ListedPackage[]): ListedPackage[] {
  return [...new Map(packages.map((one) => [JSON.stringify(one), one])).values()];
}
