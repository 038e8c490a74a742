import { errorEntry } from '../advice/plain-error.js';
import type { HostError } from '../host/dotnet-host.js';
import { ActionError } from './action.js';

/** Creates the error of a call whose .NET process cannot be used; a plain Error for a fault in our own code. */
export function hostFailure({ kind, message }: HostError, memoryMb: number): Error {
  const hint = HINTS[kind]?.(memoryMb);
  if (hint === undefined) return new Error(message);
  const alternatives = ['Install the .NET SDK 8 or later', 'Use Build of dotnet_project for diagnostics'];
  const entry = errorEntry('CAPABILITY_NOT_AVAILABLE', message, { hint, alternatives, data: { exitCode: -1 } });
  return new ActionError(message, { errors: [entry] });
}

const HINTS: Readonly<Record<string, (memoryMb: number) => string>> = {
  unavailable: () => 'Use one of the alternatives.',
  memory: (memoryMb) => `It may use ${memoryMb} MB. Raise the setting Dotnet.HostMemoryMb, or name a smaller project.`,
  ended: () => 'Call again: another process is started.',
};
