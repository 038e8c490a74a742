/** A class whose instances may be tools. */
export type ToolClass = (new (context: unknown) => object) & { prototype: object };

/** The members that are checked before the definition is read. */
export interface ToolObject {
  name?: unknown;
  description?: unknown;
  inputSchema?: unknown;
  executeAsync(...args: unknown[]): unknown;
  dispose?(): unknown;
}

/** `executeAsync` as a separate word or a member of `this`, not called on something else. */
const NAMES_EXECUTE = /(?<!(?<!\bthis\??)\.)\bexecuteAsync\b/;

/** Whether a call of `new` may give a tool (docs/spec/plugin-api.md#exported-tools). */
export function isToolClass(value: unknown): value is ToolClass {
  return typeof value === 'function' && isReadable(() => hasExecuteOnPrototype(value.prototype) || namesExecute(value));
}

function hasExecuteOnPrototype(prototype: unknown): boolean {
  return typeof prototype === 'object' && prototype !== null && 'executeAsync' in prototype;
}

/** Whether the class or one that it extends has `executeAsync` as a class field: only its source text shows that. */
function namesExecute(value: unknown): boolean {
  if (typeof value !== 'function' || value === Function.prototype) return false;
  const source = Function.prototype.toString.call(value);
  return /^class\b/.test(source) && (NAMES_EXECUTE.test(source) || namesExecute(Object.getPrototypeOf(value)));
}

/** Whether it is an object with `executeAsync` and a name: a tool, or meant as one. */
export function isToolObject(value: unknown): value is ToolObject {
  if (typeof value !== 'object' || value === null) return false;
  return isReadable(() => 'name' in value && typeof (value as Partial<ToolObject>).executeAsync === 'function');
}

/** The tools in a list, or in the member `tools` of an object: forms of other frameworks, which are not plugins. */
export function toolsIn(value: unknown): unknown[] {
  const isTool = (item: unknown) => isToolObject(item) || isToolClass(item) || isRegisterable(item);
  try {
    const list = Array.isArray(value) ? value : (value as { tools?: unknown } | null | undefined)?.tools;
    return Array.isArray(list) ? list.filter(isTool) : [];
  } catch {
    return [];
  }
}

const isRegisterable = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof (value as { run?: unknown }).run === 'function';

/** The result of the test; false if an exotic object (a Proxy, a getter) throws. */
function isReadable(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

/** One exported value with the name that it is called by in messages. */
export interface Exported {
  name: string;
  value: unknown;
  /** The namespace or object that it was read from. */
  holder: object;
}

/** What a module exports, and what reading an export threw. */
export interface ModuleExports {
  exported: Exported[];
  unreadable: { name: string; error: unknown }[];
}

/** The namespace, `module.exports`, its `default` (compiled TypeScript), and one more. */
const MAX_HOLDERS = 4;

/**
 * Everything that a module exports, each value once: its named exports, the default export, and the members of a
 * default-exported object, which is what `module.exports` of CommonJS is.
 */
export function exportsOf(moduleNamespace: object): ModuleExports {
  const exported = new Map<unknown, Exported>();
  const unreadable: ModuleExports['unreadable'] = [];
  const holders = new Set<object>([moduleNamespace]);
  for (const holder of holders) {
    for (const key of Object.keys(holder)) {
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

function isPlainHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isToolObject(value);
}
