import { suggestNames } from '@mortise/plugin/runtime';
import type { Command } from 'commander';
import { narrowPrincipal, profileNames } from '../../access/access.js';
import { READ_ONLY_PROFILE } from '../../access/profile-rules.js';
import { LOCAL } from '../../core/principal.js';
import type { Caller, ServerApi } from '../../core/server-api.js';
import type { Settings } from '../../settings/settings.js';
import { CliError } from './cli-error.js';

/** The values of the options that choose profiles. */
export interface ProfileOptions {
  readonly profile?: string;
  readonly readOnly?: true;
}

export function addProfileOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'only what this profile of the settings shows')
    .option('--read-only', 'only operations that change nothing (the built-in profile readOnly)');
}

/** Wraps the server so that lists and calls are restricted to these profiles. */
export function seenThrough<H extends ServerApi>(server: H, profiles: readonly string[]): H {
  if (profiles.length === 0) return server;
  const principal = narrowPrincipal(LOCAL, profiles);
  const withProfiles = (caller: Caller): Caller => ({ ...caller, principal });
  return {
    ...server,
    mcpLists: (viewer = principal) => server.mcpLists(viewer),
    plugins: (viewer = principal) => server.plugins(viewer),
    inputSchemaOf: (name, viewer = principal) => server.inputSchemaOf(name, viewer),
    callTool: (name, args, caller) => server.callTool(name, args, withProfiles(caller)),
    readResource: (uri, caller) => server.readResource(uri, withProfiles(caller)),
    getPrompt: (name, args, caller) => server.getPrompt(name, args, withProfiles(caller)),
    complete: (request, caller) => server.complete(request, withProfiles(caller)),
  };
}

/** Returns the names of the chosen profiles. @throws CliError for a profile that is not in the settings */
export function profilesOf({ profile, readOnly }: ProfileOptions, settings: Pick<Settings, 'Profiles'>): string[] {
  const names = profileNames(settings);
  if (profile !== undefined && !names.includes(profile)) {
    const [closest] = suggestNames(profile, names, 1);
    const hint = closest === undefined ? `The profiles are: ${names.join(', ')}.` : `Did you mean ${closest}?`;
    throw new CliError('usage', { message: `There is no profile '${profile}' in Profiles.`, hint });
  }
  return [...(profile === undefined ? [] : [profile]), ...(readOnly ? [READ_ONLY_PROFILE] : [])];
}
