import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { ClientRoots } from '../../core/client-roots.js';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { LoadedRunner, LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import { indexFileOf, packageEntry, readPackage } from '../../plugins/find/package-entry.js';
import type { DefinitionCache } from '../../plugins/load/definition-cache.js';
import { fingerprint, rehash } from '../../plugins/load/fingerprint.js';
import { createRestartBackoff } from '../../processes/restart-backoff.js';
import type { McpServerEntry, Settings } from '../../settings/settings.js';
import { tryOs } from '../../util/ignore-os-errors.js';
import type { ProcessMeter } from '../shared/load-clock.js';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import { withLoadTimeout } from '../shared/with-load-timeout.js';
import { connectionProblem } from './connection-problem.js';
import { MountedRunner } from './mcp-client-runner.js';

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };
const HINT = "Check the server's output in the log, or raise Plugins.LoadTimeoutMs if the server starts slowly.";

export interface MountedOptions {
  settings: Pick<Settings['Plugins'], 'LoadTimeoutMs' | 'IdleMs' | 'Limits'>;
  log: Log;
  redactor: Redactor;
  cache: DefinitionCache;
  reaper: Reaper;
  roots: ClientRoots | undefined;
}

/** Creates the loader of `Plugins.McpServers`. A server with a cached definition is neither started nor contacted. */
export function createMountedLoader({ settings, log, redactor, cache, reaper, roots }: MountedOptions): LoadRunner {
  async function load(
    candidate: RunnableCandidate,
    callbacks: RunnerCallbacks,
    meter: ProcessMeter | undefined,
  ): Promise<LoadedRunner> {
    const { mounted: entry, name, path, entry: file } = candidate as RunnableCandidate & { mounted: McpServerEntry };
    const cacheKey = { path: `${path}#${digest(entry)}` };
    const cached = cache.find(cacheKey);
    const validCached = cached && !callbacks.mustReload?.(cached.definition) ? cached : undefined;
    let fingerprintAtLoad: Fingerprint = { files: [], stateHash: '' };
    const runner = new MountedRunner({
      entry,
      lists: { file, prefix: `${name}.`, origin: 'mounted', judgesArguments: true },
      callbacks,
      reaper,
      roots,
      redactor,
      limits: settings.Limits,
      backoff: createRestartBackoff(),
      definition: cached?.definition ?? callbacks.provided?.() ?? NOTHING,
      idleMs: settings.IdleMs,
      loadTimeoutMs: settings.LoadTimeoutMs,
      onStarted: (pid) => meter?.watch(pid),
      onOutput: (line, stream) => log[stream === 'stdout' ? 'info' : 'warn'](line, { plugin: name, source: stream }),
      onOpening() {
        fingerprintAtLoad = programOf(entry);
      },
      onListed(definition) {
        // A server that provides nothing, for example before a login, is never called, so nothing would ever replace its
        // cached definition.
        if (providesNothing(definition)) cache.delete(cacheKey);
        else if (rehash({}, fingerprintAtLoad.files) === fingerprintAtLoad.stateHash)
          cache.set(cacheKey, fingerprintAtLoad, definition);
      },
      onEnded: (reason) => callbacks.crashed(`the mounted server ended: ${reason}`),
      toProblem: (ended) => connectionProblem(entry, { file, subject: path }, ended),
    });
    if (validCached) return { runner, fingerprint: validCached, isCached: true };
    // A server by URL may be started after this one, so it is tried again.
    return open(runner, () => fingerprintAtLoad, { isRetried: 'url' in entry });
  }

  const hasProcess = ({ mounted }: RunnableCandidate) => mounted !== undefined && 'command' in mounted;
  return withLoadTimeout(load, { loadTimeoutMs: settings.LoadTimeoutMs, hint: HINT, hasProcess });
}

async function open(
  runner: MountedRunner,
  fingerprintOf: () => Fingerprint,
  { isRetried }: { isRetried: boolean },
): Promise<LoadedRunner> {
  try {
    await runner.open();
    return { runner, fingerprint: fingerprintOf() };
  } catch (error) {
    if (!(error instanceof PluginUnavailableError)) throw error;
    await runner.dispose();
    return { problem: error.problem, ...(isRetried && { isRetried }) };
  }
}

const providesNothing = ({ tools, resources, prompts }: PluginDefinition) =>
  tools.length + resources.length + prompts.length === 0;

/** Identifies the entry, because a changed entry is another server. */
const digest = (entry: unknown) => createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 32);

/** Larger files do not count as scripts, because each start reads the scripts. */
const MAX_BYTES = 16 * 1024 * 1024;

const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|php|pl|sh|ps1|cmd|bat|dll|jar)$/i;

/** The fingerprint of the program and the scripts that the entry names by path, which can change while the entry does not. */
function programOf(entry: McpServerEntry): Fingerprint {
  if (!('command' in entry)) return { files: [], stateHash: rehash({}, []) };
  const { command, args = [], cwd = '' } = entry;
  const fileOf = (word: string) => {
    const path = resolve(cwd, word);
    const stats = tryOs(() => statSync(path, { throwIfNoEntry: false }));
    return stats?.isFile() && stats.size <= MAX_BYTES ? [path] : [];
  };
  const argumentFiles = args.flatMap(fileOf);
  // The first file is the program, whatever its name. Of the others only scripts count: data files change with every call.
  const scripts = argumentFiles.filter((path, index) => index === 0 || SCRIPT.test(path));
  const files = [
    ...(isAbsolute(command) ? fileOf(command) : []),
    ...folderOf(cwd, args[0]),
    ...scripts.flatMap((entry) => fingerprint({ entry }).files),
  ];
  return { files, stateHash: rehash({}, files) };
}

/** If Node's argument is a folder: the file that Node runs, and the package.json that names it. */
function folderOf(cwd: string, word: string | undefined): readonly string[] {
  if (word === undefined) return [];
  const folder = resolve(cwd, word);
  const found = tryOs(() => readPackage(folder));
  const main = found && 'json' in found ? packageEntry(folder, { main: found.json.main }) : undefined;
  const entry = main && 'entry' in main ? main.entry : tryOs(() => indexFileOf(folder));
  return entry === undefined ? [] : [join(folder, 'package.json'), ...fingerprint({ entry }).files];
}
