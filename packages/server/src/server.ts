import { HttpRefusals } from './access/audit/http-refusals.js';
import { complete } from './call/complete.js';
import { findResource, providedResource } from './call/find-resource.js';
import { getPrompt } from './call/get-prompt.js';
import { observeCalls } from './call/observers/call-observer.js';
import { withActivity } from './call/plugin-activity.js';
import { createPluginLog, logFields, type PluginLog } from './call/plugin-log.js';
import { readOwnResource } from './call/resources/own-resources.js';
import { readResource } from './call/resources/read-resource.js';
import { ResourceSubscriptions } from './call/resources/resource-subscriptions.js';
import { TemplateResources } from './call/resources/template-resources.js';
import { callTool } from './call/tool-call.js';
import { isWholeLocal, LOCAL, type Principal } from './core/principal.js';
import type { Snapshot } from './core/snapshot.js';
import { Instructions } from './plugins/catalog/instructions.js';
import { toListedResource, toMcpLists } from './plugins/catalog/mcp-lists.js';
import { perSnapshot } from './plugins/catalog/per-snapshot.js';
import { whenLoaded } from './plugins/catalog/when-loaded.js';
import { createInstructionsCache } from './plugins/load/instructions-cache.js';
import type { Server, ServerOptions } from './server-interface.js';
import {
  type AccessParts,
  type Calls,
  createAccess,
  createCalls,
  createLogging,
  createPlugins,
  type Logging,
  type Plugins,
} from './server-parts.js';
import { InFlight } from './util/in-flight.js';
import { version } from './util/version.js';

/**
 * Creates the server and starts to load its plugins. Pass the server to `serveStdio` or `serveHttp`, or call its tools
 * directly.
 */
export function createServer(options: ServerOptions): Server {
  const logging = createLogging(options);
  const plugins = createPlugins(options, logging);
  const access = createAccess(options.loaded, logging, plugins);
  const instructions = createInstructions(options, logging);
  const parts = { logging, plugins, access, instructions };
  const pluginLog = startPlugins(options, parts);
  const calls = createCalls(options, parts);
  return toServer(options, { ...parts, pluginLog, calls });
}

function createInstructions({ loaded, cacheDir, only, inspect }: ServerOptions, { redactor, log }: Logging) {
  // If only some plugins load, or one waits for a debugger, the instructions differ from those of the next start.
  const isCached = cacheDir !== undefined && only === undefined && !inspect?.size;
  const cache = isCached ? createInstructionsCache(cacheDir, loaded, log) : undefined;
  return new Instructions({ redactor, nameStyle: loaded.settings.Tools.NameStyle, cache });
}

interface StartParts {
  readonly logging: Logging;
  readonly plugins: Plugins;
  readonly access: AccessParts;
  readonly instructions: Instructions;
}

/** Starts to load the plugins. Work that would delay the first answer is done when all of them have loaded. */
function startPlugins({ loaded }: ServerOptions, { logging, plugins, access, instructions }: StartParts): PluginLog {
  const { log, redactor, events } = logging;
  const { catalog, pins, runners, eventCounts, logProfileProblems } = plugins;
  const { audiences, builtIn, viewOf } = access;
  const pluginLog = createPluginLog(redactor, (line) => {
    log[line.level](line.message, logFields(line));
    events.emit('log', line, audiences.ofPlugin(line.plugin));
  });
  catalog.start(
    {
      onLog: pluginLog.add,
      onCrash() {
        eventCounts.crashes += 1;
      },
      async onResourceUpdated(uri, path) {
        const resource = providedResource(catalog.snapshot(), { uri, path }, loaded.settings.Plugins.Limits);
        if (resource) events.emit('resourceUpdated', uri, audiences.ofResource(resource));
      },
    },
    builtIn,
  );
  pins.onTrusted(() => catalog.reviewAgain());
  const onVerified = async (changedPlugins: readonly string[]) => {
    if (changedPlugins.length > 0) await catalog.reload(changedPlugins);
    instructions.save(viewOf(LOCAL));
  };
  void catalog.ready().then(() => {
    logProfileProblems();
    runners.settled(onVerified);
    pins.settle();
  });
  return pluginLog;
}

interface Parts extends StartParts {
  readonly pluginLog: PluginLog;
  readonly calls: Calls;
}

function toServer({ loaded, metrics, shared }: ServerOptions, parts: Parts): Server {
  const { plugins, access, logging, calls, instructions } = parts;
  const { catalog, operations } = plugins;
  const { redactor, audit, events } = logging;
  const { viewOf } = access;
  const { observers } = calls;
  const httpRefusals = audit && new HttpRefusals(audit);
  const mcpLists = perSnapshot((snapshot) => toMcpLists(snapshot, redactor));
  const runningCalls = new InFlight();
  const server: Server = {
    settings: loaded.settings,
    settingsFile: loaded.file,
    version,
    metrics,
    shared,
    roots: plugins.roots,
    refused: (refusal) => httpRefusals?.add(refusal),
    callRefused(call, answer) {
      for (const observer of observers) observer.answered(call, answer, 0);
    },
    counts: () => ({ ...plugins.eventCounts, ...calls.counts(), processes: plugins.runners.processCount }),
    ready: () => catalog.ready(),
    listed: () => catalog.listed(),
    finishLoading: (withinMs) => catalog.finishLoading(withinMs),
    mcpLists: (principal) => mcpLists(viewOf(principal)),
    instructions: (principal) =>
      instructions.of(viewOf(principal), { isEarly: !catalog.isComplete && isWholeLocal(principal) }),
    inputSchemaOf: (name, principal) => viewOf(principal).findTool(name)?.advertisedInputSchema,
    ...callMethods(parts, runningCalls),
    resourceAudience: (uri) =>
      access.audiences.ofViews((view) => findResource(view, uri, loaded.settings.Plugins.Limits) !== undefined),
    reload: () => operations.reload(),
    pluginFiles: () => catalog.files(),
    problems: () => redactor.value(plugins.problems()),
    trustPlugin: (name) => operations.accept(name),
    redact: (value) => redactor.value(value),
    on: events.on,
    idle: () => runningCalls.idle(),
    async close() {
      calls.shutdown.abort();
      await runningCalls.idle();
      if (catalog.isComplete) instructions.save(viewOf(LOCAL));
      await catalog.close();
      parts.pluginLog.end();
      await plugins.runners.close();
      calls.services.validator.close();
      await plugins.pins.close();
      httpRefusals?.flush();
      audit?.close();
    },
  };
  return observers.length === 0 ? server : { ...server, ...observeCalls(server, observers) };
}

type CallMethods = Pick<
  Server,
  'plugins' | 'templateResources' | 'callTool' | 'readResource' | 'watchResource' | 'getPrompt' | 'complete'
>;

/** Creates the methods that run plugin code. Each waits until the plugins that it may need have loaded. */
function callMethods(parts: Parts, runningCalls: InFlight): CallMethods {
  const { catalog } = parts.plugins;
  const { viewOf } = parts.access;
  const { services, statistics } = parts.calls;
  const { redactor } = parts.logging;
  const templateResources = new TemplateResources(services, toListedResource);
  const subscriptions = new ResourceSubscriptions(services);
  const whenAvailable = whenLoaded({ catalog, viewOf });
  const loadedPlugins = perSnapshot((snapshot) => redactor.value(snapshot.plugins));
  const plugins = (principal?: Principal) => {
    const view = viewOf(principal);
    if (view.plugins !== catalog.snapshot().plugins || !templateResources.hasProblems) return loadedPlugins(view);
    return redactor.value(catalog.snapshot().plugins.map((status) => templateResources.withProblems(status)));
  };
  return {
    plugins,
    templateResources(caller, isLaterPage) {
      const listed = templateResources.list(caller, isLaterPage);
      return listed && runningCalls.count(listed);
    },
    callTool(name, args, caller) {
      const hasTool = (view: Snapshot) => view.findTool(name) !== undefined;
      return whenAvailable(caller, hasTool, () => runningCalls.count(callTool(services, name, args, caller)));
    },
    async readResource(uri, caller) {
      const own = await readOwnResource(services, uri, caller, {
        plugins: () => plugins(caller.principal),
        withActivity: (statuses) => withActivity(statuses, catalog.running(), statistics),
      });
      if (own) return own;
      const hasResource = ({ resources }: Snapshot) => resources.some(({ definition }) => definition.uri === uri);
      return whenAvailable(caller, hasResource, () => runningCalls.count(readResource(services, uri, caller)));
    },
    async watchResource(uri, caller, ended) {
      const own = await readOwnResource(services, uri, caller, { plugins: () => [], withActivity: async () => [] });
      if (own) return own.kind === 'result';
      await catalog.ready();
      return subscriptions.add(uri, caller, ended);
    },
    getPrompt(name, args, caller) {
      const hasPrompt = (view: Snapshot) => view.findPrompt(name) !== undefined;
      return whenAvailable(caller, hasPrompt, () => runningCalls.count(getPrompt(services, name, args, caller)));
    },
    complete(request, caller) {
      // A template of any plugin can match, so all plugins must have loaded.
      const neverEarly = () => false;
      return whenAvailable(caller, neverEarly, () => runningCalls.count(complete(services, request, caller)));
    },
  };
}
