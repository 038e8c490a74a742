import { meantMember, TOOL_MEMBERS } from '../tool-members.js';
import { isToolClass, isToolObject } from './tool-exports.js';
import { tryRead } from './try-read.js';

/**
 * Returns the members of a tool that are probably misspelt, each with the probable name. A class may have members of its
 * own, so only a name that differs by one or two letters and has the type of the probable member counts as misspelt.
 */
export function misspeltMembers(tool: object): [member: string, meant: string][] {
  return tryRead(() => misspelt(tool)) ?? [];
}

/**
 * Members that Mortise adds to a tool's definition. They are known, so nobody has to look for a similar name; with a
 * thousand tools that takes long.
 */
const DEFINITION_MEMBERS = ['origin', 'definedAt', 'wrapsOutput', 'callsAsTask', 'checksArguments'];

function misspelt(tool: object): [member: string, meant: string][] {
  return Object.entries(tool).flatMap(([key, value]): [string, string][] => {
    const isKnown = DEFINITION_MEMBERS.includes(key) || Object.hasOwn(TOOL_MEMBERS, key);
    const meant = isKnown ? undefined : meantMember(key);
    const isMeant = meant !== undefined && !(meant in tool) && typeof value === TOOL_MEMBERS[meant];
    return isMeant ? [[key, meant]] : [];
  });
}

const METHODS = ['execute', 'run', 'executeSync', 'call', 'invoke', 'handle', 'handler'];
const TOOL_WORDS = /\b(?:inputSchema|outputSchema)\b/;

/** The method that an exported class or object has instead of `executeAsync`, if it is meant as a tool but is none. */
export function methodInsteadOfExecute(value: unknown): string | undefined {
  return tryRead(() => methodInstead(value));
}

function methodInstead(value: unknown): string | undefined {
  if (typeof value === 'function') {
    if (isToolClass(value) || !/^class\b/.test(Function.prototype.toString.call(value))) return undefined;
    const { prototype } = value as { prototype: object };
    return TOOL_WORDS.test(Function.prototype.toString.call(value)) ? methodOf(prototype) : undefined;
  }
  if (typeof value !== 'object' || value === null || isToolObject(value)) return undefined;
  return 'name' in value && 'inputSchema' in value ? methodOf(value) : undefined;
}

export function methodInsteadOfRun(tool: object): string | undefined {
  return tryRead(() => methodOf(tool) ?? (isToolObject(tool) ? 'executeAsync' : undefined));
}

function methodOf(holder: object): string | undefined {
  return METHODS.find((name) => typeof (holder as Record<string, unknown>)[name] === 'function');
}
