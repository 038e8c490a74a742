import type { Principal } from '../core/principal.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Profile } from '../settings/access-settings.js';
import type { Settings } from '../settings/settings.js';
import { HiddenNames } from './hidden-names.js';
import { Operations } from './operations.js';
import { isOperator, OperatorTools } from './operator-tools.js';
import { ProfileRules, READ_ONLY, READ_ONLY_PROFILE } from './profile-rules.js';
import { buildView } from './profile-view.js';

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

/** The profile in place of one that was removed from the settings after a client chose it. */
const NOTHING: Profile = { Include: [], Exclude: [], ReadOnly: true, Actions: {} };

export type AccessSettings = Pick<Settings, 'Profiles' | 'Tools'>;

/** What one set of profiles sees. */
interface Viewpoint {
  readonly rules: readonly ProfileRules[];
  readonly isOperator: boolean;
  /** The snapshots that a view is of are few, and go when the catalog forgets them. */
  readonly views: WeakMap<Snapshot, Snapshot>;
}

/** The catalog as each principal sees it under the settings of one moment; each view is made once. */
export class Views {
  readonly operations: Operations;
  readonly #rules: ReadonlyMap<string, ProfileRules>;
  /** By the names of the profiles. */
  readonly #viewpoints = new Map<string, Viewpoint>();
  /** As the principal was when it was first seen here: its profiles change when the settings do. */
  readonly #viewpointOf = new WeakMap<Principal, Viewpoint>();

  readonly #operatorTools: OperatorTools;

  constructor({ Profiles, Tools }: AccessSettings, operatorTools: OperatorTools) {
    this.#operatorTools = operatorTools;
    this.operations = new Operations(Tools.TrustAnnotations);
    const profiles: Record<string, Profile> = { ...Profiles, [READ_ONLY_PROFILE]: READ_ONLY };
    this.#rules = new Map(
      Object.entries(profiles).map(([name, profile]) => [name, new ProfileRules(profile, this.operations)]),
    );
  }

  /** What the principal sees of the snapshot; without profiles all of it, and for operators their tools in addition. */
  viewOf(principal: Principal | undefined, catalog: Snapshot): Snapshot {
    if (principal === undefined || isUnrestricted(principal)) return catalog;
    const { rules, views, isOperator } = this.#viewpointOf.get(principal) ?? this.#firstSeen(principal);
    const snapshot = isOperator ? this.#operatorTools.addedTo(catalog) : catalog;
    if (rules.length === 0) return snapshot;
    const view = views.get(snapshot) ?? buildView(snapshot, rules);
    views.set(snapshot, view);
    return view;
  }

  #firstSeen(principal: Principal): Viewpoint {
    const isOperating = isOperator(principal);
    const key = [isOperating, ...principal.profiles].join('\n');
    const viewpoint = this.#viewpoints.get(key) ?? {
      rules: this.#rulesOf(principal),
      isOperator: isOperating,
      views: new WeakMap(),
    };
    this.#viewpoints.set(key, viewpoint);
    this.#viewpointOf.set(principal, viewpoint);
    return viewpoint;
  }

  #rulesOf({ profiles }: Principal): ProfileRules[] {
    return profiles.map((name) => this.#rules.get(name) ?? new ProfileRules(NOTHING, this.operations));
  }
}

/** Whether it always sees all that is listed. Only the profiles and scopes of keys change. */
function isUnrestricted(principal: Principal): boolean {
  return principal.profiles.length === 0 && principal.keyName === undefined && !isOperator(principal);
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
