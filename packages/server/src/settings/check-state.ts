import { type Places, placeOf } from './resolve-settings.js';
import { problemAt, type SettingsProblem } from './settings-error.js';
import type { ParsedSettings } from './settings-table.js';

type StateSettings = Pick<ParsedSettings, 'Http' | 'State'>;

interface Finding {
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/** Returns the problem; undefined if there is none. Members that violate their schema are undefined. */
type Check = (settings: { readonly [S in keyof StateSettings]: Partial<StateSettings[S]> }) => Finding | undefined;

const CHECKS: readonly Check[] = [
  ({ Http: { StateKey, StateKeys } }) =>
    StateKey && StateKeys?.length
      ? {
          path: ['Http', 'StateKey'],
          message: 'Http.StateKey is set, and Http.StateKeys too.',
          hint: 'Move the key into Http.StateKeys, and remove Http.StateKey.',
        }
      : undefined,
  ({ Http: { StateKey, StateKeys }, State: { Redis } }) =>
    Redis && StateKey === '' && StateKeys?.length === 0
      ? {
          path: ['State', 'Redis'],
          message:
            'State.Redis is set, and Http.StateKeys is empty: no replica could read the requestState of another.',
          hint: 'Give all replicas the same Http.StateKeys.',
        }
      : undefined,
  ({ State: { Redis } }) =>
    Redis?.Urls && (Redis.Mode === 'single' ? Redis.Urls.length !== 1 : Redis.Urls.length === 0)
      ? {
          path: ['State', 'Redis', 'Urls'],
          message: `State.Redis.Urls has ${Redis.Urls.length} addresses, must have one.`,
          hint: 'Name the server that holds the state, or set State.Redis.Mode to sentinel or cluster.',
        }
      : undefined,
  ({ State: { Redis } }) =>
    Redis && (Redis.Mode === 'sentinel') !== (Redis.SentinelName !== undefined)
      ? {
          path: ['State', 'Redis', 'SentinelName'],
          message: 'State.Redis.SentinelName and State.Redis.Mode `sentinel` need each other.',
          hint: 'Set both, or neither.',
        }
      : undefined,
  ({ State: { Redis } }) =>
    Redis?.CaFile && !Redis.Tls && !Redis.Urls?.some((url) => /^rediss:/i.test(url ?? ''))
      ? {
          path: ['State', 'Redis', 'CaFile'],
          message: 'State.Redis.CaFile is set, and the connection does not use TLS.',
          hint: 'Set State.Redis.Tls, or write rediss:// in State.Redis.Urls.',
        }
      : undefined,
];

/** Returns the problems of the settings for shared state that the schema does not find (docs/spec/shared.md#settings). */
export function stateProblems({ Http, State }: StateSettings, places: Places): SettingsProblem[] {
  return CHECKS.map((check) => check({ Http: Http ?? {}, State: State ?? {} }))
    .filter((finding) => finding !== undefined)
    .map(({ path, message, hint }) => problemAt(placeOf(places, path).origin, { key: path.join('.'), message, hint }));
}

/** Shorter passwords would redact parts of ordinary words. */
const MIN_SECRET_CHARS = 6;

/** The passwords in the addresses of the store, as the store gets them. */
export function storePasswords({ State }: StateSettings): string[] {
  return (State?.Redis?.Urls ?? []).flatMap((url) => {
    const password = URL.canParse(url) ? new URL(url).password : '';
    return password.length < MIN_SECRET_CHARS ? [] : [decodeURIComponent(password)];
  });
}
