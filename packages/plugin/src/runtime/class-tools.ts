import type { PluginContext } from '../plugin-context.js';
import type { Catalog } from './catalog.js';
import { describeError } from './describe.js';
import { methodInsteadOfExecute } from './likely-mistakes.js';
import { loadProblem, locationOfError } from './load-problem.js';
import type { PluginProblem, ProblemLocation } from './problem.js';
import { parseToolDefinition } from './tool-definition.js';
import { isToolClass, isToolObject, type ModuleExports, type ToolClass, type ToolObject } from './tool-exports.js';

/** What loading needs of the plugin. */
export interface ClassLoading {
  readonly file: string;
  readonly catalog: Catalog;
  /** Whether the module has `register(api)`, which may register what it also exports. */
  readonly hasRegister: boolean;
  /** What the constructor of the class of that name gets. */
  contextFor(className: string): PluginContext;
  onDispose(dispose: () => unknown): void;
}

/** Adds the exported tools of a module to the catalog; a problem with one tool affects only that one. */
export function loadClassTools({ exported, unreadable }: ModuleExports, loading: ClassLoading): void {
  const classes = exported.map(({ value }) => value).filter(isToolClass);
  const isBase = (value: unknown) => classes.some((other) => Object.prototype.isPrototypeOf.call(value, other));
  const add = (problem: PluginProblem) => loading.catalog.addProblem(problem);

  for (const { name, error } of unreadable) {
    const message = `Reading the export '${name}' threw: ${describeError(error)}.`;
    add(loadProblem('TOOL_MALFORMED', message, locationOfError(error, loading.file, name)));
  }
  for (const { name, value } of exported) {
    if (isToolClass(value)) {
      const problems = loadClass(value, value.name || name, loading);
      if (!isBase(value)) problems.forEach(add);
    } else if (isToolObject(value)) {
      loadTool(value, `export:${name}`, { file: loading.file, subject: name }, loading).forEach(add);
    } else if (!loading.hasRegister) {
      const method = methodInsteadOfExecute(value);
      if (method !== undefined) add(executeMissing(name, method, loading.file));
    }
  }
}

function executeMissing(name: string, method: string, file: string): PluginProblem {
  return loadProblem('EXECUTE_MISSING', `The export '${name}' has ${method}, but no executeAsync: it is not a tool.`, {
    file,
    subject: name,
  });
}

function loadClass(Class: ToolClass, name: string, loading: ClassLoading): PluginProblem[] {
  const location = { file: loading.file, subject: name };
  if (Class.length >= 2) {
    const shapes = `\`new ${name}()\` and \`new ${name}(context: PluginContext)\``;
    const message = `The constructor of ${name} has ${Class.length} parameters; accepted are ${shapes}. The class is skipped.`;
    return [loadProblem('CLASS_CONSTRUCTOR_SHAPE', message, location)];
  }
  let instance: object;
  try {
    instance = new Class(loading.contextFor(name));
  } catch (error) {
    const message = `The constructor of ${name} threw: ${describeError(error)}.`;
    return [loadProblem('CLASS_CONSTRUCTOR_THREW', message, locationOfError(error, loading.file, name))];
  }
  return loadTool(instance, `class:${name}`, location, loading);
}

const REQUIRED = ['name', 'description', 'inputSchema'] as const;

/** What refuses the tool; nothing when it is in the catalog, or is not a tool at all. */
function loadTool(tool: object, origin: string, location: ProblemLocation, loading: ClassLoading): PluginProblem[] {
  try {
    const members = tool as Partial<ToolObject>;
    if (typeof members.executeAsync !== 'function') return [];
    const missing = REQUIRED.filter((member) => members[member] == null);
    if (missing.length > 0) {
      return [
        loadProblem(
          'CLASS_MEMBER_MISSING',
          `${location.subject} has executeAsync but lacks ${missing.join(', ')}.`,
          location,
        ),
      ];
    }
  } catch (error) {
    const where = locationOfError(error, location.file, location.subject);
    return [loadProblem('TOOL_MALFORMED', `Reading ${location.subject} threw: ${describeError(error)}.`, where)];
  }
  return addTool(tool as ToolObject, origin, location, loading);
}

function addTool(
  tool: ToolObject,
  origin: string,
  location: ProblemLocation,
  { catalog, onDispose }: ClassLoading,
): PluginProblem[] {
  const { definition, problems } = parseToolDefinition(tool, origin, location);
  if (definition === undefined) return problems;
  const holder = catalog.tools.get(definition.name);
  if (holder !== undefined) return [duplicateTool(definition.name, origin, holder.definition.origin, location)];
  catalog.add(catalog.tools, definition.name, {
    definition,
    source: tool,
    problems,
    ...(origin.startsWith('class:') && { scope: origin.slice('class:'.length) }),
    invoke: (args, context) => tool.executeAsync(args, context.progress, context.signal, context),
  });
  if (tool.dispose != null) onDispose(() => tool.dispose?.());
  return [];
}

/** TOOL_NAME_DUPLICATE: the first stays, the later is refused. */
export function duplicateTool(name: string, later: string, first: string, location: ProblemLocation): PluginProblem {
  return loadProblem(
    'TOOL_NAME_DUPLICATE',
    `Tool '${name}' of ${later} is refused: ${first} has that name already.`,
    location,
  );
}
