import { ownMember } from '@mortise/plugin/runtime';
import { commandEnvironment } from '../process/command-environment.js';
import { InvalidParameterError } from './invalid-parameter.js';
import type { Arguments } from './parameters.js';

/**
 * The value of `credentialVariable` as the variable that NuGet reads an API key from; empty if it is not set for this
 * server. The server's own settings are never read, nor variables that were fetched for others.
 */
export function credentialOf({ credentialVariable }: Arguments, withheld: ReadonlySet<string>): Record<string, string> {
  if (credentialVariable === undefined) return {};
  const value = ownMember(commandEnvironment(process.env, withheld), credentialVariable) ?? '';
  return value === '' ? {} : { NUGET_API_KEY: value };
}

/** @throws InvalidParameterError where the variable is not set */
export function requireCredential(args: Arguments, withheld: ReadonlySet<string>): Record<string, string> {
  const found = credentialOf(args, withheld);
  const { credentialVariable } = args;
  if (credentialVariable === undefined || found.NUGET_API_KEY !== undefined) return found;
  throw new InvalidParameterError(
    'credentialVariable',
    'not found',
    `The environment variable ${credentialVariable} is not set for the server`,
    {
      providedValue: credentialVariable,
      hint: 'Set it in the environment that the server is started with (env of the MCP client).',
    },
  );
}
