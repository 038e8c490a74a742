import { type LoadOptions, loadSettings } from './load.js';
import type { LoadedSettings } from './settings.js';
import { SettingsError, type SettingsProblem } from './settings-error.js';

/** Sections without which the plugins are the same. */
const REST: ReadonlySet<string> = new Set(['Auth', 'Profiles', 'Limits', 'Audit', 'Telemetry', 'Http', 'Log']);
/** An entry without a member that was wrong may be incomplete; then the next round ignores the whole entry. */
const MAX_ROUNDS = 5;

export interface UsableSettings {
  /** Everything that is wrong. */
  readonly problems: readonly SettingsProblem[];
  /** The settings without what is wrong; undefined where the plugins would not be the same ones. */
  readonly loaded: LoadedSettings | undefined;
}

/** The settings, as far as they can be used to look at the plugins although some are wrong. Never throws a SettingsError. */
export function loadUsable(options: LoadOptions): UsableSettings {
  let problems: readonly SettingsProblem[] | undefined;
  const leftOut: ReadonlySet<string>[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    try {
      const loaded = loadSettings({ ...options, leftOut });
      return { problems: problems ?? [], loaded };
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      problems ??= error.problems;
      if (!error.problems.every(({ key }) => REST.has(sectionOf(key)))) break;
      leftOut.push(
        new Set(error.problems.map(({ key }) => (leftOut.some((keys) => keys.has(key)) ? parentOf(key) : key))),
      );
    }
  }
  return { problems: problems ?? [], loaded: undefined };
}

const parentOf = (key: string): string => key.replace(/(?:\.[^.[]*|\[\d+\])$/, '');
const sectionOf = (key: string): string => /^[^.[]*/.exec(key)![0];
