import { meantMember, TOOL_MEMBERS } from '../tool-members.js';
import { isToolClass, isToolObject } from './tool-exports.js';

/**
 * Members of a tool that look misspelt, each with the name that was probably meant. A class can have other members, so
 * only those count that differ by a letter or two and have the type of the intended member.
 */
export function misspeltMembers(tool: object): [member: string, meant: string][] {
  return tryRead(() => misspelt(tool)) ?? [];
}

/** What the function gives; undefined where an exotic object (a Proxy, a getter) throws. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function misspelt(tool: object): [member: string, meant: string][] {
  return Object.entries(tool).flatMap(([key, value]): [string, string][] => {
    // The data of a tool has it, and names are compared letter by letter.
    const isKnown = key === 'origin' || Object.hasOwn(TOOL_MEMBERS, key);
    const meant = isKnown ? undefined : meantMember(key);
    const isMeant = meant !== undefined && !(meant in tool) && typeof value === TOOL_MEMBERS[meant];
    return isMeant ? [[key, meant]] : [];
  });
}

const METHODS = ['execute', 'run', 'executeSync', 'call', 'invoke', 'handle', 'handler'];
/** What a class or object has that is meant as a tool. */
const TOOL_WORDS = /\b(?:inputSchema|outputSchema)\b/;

/** The method that an exported class or object has in the place of `executeAsync`, if it is meant as a tool and is none. */
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

/** The method that a registered tool has in the place of `run`. */
export function methodInsteadOfRun(tool: object): string | undefined {
  return tryRead(() => methodOf(tool) ?? (isToolObject(tool) ? 'executeAsync' : undefined));
}

function methodOf(holder: object): string | undefined {
  return METHODS.find((name) => typeof (holder as Record<string, unknown>)[name] === 'function');
}
