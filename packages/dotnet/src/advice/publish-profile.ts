import { dirname, join } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import { namesIn } from '../project-files/readable-files.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { again, manual } from './next-call.js';

/** The message of NETSDK1198, a warning: the SDK publishes without the profile then (SDK 10). */
const MISSING = /publish profile with the name '([^'\n]{1,200})' was not found/i;

/** A publish profile that the project does not have: the same call with the nearest one, and the names of all. */
export function adviseOnPublishProfile({
  message,
  project,
}: Pick<FailureEvidence, 'message' | 'project'>): RecommendedAction | undefined {
  const name = MISSING.exec(message)?.[1];
  if (name === undefined || project === undefined) return undefined;
  const profiles = publishProfilesOf(project);
  if (profiles.length === 0)
    return manual(
      'The project has no publish profiles (Properties/PublishProfiles/*.pubxml): leave PublishProfile out.',
    );
  const [nearest] = profiles.length === 1 ? profiles : suggestNames(name, profiles, 1);
  const all = `The publish profiles of the project are ${profiles.join(', ')}.`;
  return nearest === undefined ? manual(all) : withProfile(all, nearest);
}

const withProfile = (description: string, PublishProfile: string): RecommendedAction =>
  again(description, { properties: { PublishProfile } });

/** A project keeps its publish profiles in one of these folders; Visual Basic uses the second. */
const FOLDERS = [join('Properties', 'PublishProfiles'), join('My Project', 'PublishProfiles')];

function publishProfilesOf(project: string): string[] {
  const files = FOLDERS.flatMap((folder) => namesIn(join(dirname(project), folder)));
  return files.flatMap((file) => /^(.+)\.pubxml$/i.exec(file)?.[1] ?? []).sort();
}
