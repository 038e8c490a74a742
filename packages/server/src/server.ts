import { join } from 'node:path';
import { CancelSource } from '@mortise/mcp/util';
import { notSecretKey } from '@mortise/plugin/runtime';
import { createRedactor, createUnsafeRedactor, OwnWords } from '@mortise/redact';
import { Access } from './access/access.js';
import { Audiences } from './access/audiences.js';
import { createAuditLog } from './access/audit/create-audit-log.js';
import { HttpRefusals } from './access/audit/http-refusals.js';
import { OperatorTools } from './access/operator-tools.js';
import { unknownNames } from './access/unknown-names.js';
import type { CallServices } from './call/call-services.js';
import { complete } from './call/complete.js';
import { CallDeadlines } from './call/deadline.js';
import { providedResource } from './call/find-resource.js';
import { getPrompt } from './call/get-prompt.js';
import { createInterceptors } from './call/interceptors/create-interceptors.js';
import { observeCalls } from './call/observers/call-observer.js';
import { createObservers } from './call/observers/create-observers.js';
import { withActivity } from './call/plugin-activity.js';
import { createPluginLog, logFields } from './call/plugin-log.js';
import { readOwnResource } from './call/resources/own-resources.js';
import { readResource } from './call/resources/read-resource.js';
import { ResourceSubscriptions } from './call/resources/resource-subscriptions.js';
import { TemplateResources } from './call/resources/template-resources.js';
import { createOutputTable } from './call/results/output-store.js';
import { callTool } from './call/tool-call.js';
import { SchemaValidator } from './call/validation/schema-validator.js';
import { LISTS } from './core/changed-lists.js';
import { ClientRoots } from './core/client-roots.js';
import { isWholeLocal, LOCAL, type Principal } from './core/principal.js';
import type { HostEvents } from './core/server-api.js';
import type { Snapshot } from './core/snapshot.js';
import { createLog } from './log/log.js';
import { createCatalog } from './plugins/catalog/catalog.js';
import type { Catalog } from './plugins/catalog/catalog-interface.js';
import { Instructions } from './plugins/catalog/instructions.js';
import { toListedResource, toMcpLists } from './plugins/catalog/mcp-lists.js';
import { operateTools } from './plugins/catalog/operate-tool.js';
import { perSnapshot } from './plugins/catalog/per-snapshot.js';
import { PluginOperations } from './plugins/catalog/plugin-operations.js';
import { PluginSettingsStore } from './plugins/catalog/plugin-settings-store.js';
import { pluginsTool } from './plugins/catalog/plugins-tool.js';
import { createProblemLog } from './plugins/catalog/problem-log.js';
import { whenLoaded } from './plugins/catalog/when-loaded.js';
import { bundledPlugins } from './plugins/find/bundled-candidates.js';
import { configuredPlugins } from './plugins/find/configured-plugins.js';
import { mountedCandidates } from './plugins/find/mounted-candidates.js';
import { createInstructionsCache } from './plugins/load/instructions-cache.js';
import { PIN_FILE } from './plugins/pins/pin-file.js';
import { createPins } from './plugins/pins/pins.js';
import { createRunnerFactory } from './run/runner-factory.js';
import type { Server, ServerOptions } from './server-interface.js';
import { resultLimit } from './settings/effective-limits.js';
import { dataRoot, pluginDataRoot } from './settings/process-environment.js';
import { createEvents } from './util/events.js';
import { InFlight } from './util/in-flight.js';
import { version } from './util/version.js';

/**
 * Builds the whole server from its settings and starts to load the plugins. It serves no one yet: give it to
 * `serveStdio` or `serveHttp`, or call its tools directly.
 */
export function createServer({
  loaded,
  log: logOption,
  cacheDir,
  reloadSettings,
  only,
  logsProblems,
  inspect,
  metrics,
}: ServerOptions): Server {
  const { settings } = loaded;
  const ownWords = new OwnWords();
  const redactorOptions = { secrets: loaded.secrets, notSecretKey: notSecretKey() };
  const redactor = createRedactor({ ...redactorOptions, ownWords });
  const log = logOption ?? createLog(settings.Log.Level, redactor);
  const events = createEvents<HostEvents>((error) => log.error('a listener threw', { error: String(error) }));
  const outputs = createOutputTable();
  const shutdown = new CancelSource();
  /** Since the start. */
  const happened = { crashes: 0, reloads: 0 };
  const audit = createAuditLog(settings, { dataDir: dataRoot(), redactor, log });
  const httpRefusals = audit && new HttpRefusals(audit);
  for (const warning of loaded.warnings) log.warn(warning);

  const toolOptions = {
    plugins: (principal: Principal | undefined) => viewOf(principal).plugins,
    settingsProblem: () => pluginSettings.problem,
    reload: (name?: string) => operations.reload(name),
  };
  const accept: PluginOperations['accept'] = (...args) => operations.accept(...args);
  const operatorTools = new OperatorTools(operateTools({ ...toolOptions, accept }, settings.Tools.NameStyle));
  const access = new Access(settings, operatorTools);
  const pluginSettings = new PluginSettingsStore({
    loaded,
    dataRoot: pluginDataRoot(),
    env: process.env,
    log,
    reload: reloadSettings,
    onReloaded: (reloaded) => {
      const before = access.update(reloaded.settings);
      events.emit('settingsReloaded', reloaded.settings);
      for (const list of LISTS) events.emit('listChanged', list, audiences.ofSettings(list, before));
    },
  });
  const roots = new ClientRoots();
  const runnerFactory = createRunnerFactory({
    roots,
    settings,
    log,
    redactor,
    cacheDir,
    sharedSettings: () => pluginSettings.shared,
    ownSettings: (name) => pluginSettings.valuesOf(name),
    commonEnvironment: () => pluginSettings.environmentOf(),
    inspect,
    isOnePlugin: only !== undefined,
    onOwnTexts: (texts) => ownWords.add(texts),
  });
  const pins = createPins({
    file: join(loaded.baseDir, PIN_FILE),
    onChange: settings.Plugins.OnChange,
    redact: (value) => redactor.value(value),
    report: ({ message, code, hint, location }) => log.warn(message, { code, ...location, hint }),
    trustCommand: (name) =>
      `mortise trust ${name}${loaded.file === undefined ? '' : ` --config ${JSON.stringify(loaded.file)}`}`,
  });
  const pluginLog = createPluginLog(redactor, (line) => {
    log[line.level](line.message, logFields(line));
    events.emit('log', line, audiences.ofPlugin(line.plugin));
  });
  const mcpLists = perSnapshot((snapshot) => toMcpLists(snapshot, redactor));
  // Those of one plugin alone, or of one that waits for a debugger, are not what the next start gives.
  const isWhole = cacheDir !== undefined && only === undefined && !inspect?.size;
  const cache = isWhole ? createInstructionsCache(cacheDir, loaded, log) : undefined;
  const instructions = new Instructions({ redactor, nameStyle: settings.Tools.NameStyle, cache });
  const catalog: Catalog = createCatalog({
    settings,
    log,
    only,
    logsProblems,
    loadRunner: runnerFactory.load,
    pluginSettings,
    builtIn: pluginsTool({ ...toolOptions, problems: () => [...catalog.problems(), ...accessProblems()] }),
    comparePins: pins.review,
    pinnedLabels: pins.labelsOf,
    remembered: runnerFactory.remembered,
    find: () => configuredPlugins(loaded),
    bundled: bundledPlugins(loaded),
    mounted: mountedCandidates(loaded),
    onLog: pluginLog.add,
    onCrash() {
      happened.crashes += 1;
    },
    async onResourceUpdated(uri, path) {
      const resource = await providedResource(catalog.snapshot(), uri, path, settings.Plugins.Limits);
      if (resource) events.emit('resourceUpdated', uri, audiences.ofResource(resource));
    },
  });
  const viewOf = (principal: Principal | undefined) => access.viewOf(principal, catalog.snapshot());
  const profileProblems = () => unknownNames(pluginSettings.profiles, catalog.snapshot(), pluginSettings.file);
  const accessProblems = () => [...(pluginSettings.problem ? [pluginSettings.problem] : []), ...profileProblems()];
  const report = logsProblems === false ? () => {} : createProblemLog(log);
  const logProfileProblems = () => {
    for (const problem of profileProblems()) report(undefined, problem);
  };
  const operations = new PluginOperations({
    catalog,
    pins,
    audit,
    onReloaded() {
      logProfileProblems();
      happened.reloads += 1;
    },
  });
  void catalog.ready().then(logProfileProblems);
  const audiences = new Audiences(access, () => catalog.snapshot());
  const verified = async (changed: readonly string[]) => {
    if (changed.length > 0) await catalog.reload(changed);
    await catalog.recheck();
    instructions.save(viewOf(LOCAL));
  };
  void catalog.ready().then(() => runnerFactory.settled(verified));
  void catalog.ready().then(() => pins.settle());
  pins.onTrusted(() => catalog.reviewAgain());
  catalog.onChange((what, before) => {
    for (const list of what) events.emit('listChanged', list, audiences.ofList(list, before));
  });

  const checks = new SchemaValidator((text) => redactor.text(text));
  const { interceptors, counts, statistics } = createInterceptors(settings, access, audit);
  const maxResultBytes = resultLimit(settings);
  const services: CallServices = {
    settings,
    inspected: inspect ?? new Map(),
    snapshot: viewOf,
    unloaded: catalog,
    hiddenNames: (principal) => access.hiddenNames(principal, catalog.snapshot()),
    interceptors,
    showsCallIds: audit !== undefined,
    maxResultBytes: ({ principal = LOCAL }) => maxResultBytes(principal),
    checks,
    redactor,
    unsafeRedactor: createUnsafeRedactor(),
    valuesRedactor: createRedactor({ ...redactorOptions, valuesOnly: true }),
    outputs,
    log,
    deadlines: new CallDeadlines(shutdown),
  };

  const templateResources = new TemplateResources(services, toListedResource);
  const subscriptions = new ResourceSubscriptions(services);
  const loadedPlugins = perSnapshot((snapshot) => redactor.value(snapshot.plugins));
  const plugins = (principal?: Principal) => {
    const view = viewOf(principal);
    if (view.plugins !== catalog.snapshot().plugins || !templateResources.hasProblems) return loadedPlugins(view);
    return redactor.value(catalog.snapshot().plugins.map((status) => templateResources.withProblems(status)));
  };

  const running = new InFlight();
  const whenThere = whenLoaded({ catalog, viewOf });

  const observers = createObservers({ audit, metrics, snapshot: () => operatorTools.addedTo(catalog.snapshot()) });
  const api: Server = {
    settings,
    version,
    metrics,
    refused: (refusal) => httpRefusals?.add(refusal),
    callRefused(call, answer) {
      for (const observer of observers) observer.answered(call, answer, 0);
    },
    counts: () => ({ ...happened, ...counts(), processes: runnerFactory.processes }),
    ready: () => catalog.ready(),
    listed: () => catalog.listed(),
    finishLoading: (withinMs) => catalog.finishLoading(withinMs),
    mcpLists: (principal) => mcpLists(viewOf(principal)),
    instructions: (principal) =>
      instructions.of(viewOf(principal), { isEarly: !catalog.isComplete && isWholeLocal(principal) }),
    templateResources: (caller, isLaterPage) => {
      const listed = templateResources.list(caller, isLaterPage);
      return listed && running.count(listed);
    },
    plugins,
    inputSchemaOf: (name, principal) => viewOf(principal).findTool(name)?.advertisedInputSchema,
    callTool(name, args, caller) {
      const call = () => running.count(callTool(services, name, args, caller));
      return whenThere(caller, (now) => now.findTool(name) !== undefined, call);
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
    roots,
    getPrompt: (name, args, caller) =>
      whenThere(
        caller,
        (now) => now.findPrompt(name) !== undefined,
        () => running.count(getPrompt(services, name, args, caller)),
      ),
    complete: (request, caller) =>
      whenThere(
        caller,
        () => false,
        () => running.count(complete(services, request, caller)),
      ),
    reload: toolOptions.reload,
    pluginFiles: () => catalog.files(),
    problems: () => redactor.value([...catalog.problems(), ...accessProblems()]),
    settingsFile: loaded.file,
    trustPlugin: (name) => operations.accept(name),
    redact: (value) => redactor.value(value),
    on: events.on,
    async close() {
      shutdown.abort();
      await running.idle();
      if (catalog.isComplete) instructions.save(viewOf(LOCAL));
      await catalog.close();
      pluginLog.end();
      await runnerFactory.close();
      checks.close();
      await pins.close();
      httpRefusals?.flush();
      audit?.close();
    },
  };
  return observers.length === 0 ? api : { ...api, ...observeCalls(api, observers) };
}
