import type { Principal } from '../core/principal.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Settings } from '../settings/settings.js';
import { HiddenNames } from './hidden-names.js';
import type { Operations } from './operations.js';
import { OperatorTools } from './operator-tools.js';
import { READ_ONLY_PROFILE } from './profile-rules.js';
import { type AccessSettings, Views } from './views.js';

/** The catalog as each principal sees it now (docs/spec/access.md#views). */
export class Access {
  #views: Views;
  readonly #hiddenNames = new WeakMap<Snapshot, HiddenNames>();

  readonly #operatorTools: OperatorTools;

  constructor(settings: AccessSettings, operatorTools = new OperatorTools([])) {
    this.#operatorTools = operatorTools;
    this.#views = new Views(settings, operatorTools);
  }

  get operations(): Operations {
    return this.#views.operations;
  }

  /** Takes over the profiles of settings that were read again. @returns what was seen before */
  update(settings: AccessSettings): Views {
    const before = this.#views;
    this.#views = new Views(settings, this.#operatorTools);
    return before;
  }

  /** What our texts do not name for the principal; undefined where it sees everything. */
  hiddenNames(principal: Principal | undefined, snapshot: Snapshot): HiddenNames | undefined {
    const view = this.viewOf(principal, snapshot);
    if (view === snapshot || view === this.#operatorTools.addedTo(snapshot)) return undefined;
    const hidden = this.#hiddenNames.get(view) ?? new HiddenNames(snapshot, view);
    this.#hiddenNames.set(view, hidden);
    return hidden;
  }

  /** What the principal sees of the snapshot; without profiles everything. */
  viewOf(principal: Principal | undefined, snapshot: Snapshot): Snapshot {
    return this.#views.viewOf(principal, snapshot);
  }
}

/** The names of all profiles, the built-in one included. */
export function profileNames({ Profiles }: Pick<Settings, 'Profiles'>): string[] {
  return [...Object.keys(Profiles), READ_ONLY_PROFILE];
}

/** The principal with further profiles: it can only see less. */
export function narrowed(principal: Principal, names: readonly string[]): Principal {
  const profiles = [...new Set([...principal.profiles, ...names])].sort();
  return profiles.length === principal.profiles.length ? principal : { ...principal, profiles };
}
