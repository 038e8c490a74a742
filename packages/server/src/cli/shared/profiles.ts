import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import { narrowPrincipal, profileNames } from '../../access/access.js';
import { READ_ONLY_PROFILE } from '../../access/profile-rules.js';
import { LOCAL } from '../../core/principal.js';
import type { Caller, ServerApi } from '../../core/server-api.js';
import type { Settings } from '../../settings/settings.js';
import { CliError } from './cli-error.js';

/** The options that choose profiles. */
export interface ProfileOptions {
  readonly profile?: string;
  readonly readOnly?: true;
}

export function addProfileOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'only what this profile of the settings shows')
    .option('--read-only', 'only what reads: the built-in profile readOnly');
}

/** The host as these profiles show it. */
export function seenThrough<H extends ServerApi>(host: H, profiles: readonly string[]): H {
  if (profiles.length === 0) return host;
  const principal = narrowPrincipal(LOCAL, profiles);
  const by = (caller: Caller): Caller => ({ ...caller, principal });
  return {
    ...host,
    mcpLists: (seer = principal) => host.mcpLists(seer),
    plugins: (seer = principal) => host.plugins(seer),
    inputSchemaOf: (name, seer = principal) => host.inputSchemaOf(name, seer),
    callTool: (name, args, caller) => host.callTool(name, args, by(caller)),
    readResource: (uri, caller) => host.readResource(uri, by(caller)),
    getPrompt: (name, args, caller) => host.getPrompt(name, args, by(caller)),
    complete: (request, caller) => host.complete(request, by(caller)),
  };
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
