import { tryRead } from './try-read.js';

export type ToolClass = (new (context: unknown) => object) & { prototype: object };

/** An exported object that looks like a tool. Its members have not been checked. */
export interface ToolObject {
  name?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  executeAsync(...args: unknown[]): unknown;
  dispose?(): unknown;
}

/** Matches `executeAsync` as a separate word or as a member of `this`, but not a call on another object. */
const NAMES_EXECUTE = /(?<!(?<!\bthis\??)\.)\bexecuteAsync\b/;

/** True if the instances of a class are tools (docs/spec/plugin-api.md#exported-tools). */
export function isToolClass(value: unknown): value is ToolClass {
  return typeof value === 'function' && isTrue(() => hasExecuteOnPrototype(value.prototype) || namesExecute(value));
}

function hasExecuteOnPrototype(prototype: unknown): boolean {
  return typeof prototype === 'object' && prototype !== null && 'executeAsync' in prototype;
}

/** True if the class, or one that it extends, has `executeAsync` as a class field, which only the source text shows. */
function namesExecute(value: unknown): boolean {
  if (typeof value !== 'function' || value === Function.prototype) return false;
  const source = Function.prototype.toString.call(value);
  return /^class\b/.test(source) && (NAMES_EXECUTE.test(source) || namesExecute(Object.getPrototypeOf(value)));
}

/** True if an object has `executeAsync` and a name, so that it is a tool, or meant as a tool. */
export function isToolObject(value: unknown): value is ToolObject {
  if (typeof value !== 'object' || value === null) return false;
  return isTrue(() => 'name' in value && typeof (value as Partial<ToolObject>).executeAsync === 'function');
}

/**
 * The tools in a list, or in the member `tools` of an object. Other frameworks export tools in these forms, which
 * Mortise does not accept.
 */
export function toolsIn(value: unknown): unknown[] {
  const isTool = (item: unknown) => isToolObject(item) || isToolClass(item) || isRegisterable(item);
  const readTools = () => {
    const list = Array.isArray(value) ? value : (value as { tools?: unknown } | null | undefined)?.tools;
    return Array.isArray(list) ? list.filter(isTool) : [];
  };
  return tryRead(readTools) ?? [];
}

const isRegisterable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof (value as { run?: unknown }).run === 'function';

/** False also if an exotic object throws in the test. */
const isTrue = (test: () => boolean): boolean => tryRead(test) ?? false;

export interface ExportedValue {
  name: string;
  value: unknown;
  /** The namespace or object that contains the export. */
  holder: object;
}

export interface ModuleExports {
  exported: ExportedValue[];
  unreadable: { name: string; error: unknown }[];
}

/** The objects that are searched: the namespace, `module.exports`, its `default` (compiled TypeScript), and its `default`. */
const MAX_HOLDERS = 4;

/**
 * Everything that a module exports, each value once: the named exports, the default export, and the members of an
 * object that is the default export, which is how CommonJS exports appear.
 */
export function exportsOf(moduleNamespace: object): ModuleExports {
  const exported = new Map<unknown, ExportedValue>();
  const unreadable: ModuleExports['unreadable'] = [];
  const holders = new Set<object>([moduleNamespace]);
  for (const holder of holders) {
    for (const key of keysOf(holder, unreadable)) {
      const name = key === 'module.exports' ? 'default' : key;
      try {
        const value = (holder as Record<string, unknown>)[key];
        if (!exported.has(value) || exported.get(value)?.name === 'default')
          exported.set(value, { name, value, holder });
        if (name === 'default' && isPlainHolder(value) && holders.size < MAX_HOLDERS) holders.add(value);
      } catch (error) {
        unreadable.push({ name, error });
      }
    }
  }
  return { exported: [...exported.values()], unreadable };
}

/** An exotic object (a Proxy) that is the default export can throw here; a namespace cannot. */
function keysOf(holder: object, unreadable: ModuleExports['unreadable']): string[] {
  try {
    return Object.keys(holder);
  } catch (error) {
    unreadable.push({ name: 'default', error });
    return [];
  }
}

function isPlainHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isToolObject(value);
}
