import { commandEnvironment } from '../process/command-environment.js';
import type { Check } from './checks.js';
import { InvalidParameterError } from './invalid-parameter.js';

/**
 * Names that our own runs set (process/command-environment.ts, sessions, build servers, evaluations): another value would make output
 * unreadable, or break the end of a call.
 */
const OWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(commandEnvironment({})),
  ...['DOTNET_WATCH_SUPPRESS_EMOJIS', 'DOTNET_WATCH_SUPPRESS_LAUNCH_BROWSER'],
  ...['MSBUILDNODEHANDSHAKESALT', 'SHAREDCOMPILATIONID', 'DOTNET_TIEREDPGO'],
  ...['MSBUILDENABLEALLPROPERTYFUNCTIONS', 'MSBUILD_LOGGING_ARGS', 'VSTEST_DIAG', 'VSTEST_DIAG_VERBOSITY'],
]);

/** Marks of the server on the processes that it starts. */
const OWN_PREFIX = 'MORTISE_';

/** Systems take more; programs do not. Windows keeps names that begin with `=` for itself. */
const NAME = /^[^\s=\p{Cc}\uFDD0\uFDD1]{1,255}$/u;

/** Environment variables of a run: names that a variable can have, and that are not ours. */
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
