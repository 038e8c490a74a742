import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/host';
import type { Log } from '../../log.js';
import { type Fingerprint, fingerprint, stampAgain } from '../../plugins/fingerprint.js';
import type { RememberedPlugins } from '../../plugins/remembered.js';
import type { McpServerEntry, Settings } from '../../settings/settings.js';
import { attempt } from '../../settings/system-answer.js';
import { Unavailable } from '../endings.js';
import { inTime } from '../in-time.js';
import { createCrashPauses } from '../process/crash-pauses.js';
import type { Reaper } from '../process/reaper.js';
import type { LoadedRunner, LoadRunner, PluginOwner, RunnableCandidate } from '../runner.js';
import { MountedRunner } from './mounted-runner.js';

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };
const HINT = 'See what it prints in the log, or raise Plugins.LoadTimeoutMs where it takes its time to start.';

export interface MountedOptions {
  settings: Pick<Settings['Plugins'], 'LoadTimeoutMs' | 'IdleMs'>;
  log: Log;
  remembered: RememberedPlugins;
  reaper: Reaper;
}

/** Loads the servers of `Plugins.McpServers`. One whose lists are remembered is neither started nor reached. */
export function loadMounted({ settings, log, remembered, reaper }: MountedOptions): LoadRunner {
  async function load(candidate: RunnableCandidate, host: PluginOwner): Promise<LoadedRunner> {
    const { mounted: entry, name, path, entry: file } = candidate;
    const place = { path: `${path}#${digest(entry)}` };
    const stood = programOf(entry!);
    const known = remembered.find(place);
    const runner = new MountedRunner({
      entry: entry!,
      prefix: `${name}.`,
      place: { file, subject: path },
      host,
      reaper,
      pauses: createCrashPauses(),
      definition: known?.definition ?? NOTHING,
      idleMs: settings.IdleMs,
      onPrint: (line, stream) => log[stream === 'stdout' ? 'info' : 'warn'](line, { plugin: name, source: stream }),
      onListed: (definition) => remembered.keep(place, programOf(entry!), definition),
    });
    if (known) return { runner, fingerprint: known, isRemembered: true };
    try {
      await runner.open();
      return { runner, fingerprint: stood };
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return { problem: error.problem };
    }
  }

  return inTime(load, settings.LoadTimeoutMs, HINT);
}

/** Another entry is another server. */
const digest = (entry: unknown) => createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 32);

/** Larger files are no scripts, and would be read whole at each start. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The program and the script that it runs, where the entry names them by path: they change although the entry does not. */
function programOf(entry: McpServerEntry): Fingerprint {
  if (!('command' in entry)) return { files: [], stamp: stampAgain({}, []) };
  const { command, args = [], cwd = '' } = entry;
  const fileOf = (word: string) => {
    const path = resolve(cwd, word);
    const stats = attempt(() => statSync(path, { throwIfNoEntry: false }));
    return stats?.isFile() && stats.size <= MAX_BYTES ? [path] : [];
  };
  const [script] = args.flatMap(fileOf);
  const files = [
    ...(isAbsolute(command) ? fileOf(command) : []),
    ...(script === undefined ? [] : fingerprint({ entry: script }).files),
  ];
  return { files, stamp: stampAgain({}, files) };
}
