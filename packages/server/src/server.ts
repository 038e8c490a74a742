import { HttpRefusals } from './access/audit/http-refusals.js';
import { complete } from './call/complete.js';
import { providedResource } from './call/find-resource.js';
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
 * Builds the whole server from its settings and starts to load the plugins. It serves no one yet: give it to
 * `serveStdio` or `serveHttp`, or call its tools directly.
 */
export function createServer(options: ServerOptions): Server {
  const logging = createLogging(options);
  const plugins = createPlugins(options, logging);
  const access = createAccess(options.loaded, logging, plugins);
  const instructions = createInstructions(options, logging);
  const pluginLog = startPlugins(options, logging, plugins, access, instructions);
  const calls = createCalls(options, logging, plugins, access);
  return toServer(options, { logging, plugins, access, instructions, pluginLog, calls });
}

function createInstructions({ loaded, cacheDir, only, inspect }: ServerOptions, { redactor, log }: Logging) {
  // The instructions of one plugin alone, or of one that waits for a debugger, are not those of the next start.
  const isWhole = cacheDir !== undefined && only === undefined && !inspect?.size;
  const cache = isWhole ? createInstructionsCache(cacheDir, loaded, log) : undefined;
  return new Instructions({ redactor, nameStyle: loaded.settings.Tools.NameStyle, cache });
}

/** Begins to load the plugins. From now on the catalog tells of them; what can wait for the first answer comes after it. */
function startPlugins(
  { loaded }: ServerOptions,
  { log, redactor, events }: Logging,
  { catalog, pins, runners, happened, logProfileProblems }: Plugins,
  { audiences, builtIn, viewOf }: AccessParts,
  instructions: Instructions,
): PluginLog {
  const pluginLog = createPluginLog(redactor, (line) => {
    log[line.level](line.message, logFields(line));
    events.emit('log', line, audiences.ofPlugin(line.plugin));
  });
  catalog.start(
    {
      onLog: pluginLog.add,
      onCrash() {
        happened.crashes += 1;
      },
      async onResourceUpdated(uri, path) {
        const resource = await providedResource(catalog.snapshot(), uri, path, loaded.settings.Plugins.Limits);
        if (resource) events.emit('resourceUpdated', uri, audiences.ofResource(resource));
      },
    },
    builtIn,
  );
  pins.onTrusted(() => catalog.reviewAgain());
  const onVerified = async (changed: readonly string[]) => {
    if (changed.length > 0) await catalog.reload(changed);
    instructions.save(viewOf(LOCAL));
  };
  void catalog.ready().then(() => {
    logProfileProblems();
    runners.settled(onVerified);
    pins.settle();
  });
  return pluginLog;
}

interface Parts {
  readonly logging: Logging;
  readonly plugins: Plugins;
  readonly access: AccessParts;
  readonly instructions: Instructions;
  readonly pluginLog: PluginLog;
  readonly calls: Calls;
}

/** The parts as front ends and the command line see them. */
function toServer({ loaded, metrics }: ServerOptions, parts: Parts): Server {
  const { plugins, access, logging, calls, instructions } = parts;
  const { catalog, operations } = plugins;
  const { redactor, audit, events } = logging;
  const { viewOf } = access;
  const { observers } = calls;
  const httpRefusals = audit && new HttpRefusals(audit);
  const mcpLists = perSnapshot((snapshot) => toMcpLists(snapshot, redactor));
  const running = new InFlight();
  const server: Server = {
    settings: loaded.settings,
    settingsFile: loaded.file,
    version,
    metrics,
    roots: plugins.roots,
    refused: (refusal) => httpRefusals?.add(refusal),
    callRefused(call, answer) {
      for (const observer of observers) observer.answered(call, answer, 0);
    },
    counts: () => ({ ...plugins.happened, ...calls.counts(), processes: plugins.runners.processes }),
    ready: () => catalog.ready(),
    listed: () => catalog.listed(),
    finishLoading: (withinMs) => catalog.finishLoading(withinMs),
    mcpLists: (principal) => mcpLists(viewOf(principal)),
    instructions: (principal) =>
      instructions.of(viewOf(principal), { isEarly: !catalog.isComplete && isWholeLocal(principal) }),
    inputSchemaOf: (name, principal) => viewOf(principal).findTool(name)?.advertisedInputSchema,
    ...callsOf(parts, running),
    reload: () => operations.reload(),
    pluginFiles: () => catalog.files(),
    problems: () => redactor.value(plugins.problems()),
    trustPlugin: (name) => operations.accept(name),
    redact: (value) => redactor.value(value),
    on: events.on,
    async close() {
      calls.shutdown.abort();
      await running.idle();
      if (catalog.isComplete) instructions.save(viewOf(LOCAL));
      await catalog.close();
      parts.pluginLog.end();
      await plugins.runners.close();
      calls.services.checks.close();
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

/** What runs plugin code, each after what it needs has loaded. */
function callsOf({ plugins: { catalog }, access: { viewOf }, calls, logging }: Parts, running: InFlight): CallMethods {
  const { services, statistics } = calls;
  const { redactor } = logging;
  const templateResources = new TemplateResources(services, toListedResource);
  const subscriptions = new ResourceSubscriptions(services);
  const whenThere = whenLoaded({ catalog, viewOf });
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
      return listed && running.count(listed);
    },
    callTool(name, args, caller) {
      const isThere = (now: Snapshot) => now.findTool(name) !== undefined;
      return whenThere(caller, isThere, () => running.count(callTool(services, name, args, caller)));
    },
    async readResource(uri, caller) {
      const own = readOwnResource(services, uri, caller, {
        plugins: () => plugins(caller.principal),
        active: (shown) => withActivity(shown, catalog.running(), statistics),
      });
      if (own) return own;
      const isThere = ({ resources }: Snapshot) => resources.some(({ definition }) => definition.uri === uri);
      return whenThere(caller, isThere, () => running.count(readResource(services, uri, caller)));
    },
    async watchResource(uri, caller, ended) {
      const own = await readOwnResource(services, uri, caller, { plugins: () => [], active: async () => [] });
      if (own) return own.kind === 'result';
      await catalog.ready();
      return subscriptions.add(uri, caller, ended);
    },
    getPrompt(name, args, caller) {
      const isThere = (now: Snapshot) => now.findPrompt(name) !== undefined;
      return whenThere(caller, isThere, () => running.count(getPrompt(services, name, args, caller)));
    },
    complete(request, caller) {
      const needsAll = () => false;
      return whenThere(caller, needsAll, () => running.count(complete(services, request, caller)));
    },
  };
}
