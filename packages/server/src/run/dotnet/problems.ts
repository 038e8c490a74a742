import { type DotnetSearchOptions, findDotnet } from '@mortise/dotnet/find-dotnet';
import type { JsonObject } from '@mortise/plugin';
import {
  isJsonObject,
  type PluginProblem,
  PROBLEM_CODES,
  type ProblemCode,
  type ProblemLocation,
} from '@mortise/plugin/runtime';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import { lastOutput } from '../mounted/connection-problem.js';
import { wasTooSlowToStart } from '../mounted/start-limit.js';
import { loadTimeoutProblem } from '../shared/load-clock.js';
import { findPluginHost } from './find-plugin-host.js';

const INSTALL = 'Install .NET 8 or later (https://dot.net) so that dotnet is on PATH, or set Dotnet.Path';

/** The problem if .NET or the plugin host is missing. @param file the plugin's assembly */
export function missingPart(file: string, dotnetOptions: DotnetSearchOptions): PluginProblem | undefined {
  if (findDotnet(dotnetOptions) === undefined) {
    const where =
      dotnetOptions.setting === ''
        ? 'dotnet was not found'
        : `Dotnet.Path is ${dotnetOptions.setting}, which is not an executable`;
    return notAvailable(file, `C# plugins need .NET: ${where}`, `${INSTALL}; then reload the plugins.`);
  }
  if (findPluginHost() === undefined) {
    const hint = 'Run `npm run build` in the repository of Mortise, with the .NET SDK; then reload the plugins.';
    return notAvailable(file, 'The host that runs C# plugins is not built', hint);
  }
  return undefined;
}

/** The message of `dotnet` if the runtime that the host needs is missing. */
const NO_RUNTIME = /You must install (?:or update )?\.NET|hostfxr/;

/** The name of a missing framework other than .NET itself, which only some plugins need. */
const OTHER_FRAMEWORK = /^Framework: '(?!Microsoft\.NETCore\.App')([^']+)'/m;

/** The hint for a C# plugin that takes too long to load. */
export const DOTNET_TIMEOUT_HINT =
  'Look for code in the constructors of its tools that never finishes, or raise Plugins.LoadTimeoutMs.';

/** The problem of a plugin whose host did not start. */
export function toStartProblem(
  file: string,
  dotnetOptions: DotnetSearchOptions,
  ended: ProcessExitedError,
): PluginProblem {
  const { reason, output } = ended;
  const [, framework] = OTHER_FRAMEWORK.exec(output) ?? [];
  if (framework !== undefined) {
    const message = `The plugin needs ${framework}, which is not installed`;
    return notAvailable(
      file,
      message,
      `Install that runtime (https://dot.net); \`dotnet --list-runtimes\` shows it then.`,
    );
  }
  if (NO_RUNTIME.test(output))
    return notAvailable(file, 'C# plugins need .NET 8 or later, which is not installed', `${INSTALL}.`);
  if (wasTooSlowToStart(ended)) return loadTimeoutProblem(file, reason.replace(/^.* within /, ''), DOTNET_TIMEOUT_HINT);
  return (
    missingPart(file, dotnetOptions) ?? {
      severity: 'error',
      code: 'PLUGIN_ENDED_PROCESS',
      message: `The process ended while the plugin was loaded: ${reason}${lastOutput(output)}`,
      hint: 'Remove the code that ends the process. Do such work when a tool is called.',
      location: { file },
    }
  );
}

function notAvailable(file: string, message: string, hint: string): PluginProblem {
  return { severity: 'error', code: 'DOTNET_NOT_AVAILABLE', message, hint, location: { file } };
}

const MAX_PROBLEMS = 100;

/** Reads the problems that the host reports with a page of tools. Ignores everything that is not a problem. */
export function parseHostProblems({ _meta }: JsonObject, file: string): PluginProblem[] {
  const value = isJsonObject(_meta) ? _meta['mortise/problems'] : undefined;
  return Array.isArray(value) ? value.slice(0, MAX_PROBLEMS).flatMap((item) => parseProblem(item, file)) : [];
}

function parseProblem(value: unknown, file: string): PluginProblem[] {
  if (!isJsonObject(value)) return [];
  const { severity, code, message, hint, location } = value;
  if (typeof message !== 'string' || typeof hint !== 'string' || !isCode(code)) return [];
  const level = severity === 'warning' ? 'warning' : 'error';
  const place = isJsonObject(location) ? placeOf(location) : {};
  return [{ severity: level, code, message, hint, location: { file, ...place } }];
}

/** Takes the file and line only together, because the line is in the author's source file. */
function placeOf({ file, line, subject }: JsonObject): Partial<ProblemLocation> {
  const hasLine = typeof file === 'string' && Number.isSafeInteger(line);
  return {
    ...(hasLine && { file, line: line as number }),
    ...(typeof subject === 'string' && { subject }),
  };
}

const isCode = (code: unknown): code is ProblemCode => typeof code === 'string' && Object.hasOwn(PROBLEM_CODES, code);
