import type { RecommendedAction } from '@mortise/plugin';
import type { FailureEvidence } from '../codes/root-cause-kind.js';
import { hasNoCode } from '../parse/multi-line-messages.js';
import { again, call, manual } from './next-call.js';
import { packageInMessage } from './package-in-message.js';
import { suggestPackages } from './suggest-packages.js';

const PACKING = /^NU5\d{3}$/i;
const LOCK_FILE_DIFFERS = 'NU1004';
const DOWNGRADE = /downgrade: ([\w.-]{1,100}) from (\d[\w.+-]{0,60}) to /;

/** The next action for an error of NuGet. */
export function adviseOnPackage({ code, message, project, run }: FailureEvidence): RecommendedAction {
  const target = project !== undefined && { project };
  const downgrade = DOWNGRADE.exec(message);
  if (downgrade) {
    const [, packageId, version] = downgrade;
    return call(`Reference ${packageId} ${version} directly.`, 'dotnet_package', {
      action: 'Add',
      packageId,
      version,
      ...target,
    });
  }
  if (code === LOCK_FILE_DIFFERS) {
    return call('Update the lock file: restore once without locked mode.', 'dotnet_project', {
      action: 'Restore',
      ...target,
      properties: { RestoreLockedMode: 'false', RestoreForceEvaluate: 'true' },
    });
  }
  if (hasNoCode(code)) return manual('Correct the problem that the message reports.');
  if (code === 'NUGET_NO_SOURCES')
    return manual('Add a package source: dotnet_package AddSource takes its name and its address.');
  if (PACKING.test(code)) return manual(`Correct the problem that ${code} reports, then pack again.`);
  const searchTerm = packageInMessage(message);
  if (code === 'NUGET_NO_SEARCH')
    return again('Search for the exact id, which works without a search service.', { exactMatch: true });
  if (run?.args[0] === 'tool') {
    return call('See which sources were asked; correct the id or add the source that has it.', 'dotnet_package', {
      action: 'ListSources',
    });
  }
  if (searchTerm === undefined) {
    return call('See the packages of the project.', 'dotnet_package', { action: 'List', ...target });
  }
  if (code === 'NU1101') return adviseOnUnknownPackage(searchTerm, run);
  return call(`Search for ${searchTerm}.`, 'dotnet_package', {
    action: 'Search',
    searchTerm,
    ...(code === 'NU1102' && { exactMatch: true }),
    ...(code === 'NU1103' && { prerelease: true }),
  });
}

/** No source has the package, so a search would find nothing; similar ids come from the projects and the cache. */
function adviseOnUnknownPackage(id: string, run: FailureEvidence['run']): RecommendedAction {
  const suggestions = run === undefined ? [] : suggestPackages(id, run.cwd);
  const [closest] = suggestions;
  if (closest === undefined) {
    return manual(
      `No source has ${id}, and no package of the projects or the local cache has a name like it. Correct the id, or add the source that has it (dotnet_package AddSource).`,
    );
  }
  const found = `No source has ${id}. Packages with a name like it: ${suggestions.join(', ')}.`;
  if (run!.args.includes('add') && run!.args.includes(id)) return again(found, { packageId: closest });
  return call(`${found} See the versions of ${closest}, then reference it instead.`, 'dotnet_package', {
    action: 'Search',
    searchTerm: closest,
    exactMatch: true,
  });
}
