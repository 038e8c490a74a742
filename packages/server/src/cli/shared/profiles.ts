import { suggestNames } from '@mortise/plugin/runtime';
import { profileNames } from '../../access/access.js';
import { READ_ONLY_PROFILE } from '../../access/profile-rules.js';
import type { Settings } from '../../settings/settings.js';
import { CliError } from './cli-error.js';

/** The options that choose profiles. */
export interface ProfileOptions {
  readonly profile?: string;
  readonly readOnly?: true;
}

/** @returns the names of the profiles @throws CliError for one that is not in the settings */
export function profilesOf({ profile, readOnly }: ProfileOptions, settings: Pick<Settings, 'Profiles'>): string[] {
  const names = profileNames(settings);
  if (profile !== undefined && !names.includes(profile)) {
    const [closest] = suggestNames(profile, names, 1);
    const hint = closest === undefined ? `The profiles are: ${names.join(', ')}.` : `Did you mean ${closest}?`;
    throw new CliError('usage', { message: `There is no profile '${profile}' in Profiles.`, hint });
  }
  return [...(profile === undefined ? [] : [profile]), ...(readOnly ? [READ_ONLY_PROFILE] : [])];
}
