import type { Principal } from '../core/principal.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Profile } from '../settings/access-settings.js';
import type { Settings } from '../settings/settings.js';
import { Operations } from './operations.js';
import { ProfileRules, READ_ONLY, READ_ONLY_PROFILE } from './profile-rules.js';
import { buildView } from './profile-view.js';

/** What a profile shows that is no longer in the settings. */
const NOTHING: Profile = { Include: [], Exclude: [], ReadOnly: true, Actions: {} };

type AccessSettings = Pick<Settings, 'Profiles' | 'Tools'>;

/** The catalog as each principal sees it: made once for each set of profiles and snapshot. */
export class Access {
  operations!: Operations;
  #rules!: ReadonlyMap<string, ProfileRules>;
  /** By the names of the profiles; the snapshots that a view is of are few, and go when the catalog forgets them. */
  #views!: Map<string, WeakMap<Snapshot, Snapshot>>;
  #viewsOf!: WeakMap<Principal, WeakMap<Snapshot, Snapshot>>;

  constructor(settings: AccessSettings) {
    this.update(settings);
  }

  /** Takes over the profiles of settings that were read again. */
  update({ Profiles, Tools }: AccessSettings): void {
    this.#views = new Map();
    this.#viewsOf = new WeakMap();
    this.operations = new Operations(Tools.TrustAnnotations);
    const profiles: Record<string, Profile> = { ...Profiles, [READ_ONLY_PROFILE]: READ_ONLY };
    this.#rules = new Map(
      Object.entries(profiles).map(([name, profile]) => [name, new ProfileRules(profile, this.operations)]),
    );
  }

  /** What the principal sees of the snapshot; without profiles the snapshot itself. */
  viewOf(principal: Principal | undefined, snapshot: Snapshot): Snapshot {
    if (principal === undefined || principal.profiles.length === 0) return snapshot;
    const views = this.#viewsOf.get(principal) ?? this.#viewsFor(principal);
    const known = views.get(snapshot);
    if (known) return known;
    const view = buildView(
      snapshot,
      principal.profiles.map((name) => this.#rules.get(name) ?? new ProfileRules(NOTHING, this.operations)),
    );
    views.set(snapshot, view);
    return view;
  }

  #viewsFor(principal: Principal): WeakMap<Snapshot, Snapshot> {
    const key = principal.profiles.join('\n');
    const views = this.#views.get(key) ?? new WeakMap<Snapshot, Snapshot>();
    this.#views.set(key, views);
    this.#viewsOf.set(principal, views);
    return views;
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
