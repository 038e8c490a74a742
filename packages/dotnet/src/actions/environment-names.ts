import { commandEnvironment } from '../process/command-environment.js';
import type { Check } from './checks.js';
import { InvalidParameterError } from './invalid-parameter.js';

/**
 * The variables that Mortise sets for its commands (process/command-environment.ts, sessions, build servers,
 * evaluations). With another value the output could be unreadable, or the processes of a call could not be ended.
 */
const OWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(commandEnvironment({})),
  ...['DOTNET_WATCH_SUPPRESS_EMOJIS', 'DOTNET_WATCH_SUPPRESS_LAUNCH_BROWSER'],
  ...['MSBUILDNODEHANDSHAKESALT', 'SHAREDCOMPILATIONID', 'DOTNET_TIEREDPGO'],
  ...['MSBUILDENABLEALLPROPERTYFUNCTIONS', 'MSBUILD_LOGGING_ARGS', 'VSTEST_DIAG', 'VSTEST_DIAG_VERBOSITY'],
]);

/** The prefix of the variables with which the server marks the processes that it starts. */
const OWN_PREFIX = 'MORTISE_';

/** Operating systems accept more names, but programs do not. Windows reserves names that begin with `=`. */
const NAME = /^[^\s=\p{Cc}\uFDD0\uFDD1]{1,255}$/u;

/** The environment variables of a program. Invalid names, and the names of Mortise's own variables, are refused. */
export const environmentNames: Check<Record<string, unknown>> = (value, parameter) => {
  for (const name of Object.keys(value)) {
    if (!NAME.test(name))
      throw new InvalidParameterError(
        parameter,
        'invalid characters',
        `'${name}' in '${parameter}' is not a valid name of an environment variable`,
        { hint: 'A name has up to 255 characters without spaces, control characters and equals signs.' },
      );
    const upper = name.toUpperCase();
    if (!OWN_NAMES.has(upper) && !upper.startsWith(OWN_PREFIX)) continue;
    throw new InvalidParameterError(parameter, 'invalid value', `Parameter '${parameter}' must not set ${name}`, {
      providedValue: name,
      hint: `The server sets ${name} itself for the commands that it runs. Remove it from '${parameter}'.`,
    });
  }
};
