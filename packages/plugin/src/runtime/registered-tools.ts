import { definedAt, defineTool } from '../define-tool.js';
import { isDefinitionError } from '../definition-error.js';
import { suggestNames } from '../did-you-mean.js';
import { callerPlace, placeIn } from '../own-code.js';
import type { RegisterApi, Registration } from '../register.js';
import { TOOL_FORM } from '../tool-members.js';
import type { Catalog, PromptEntry, ResourceEntry } from './catalog.js';
import { duplicateTool } from './class-tools.js';
import { asSentence, describeError, describeValue } from './describe.js';
import { lazyFolder } from './lazy-folder.js';
import { methodInsteadOfRun } from './likely-mistakes.js';
import { hiddenProblems, type LoadProblemCode, loadProblem, locationOf, locationOfError } from './load-problem.js';
import type { PluginHost } from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';
import { shortName } from './quoted.js';
import { parsePromptEntry } from './registered-prompts.js';
import { MalformedRegistrationError, parseResourceEntry, ReservedUriError } from './registered-resources.js';
import { parseToolDefinition } from './tool-definition.js';
import { MAX_NAME_CHARS } from './tool-name.js';
import { tryRead } from './try-read.js';

export interface RegisterContext {
  readonly file: string;
  readonly host: PluginHost;
  readonly catalog: Catalog;
  /** The absolute path of the data folder, which is created on first access. */
  readonly dataDir: string;
  getConfig(key: string): string | null;
  onDispose(dispose: () => unknown): void;
  /** Runs the functions that `onDispose` has collected since register began. */
  disposeNow(): Promise<void>;
  isDisposed(): boolean;
}

export const REGISTER_TOOL_ORIGIN = 'registerTool';

/** Runs a module's `register(api)`. If it throws, everything that it registered is removed again. */
export async function runRegister(register: (api: RegisterApi) => unknown, context: RegisterContext): Promise<void> {
  const session = new RegisterSession(context);
  try {
    await register(session.api);
    session.commit();
  } catch (error) {
    session.rollBack();
    const location = locationOfError(error, context.file, 'register');
    context.catalog.addProblem(
      isDefinitionError(error)
        ? loadProblem('DEFINITION_INVALID', error.reason, { ...location, ...placeIn(error.stack) }, error.hint)
        : loadProblem('REGISTER_THREW', `register(api) threw: ${reasonOf(error, session.api)}`, location),
    );
    await context.disposeNow();
  }
}

/** Describes an error in a sentence. If it says that `api` has no such method, suggests the one that was probably meant. */
function reasonOf(error: unknown, api: RegisterApi): string {
  const reason = asSentence(describeError(error));
  const called = /^(?:api|\w+)\.(\w+) is not a function/.exec(reason)?.[1];
  const meant =
    called !== undefined && !Object.hasOwn(api, called) ? suggestNames(called, Object.keys(api), 1)[0] : undefined;
  return meant === undefined ? reason : `${reason} Did you mean api.${meant}?`;
}

const NOTHING: Registration = { remove() {} };

class RegisterSession {
  readonly api: RegisterApi;
  readonly #context: RegisterContext;
  readonly #logger;
  #state: 'loading' | 'loaded' | 'failed' = 'loading';
  #undo: (() => void)[] = [];

  constructor(context: RegisterContext) {
    const { host, getConfig } = context;
    const dataDir = lazyFolder(context.dataDir);
    this.#context = context;
    this.#logger = createPluginLogger((entry) => host.log(entry));
    this.api = {
      registerTool: (tool) => this.#register('registerTool', () => this.#addTool(tool)),
      defineTool: ((options: Parameters<typeof defineTool>[0]) =>
        this.#register('defineTool', () => this.#defineTool(options))) as RegisterApi['defineTool'],
      registerResource: (resource) => this.#register('registerResource', () => this.#addResource(resource)),
      registerPrompt: (prompt) => this.#register('registerPrompt', () => this.#addPrompt(prompt)),
      resourceUpdated: (uri) => host.resourceUpdated(String(uri)),
      resourceListChanged: () => host.resourceListChanged(),
      getPluginsDir: () => host.pluginsDir,
      reloadPlugins: () => this.#reloadPlugins(),
      getConfig,
      get dataDir() {
        return dataDir();
      },
      logger: this.#logger,
      server: host.server,
      processes: host.processes,
      onDispose: (dispose) => {
        if (typeof dispose !== 'function')
          throw new TypeError(`onDispose expects a function, not ${describeValue(dispose)}.`);
        context.onDispose(dispose);
      },
    };
  }

  commit(): void {
    this.#state = 'loaded';
    this.#undo = [];
  }

  rollBack(): void {
    this.#state = 'failed';
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  #register(method: string, add: () => (() => void) | undefined): Registration {
    if (this.#state === 'failed' || this.#context.isDisposed()) {
      this.#logger.warn(`${method} was called after the plugin was unloaded, so it did nothing`);
      return NOTHING;
    }
    const remove = add();
    if (remove === undefined) return NOTHING;
    if (this.#state === 'loading') this.#undo.push(remove);
    return { remove };
  }

  /** While the plugin loads, nothing may wait for a reload, because the reload waits for the plugin to load. */
  async #reloadPlugins(): Promise<void> {
    const reloaded = this.#context.host.reloadPlugins();
    if (this.#state !== 'loading') return reloaded;
    reloaded.catch((error) => this.#logger.error(`reloadPlugins failed: ${describeError(error)}`));
  }

  #defineTool(options: Parameters<typeof defineTool>[0]): (() => void) | undefined {
    try {
      return this.#addTool(defineTool(options));
    } catch (error) {
      if (!isDefinitionError(error)) throw error;
      const subject = subjectOf(options ?? {}, 'defineTool');
      return this.#refuse('DEFINITION_INVALID', error.reason, subject, error.hint);
    }
  }

  #addTool(value: unknown): (() => void) | undefined {
    const { catalog, file } = this.#context;
    if (typeof value !== 'object' || value === null) {
      const message = `registerTool was given ${describeValue(value)}, not a tool.`;
      return this.#refuse('TOOL_MALFORMED', message, REGISTER_TOOL_ORIGIN, TOOL_FORM);
    }
    const tool = value as { run?: unknown };
    const location = locationOf(definedAt(tool) ?? callerPlace(), file, subjectOf(tool));
    const { definition, problems } = parseToolDefinition(tool, { origin: REGISTER_TOOL_ORIGIN, location });
    if (definition === undefined) {
      for (const problem of problems) catalog.addProblem(problem);
      return undefined;
    }
    const { name } = definition;
    if (typeof tool.run !== 'function') {
      const method = methodInsteadOfRun(tool);
      const advice = method === undefined ? '' : ` Rename its method ${method} to run.`;
      const message = `Tool '${name}': run must be a function, not ${describeValue(tool.run)}.${advice}`;
      return this.#refuse('TOOL_MALFORMED', message, name);
    }
    const holder = catalog.tools.get(name);
    if (holder?.source === tool) return undefined;
    if (holder !== undefined) {
      const origins = { refused: REGISTER_TOOL_ORIGIN, kept: holder.definition.origin };
      catalog.addProblem(duplicateTool(name, origins, location));
      return undefined;
    }
    const runnable = tool as { run(args: unknown, context: unknown): unknown };
    const invoke = (args: unknown, context: unknown) => runnable.run(args, context);
    return catalog.add(catalog.tools, name, { definition, source: tool, problems, invoke });
  }

  #addResource(value: unknown): (() => void) | undefined {
    return this.#reportingProblems('RESOURCE_MALFORMED', 'registerResource', () => {
      const { catalog } = this.#context;
      const entry = parseResourceEntry(value);
      const key = entry.definition.uri ?? entry.definition.uriTemplate!;
      return catalog.resources.has(key)
        ? this.#refuse(
            'RESOURCE_DUPLICATE',
            `Resource ${key} is refused: this plugin has already registered that URI.`,
            key,
          )
        : catalog.add(catalog.resources, key, this.#warned(`Resource ${shortName(key)}`, entry));
    });
  }

  #addPrompt(value: unknown): (() => void) | undefined {
    return this.#reportingProblems('PROMPT_MALFORMED', 'registerPrompt', () => {
      const { catalog } = this.#context;
      const entry = parsePromptEntry(value);
      const { name } = entry.definition;
      return catalog.prompts.has(name)
        ? this.#refuse(
            'PROMPT_DUPLICATE',
            `Prompt '${name}' is refused: this plugin has already registered that name.`,
            name,
          )
        : catalog.add(catalog.prompts, name, this.#warned(`Prompt '${name}'`, entry));
    });
  }

  #warned<E extends ResourceEntry | PromptEntry>(subject: string, entry: E): E {
    const location = locationOf(callerPlace(), this.#context.file, subject);
    return { ...entry, problems: hiddenProblems(subject, entry.definition, location) };
  }

  #reportingProblems(
    code: LoadProblemCode,
    subject: string,
    add: () => (() => void) | undefined,
  ): (() => void) | undefined {
    try {
      return add();
    } catch (error) {
      const message =
        error instanceof MalformedRegistrationError
          ? error.message
          : `The registration cannot be read: ${asSentence(describeError(error))}`;
      return this.#refuse(error instanceof ReservedUriError ? 'RESOURCE_URI_RESERVED' : code, message, subject);
    }
  }

  /** Adds a problem at the place of the call of `api`. */
  #refuse(code: LoadProblemCode, message: string, subject: string, hint?: string): undefined {
    const { catalog, file } = this.#context;
    catalog.addProblem(loadProblem(code, message, locationOf(callerPlace(), file, subject), hint));
  }
}

/** The tool's name for messages, or `otherwise` if the name cannot be read. */
function subjectOf(tool: object, otherwise = REGISTER_TOOL_ORIGIN): string {
  const name = tryRead(() => (tool as { name?: unknown }).name);
  return typeof name === 'string' && name !== '' ? shortName(name, MAX_NAME_CHARS) : otherwise;
}
