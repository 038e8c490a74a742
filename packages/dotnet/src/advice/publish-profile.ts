import { dirname, join } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { suggestNames } from '@mortise/plugin/runtime';
import { namesIn } from '../project-files/readable-files.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { again, manual } from './next-call.js';

/** Matches the warning NETSDK1198. SDK 10 still publishes, but without the profile. */
const MISSING = /publish profile with the name '([^'\n]{1,200})' was not found/i;

/**
 * If the project lacks the publish profile, recommends the same call with the most similar one and lists all profiles.
 * @returns undefined for other messages
 */
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

/** The folders of publish profiles; projects in Visual Basic use the second. */
const FOLDERS = [join('Properties', 'PublishProfiles'), join('My Project', 'PublishProfiles')];

function publishProfilesOf(project: string): string[] {
  const files = FOLDERS.flatMap((folder) => namesIn(join(dirname(project), folder)));
  return files.flatMap((file) => /^(.+)\.pubxml$/i.exec(file)?.[1] ?? []).sort();
}
