import { definedAt, isDefinedTool } from '../define-tool.js';
import type { CodePlace } from '../own-code.js';
import type { PluginContext } from '../plugin-context.js';
import type { Catalog } from './catalog.js';
import { asSentence, describeError } from './describe.js';
import { methodInsteadOfExecute, misspeltMembers } from './likely-mistakes.js';
import { loadProblem, locationOf, locationOfError } from './load-problem.js';
import type { PluginProblem, ProblemLocation } from './problem.js';
import { placeOfClass, placeOfExport } from './source-places.js';
import { parseToolDefinition } from './tool-definition.js';
import {
  isToolClass,
  isToolObject,
  type ModuleExports,
  type ToolClass,
  type ToolObject,
  toolsIn,
} from './tool-exports.js';

export interface ClassLoading {
  readonly file: string;
  readonly catalog: Catalog;
  /** True if the module has `register(api)`, which may register the exported tools itself. */
  readonly hasRegister: boolean;
  contextFor(className: string): PluginContext;
  onDispose(dispose: () => unknown): void;
}

interface Source {
  /** Such as `class:Greeting` or `export:greeting`. */
  readonly origin: string;
  readonly location: ProblemLocation;
  /** Finds the place in the source text. Called only if there is a problem. */
  find(): CodePlace | undefined;
}

/** Adds the exported tools of a module to the catalog. A problem with one tool does not affect the others. */
export function loadClassTools({ exported, unreadable }: ModuleExports, loading: ClassLoading): void {
  const { file, catalog, hasRegister } = loading;
  const classes = exported.map(({ value }) => value).filter(isToolClass);
  const isBase = (value: unknown) => classes.some((other) => Object.prototype.isPrototypeOf.call(value, other));
  const add = (problem: PluginProblem) => catalog.addProblem(problem);

  for (const { name, error } of unreadable) {
    const message = `Reading the export '${name}' threw: ${asSentence(describeError(error))}`;
    add(loadProblem('TOOL_MALFORMED', message, locationOfError(error, file, name)));
  }
  for (const { name, value } of exported) {
    const find = () => placeOfExport(file, name);
    if (isToolClass(value)) {
      const problems = loadClass(value, value.name || name, loading);
      if (!isBase(value)) problems.forEach(add);
    } else if (isToolObject(value)) {
      const location = locationOf(definedAt(value), file, name);
      loadTool(value, { origin: `export:${name}`, location, find }, loading).forEach(add);
    } else if (!hasRegister) {
      const problem = notATool(name, value, { exported, file });
      if (problem) add(withPlace(problem, find));
    }
  }
}

/** The problem of an export that is meant as a tool, or that contains tools which are not exported themselves. */
function notATool(
  name: string,
  value: unknown,
  { exported, file }: Pick<ModuleExports, 'exported'> & { file: string },
): PluginProblem | undefined {
  const location = { file, subject: name };
  const method = methodInsteadOfExecute(value);
  if (method !== undefined)
    return loadProblem(
      'EXECUTE_MISSING',
      `The export '${name}' has ${method}, but no executeAsync: it is not a tool.`,
      location,
    );
  const isExported = (tool: unknown) => exported.some((other) => other.value === tool);
  // The members of a default export were already read as exports.
  const hidden = (name === 'default' ? [] : toolsIn(value)).filter((tool) => !isExported(tool));
  if (hidden.length === 0) return undefined;
  const tools = hidden.length === 1 ? 'a tool' : `${hidden.length} tools`;
  return loadProblem(
    'EXPORT_NOT_PLUGIN',
    `The export '${name}' is a list with ${tools}. Lists of tools are not loaded.`,
    location,
  );
}

function withPlace(problem: PluginProblem, find: Source['find']): PluginProblem {
  if (problem.location.line !== undefined) return problem;
  return { ...problem, location: { ...problem.location, ...find() } };
}

function loadClass(Class: ToolClass, name: string, loading: ClassLoading): PluginProblem[] {
  const location = { file: loading.file, subject: name };
  const find = () => placeOfClass(loading.file, name);
  if (Class.length >= 2) {
    const shapes = `\`new ${name}()\` and \`new ${name}(context: PluginContext)\``;
    const message = `The constructor of ${name} has ${Class.length} parameters; accepted are ${shapes}. The class is skipped.`;
    return [withPlace(loadProblem('CLASS_CONSTRUCTOR_SHAPE', message, location), find)];
  }
  let instance: object;
  try {
    instance = new Class(loading.contextFor(name));
  } catch (error) {
    const message = `The constructor of ${name} threw: ${asSentence(describeError(error))}`;
    return [loadProblem('CLASS_CONSTRUCTOR_THREW', message, locationOfError(error, loading.file, name))];
  }
  return loadTool(instance, { origin: `class:${name}`, location, find }, loading);
}

const REQUIRED = ['name', 'description', 'inputSchema'] as const;

/** Adds a tool to the catalog. Returns the problems that refuse it; none if the object is not a tool at all. */
function loadTool(tool: object, source: Source, loading: ClassLoading): PluginProblem[] {
  const { location } = source;
  try {
    const candidate = tool as Partial<ToolObject>;
    if (typeof candidate.executeAsync !== 'function') return [];
    const missing = REQUIRED.filter((member) => candidate[member] == null);
    // A tool of defineTool gets a separate warning if it has no description.
    if (missing.length > 0 && !isDefinedTool(tool))
      return [withPlace(memberMissing(tool, missing, source), source.find)];
  } catch (error) {
    const where = locationOfError(error, location.file, location.subject);
    return [
      loadProblem('TOOL_MALFORMED', `Reading ${location.subject} threw: ${asSentence(describeError(error))}`, where),
    ];
  }
  return addTool(tool as ToolObject, source, loading).map((problem) => withPlace(problem, source.find));
}

function memberMissing(tool: object, missing: readonly string[], { origin, location }: Source): PluginProblem {
  const misspelt = misspeltMembers(tool).map(
    ([member, meant]) => ` Its member ${member} is not known. Did you mean ${meant}?`,
  );
  const message = `${location.subject} has executeAsync but lacks ${missing.join(', ')}.${misspelt.join('')}`;
  const kind = origin.startsWith('class:') ? 'class' : 'object';
  return loadProblem('CLASS_MEMBER_MISSING', message, location, `Give the ${kind} the members ${missing.join(', ')}.`);
}

function addTool(
  tool: ToolObject,
  { origin, location, find }: Source,
  { catalog, onDispose }: ClassLoading,
): PluginProblem[] {
  const { definition, problems } = parseToolDefinition(tool, { origin, location });
  if (definition === undefined) return problems;
  const holder = catalog.tools.get(definition.name);
  if (holder !== undefined)
    return [duplicateTool(definition.name, { refused: origin, kept: holder.definition.origin }, location)];
  catalog.add(catalog.tools, definition.name, {
    definition,
    source: tool,
    problems: problems.map((problem) => withPlace(problem, find)),
    ...(origin.startsWith('class:') && { scope: origin.slice('class:'.length) }),
    invoke: (args, context) => tool.executeAsync(args, context.progress, context.signal, context),
  });
  if (tool.dispose != null) onDispose(() => tool.dispose?.());
  return [];
}

/** The problem of a tool whose name is taken: `refused` and `kept` are the origins of the two tools. */
export function duplicateTool(
  name: string,
  { refused, kept }: { refused: string; kept: string },
  location: ProblemLocation,
): PluginProblem {
  return loadProblem(
    'TOOL_NAME_DUPLICATE',
    `Tool '${name}' of ${refused} is refused: ${kept} already has that name.`,
    location,
  );
}
