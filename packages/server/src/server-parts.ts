import { join } from 'node:path';
import { CancelSource } from '@mortise/mcp/util';
import { notSecretKey, type PluginProblem } from '@mortise/plugin/runtime';
import { createRedactor, createUnsafeRedactor, OwnWords, type Redactor } from '@mortise/redact';
import { Access } from './access/access.js';
import { Audiences } from './access/audiences.js';
import type { AuditLog } from './access/audit/audit-log.js';
import { createAuditLog } from './access/audit/create-audit-log.js';
import { OperatorTools } from './access/operator-tools.js';
import { findUnknownNames } from './access/unknown-names.js';
import type { CallServices } from './call/call-services.js';
import { CallDeadlines } from './call/deadline.js';
import { createInterceptors, type Interceptors } from './call/interceptors/create-interceptors.js';
import type { CallObserver } from './call/observers/call-observer.js';
import { createObservers } from './call/observers/create-observers.js';
import { createOutputTable } from './call/results/output-store.js';
import { SchemaValidator } from './call/validation/schema-validator.js';
import { LISTS } from './core/changed-lists.js';
import { ClientRoots } from './core/client-roots.js';
import { LOCAL, type Principal } from './core/principal.js';
import type { ServerEvents } from './core/server-api.js';
import type { Snapshot } from './core/snapshot.js';
import { createLog, type Log } from './log/log.js';
import { Catalog } from './plugins/catalog/catalog.js';
import type { CatalogEntry } from './plugins/catalog/catalog-entry.js';
import { operateTools } from './plugins/catalog/operate-tool.js';
import { PluginOperations } from './plugins/catalog/plugin-operations.js';
import { PluginSettingsStore } from './plugins/catalog/plugin-settings-store.js';
import { pluginsTool } from './plugins/catalog/plugins-tool.js';
import { createProblemLog } from './plugins/catalog/problem-log.js';
import { bundledPlugins } from './plugins/find/bundled-candidates.js';
import { configuredPlugins } from './plugins/find/configured-plugins.js';
import { mountedCandidates } from './plugins/find/mounted-candidates.js';
import { PIN_FILE } from './plugins/pins/pin-file.js';
import { Pins } from './plugins/pins/pins.js';
import { RunnerFactory } from './run/runner-factory.js';
import type { ServerOptions } from './server-interface.js';
import { resultLimit } from './settings/effective-limits.js';
import { dataRoot, pluginDataRoot } from './settings/process-environment.js';
import { createEvents, type Events } from './util/events.js';

/** The redactors, the log, the events and the audit, which all other parts use. */
export interface Logging {
  readonly redactor: Redactor;
  /** For tools with `redaction: "values-only"`. */
  readonly valuesRedactor: Redactor;
  /** Fixed texts of bundled plugins, which are never redacted. */
  readonly ownWords: OwnWords;
  readonly log: Log;
  readonly events: Events<ServerEvents>;
  readonly audit: AuditLog | undefined;
}

export function createLogging({ loaded, log: logOption }: ServerOptions): Logging {
  const { settings, secrets, warnings } = loaded;
  const ownWords = new OwnWords();
  const redactorOptions = { secrets, notSecretKey: notSecretKey() };
  const redactor = createRedactor({ ...redactorOptions, ownWords });
  const valuesRedactor = createRedactor({ ...redactorOptions, valuesOnly: true });
  const log = logOption ?? createLog(settings.Log.Level, redactor);
  for (const warning of warnings) log.warn(warning);
  const events = createEvents<ServerEvents>((error) => log.error('a listener threw', { error: String(error) }));
  const audit = createAuditLog(settings, { dataDir: dataRoot(), redactor, log });
  return { redactor, valuesRedactor, ownWords, log, events, audit };
}

/** The plugins, their runners, settings and pins. Plugins are not loaded until the catalog is started. */
export interface Plugins {
  readonly settings: PluginSettingsStore;
  readonly pins: Pins;
  readonly runners: RunnerFactory;
  readonly catalog: Catalog;
  readonly operations: PluginOperations;
  readonly roots: ClientRoots;
  /** Number of crashes and reloads since the start. */
  readonly eventCounts: { crashes: number; reloads: number };
  /** The problems of plugins folders, settings and profiles. */
  problems(): readonly PluginProblem[];
  /** Logs the names in profiles that no plugin provides. */
  logProfileProblems(): void;
}

export function createPlugins(options: ServerOptions, logging: Logging): Plugins {
  const { loaded, cacheDir, only, logsProblems, inspect, reloadSettings: reload } = options;
  const { log, redactor, ownWords, audit } = logging;
  const settings = new PluginSettingsStore({ loaded, dataRoot: pluginDataRoot(), env: process.env, log, reload });
  const roots = new ClientRoots();
  const runners = new RunnerFactory({
    roots,
    settings: loaded.settings,
    log,
    redactor,
    cacheDir,
    sharedSettings: () => settings.shared,
    ownSettings: (name) => settings.valuesOf(name),
    commonEnvironment: () => settings.environmentOf(),
    inspect,
    isOnePlugin: only !== undefined,
    onOwnTexts: (texts) => ownWords.add(texts),
  });
  const pins = new Pins({
    file: join(loaded.baseDir, PIN_FILE),
    onChange: loaded.settings.Plugins.OnChange,
    redact: (value) => redactor.value(value),
    report: ({ message, code, hint, location }) => log.warn(message, { code, ...location, hint }),
    trustCommand: (name) =>
      `mortise trust ${name}${loaded.file === undefined ? '' : ` --config ${JSON.stringify(loaded.file)}`}`,
  });
  const catalog = new Catalog({
    settings: loaded.settings,
    log,
    only,
    logsProblems,
    loadRunner: runners.load,
    pluginSettings: settings,
    comparePins: (plugin, definition) => pins.review(plugin, definition),
    pinnedLabels: (plugin) => pins.labelsOf(plugin),
    remembered: runners.remembered,
    find: () => configuredPlugins(loaded),
    bundled: bundledPlugins(loaded),
    mounted: mountedCandidates(loaded),
  });
  const eventCounts = { crashes: 0, reloads: 0 };
  const profileProblems = () => findUnknownNames(settings.profiles, catalog.snapshot(), settings.file);
  const report = logsProblems === false ? () => {} : createProblemLog(log);
  const logProfileProblems = () => {
    for (const problem of profileProblems()) report(undefined, problem);
  };
  const onReloaded = () => {
    logProfileProblems();
    eventCounts.reloads += 1;
  };
  const settingsProblem = () => settings.problem;
  const operations = new PluginOperations({ catalog, pins, audit, settingsProblem, onReloaded });
  const problems = () => [...catalog.problems(), ...(settings.problem ? [settings.problem] : []), ...profileProblems()];
  return { settings, pins, runners, catalog, operations, roots, eventCounts, problems, logProfileProblems };
}

/** The parts that decide what each principal sees and may do. */
export interface AccessParts {
  readonly access: Access;
  readonly operatorTools: OperatorTools;
  readonly audiences: Audiences;
  /** The server's own tools that every client sees. */
  readonly builtIn: CatalogEntry;
  /** Returns the part of the current snapshot that the principal sees: all of it if there is no principal. */
  viewOf(principal: Principal | undefined): Snapshot;
}

export function createAccess(
  { settings }: ServerOptions['loaded'],
  { events }: Logging,
  plugins: Plugins,
): AccessParts {
  const { catalog, operations } = plugins;
  const viewOf = (principal: Principal | undefined) => access.viewOf(principal, catalog.snapshot());
  const actions = {
    plugins: (principal: Principal | undefined) => viewOf(principal).plugins,
    settingsProblem: () => plugins.settings.problem,
    problems: plugins.problems,
    reload: (name?: string) => operations.reload(name),
    accept: (name: string, sha256: string, principal: Principal | undefined) =>
      operations.accept(name, sha256, principal),
  };
  const operatorTools = new OperatorTools(operateTools(actions, settings.Tools.NameStyle));
  // Access and the operator tools need each other: the tools call `viewOf` only when they run, after `access` is set.
  const access: Access = new Access(settings, operatorTools);
  const audiences = new Audiences(access, () => catalog.snapshot());
  plugins.settings.onReloaded((reloaded) => {
    const before = access.update(reloaded.settings);
    events.emit('settingsReloaded', reloaded.settings);
    for (const list of LISTS) events.emit('listChanged', list, audiences.ofSettings(list, before));
  });
  catalog.onChange((lists, before) => {
    for (const list of lists) events.emit('listChanged', list, audiences.ofList(list, before));
  });
  return { access, operatorTools, audiences, builtIn: pluginsTool(actions), viewOf };
}

export interface Calls extends Interceptors {
  readonly services: CallServices;
  readonly observers: readonly CallObserver[];
  /** Cancels all calls. */
  readonly shutdown: CancelSource;
}

interface CallParts {
  readonly logging: Logging;
  readonly plugins: Plugins;
  readonly access: AccessParts;
}

export function createCalls({ loaded, inspect = new Map(), metrics, shared }: ServerOptions, parts: CallParts): Calls {
  const { redactor, valuesRedactor, log, audit } = parts.logging;
  const { catalog } = parts.plugins;
  const { access, operatorTools, viewOf } = parts.access;
  const { settings } = loaded;
  const interceptors = createInterceptors(settings, access, audit, shared?.rates);
  const maxResultBytes = resultLimit(settings);
  const shutdown = new CancelSource();
  const services: CallServices = {
    settings,
    inspectedPlugins: inspect,
    viewOf,
    unloadedPlugins: {
      knownLabels: (path) => catalog.knownLabels(path),
      loadAgain: (path) => catalog.loadAgain(path),
    },
    hiddenNames: (principal) => access.hiddenNames(principal, catalog.snapshot()),
    interceptors: interceptors.interceptors,
    showsCallIds: audit !== undefined,
    maxResultBytes: ({ principal = LOCAL }) => maxResultBytes(principal),
    validator: new SchemaValidator((text) => redactor.text(text)),
    redactor,
    unsafeRedactor: createUnsafeRedactor(),
    valuesRedactor,
    outputs: createOutputTable({ shared: shared?.outputs }),
    log,
    deadlines: new CallDeadlines(shutdown),
  };
  const observers = createObservers({ audit, metrics, snapshot: () => operatorTools.addedTo(catalog.snapshot()) });
  return { ...interceptors, services, observers, shutdown };
}
