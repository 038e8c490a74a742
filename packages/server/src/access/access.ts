import type { Principal } from '../core/principal.js';
import type { Snapshot } from '../core/snapshot.js';
import type { Profile } from '../settings/access-settings.js';
import type { Settings } from '../settings/settings.js';
import { HiddenNames } from './hidden-names.js';
import { Operations } from './operations.js';
import { isOperator, OperatorTools } from './operator-tools.js';
import { ProfileRules, READ_ONLY, READ_ONLY_PROFILE } from './profile-rules.js';
import { buildView } from './profile-view.js';

/** The views of the catalog under the current settings (docs/spec/access.md#views). */
export class Access {
  #views: Views;
  readonly #hiddenNamesByView = new WeakMap<Snapshot, HiddenNames>();
  readonly #operatorTools: OperatorTools;

  constructor(settings: AccessSettings, operatorTools = new OperatorTools([])) {
    this.#operatorTools = operatorTools;
    this.#views = new Views(settings, operatorTools);
  }

  get operations(): Operations {
    return this.#views.operations;
  }

  /** Applies reloaded settings. @returns the views under the previous settings */
  update(settings: AccessSettings): Views {
    const before = this.#views;
    this.#views = new Views(settings, this.#operatorTools);
    return before;
  }

  /** Returns the names that must not be mentioned to the principal; undefined if it sees everything. */
  hiddenNames(principal: Principal | undefined, snapshot: Snapshot): HiddenNames | undefined {
    const view = this.viewOf(principal, snapshot);
    if (view === snapshot || view === this.#operatorTools.addedTo(snapshot)) return undefined;
    const hiddenNames = this.#hiddenNamesByView.get(view) ?? new HiddenNames(snapshot, view);
    this.#hiddenNamesByView.set(view, hiddenNames);
    return hiddenNames;
  }

  viewOf(principal: Principal | undefined, snapshot: Snapshot): Snapshot {
    return this.#views.viewOf(principal, snapshot);
  }
}

/** Stands for a profile that was removed from the settings while a client uses it. It shows nothing. */
const REMOVED_PROFILE: Profile = { Include: [], Exclude: [], ReadOnly: true, Actions: {} };

export type AccessSettings = Pick<Settings, 'Profiles' | 'Tools'>;

/** A set of profiles, and its views of snapshots. */
interface Viewpoint {
  readonly rules: readonly ProfileRules[];
  readonly isOperator: boolean;
  readonly viewBySnapshot: WeakMap<Snapshot, Snapshot>;
}

/** The views of the catalog under fixed settings. Each view is built once. */
export class Views {
  readonly operations: Operations;
  readonly #rulesByProfile: ReadonlyMap<string, ProfileRules>;
  /** The viewpoints by the role and the names of the profiles. */
  readonly #viewpoints = new Map<string, Viewpoint>();
  /** The viewpoints by principal, whose profiles can change only together with the settings. */
  readonly #viewpointOf = new WeakMap<Principal, Viewpoint>();
  readonly #operatorTools: OperatorTools;

  constructor({ Profiles, Tools }: AccessSettings, operatorTools: OperatorTools) {
    this.#operatorTools = operatorTools;
    this.operations = new Operations(Tools.TrustAnnotations);
    const profiles: Record<string, Profile> = { ...Profiles, [READ_ONLY_PROFILE]: READ_ONLY };
    this.#rulesByProfile = new Map(
      Object.entries(profiles).map(([name, profile]) => [name, new ProfileRules(profile, this.operations)]),
    );
  }

  /**
   * Returns the part of the snapshot that the principal sees: all of it for undefined and for a principal without
   * profiles. Operators also see their own tools.
   */
  viewOf(principal: Principal | undefined, catalog: Snapshot): Snapshot {
    if (principal === undefined || isUnrestricted(principal)) return catalog;
    const viewpoint = this.#viewpointOf.get(principal) ?? this.#addViewpoint(principal);
    const { rules, viewBySnapshot } = viewpoint;
    const snapshot = viewpoint.isOperator ? this.#operatorTools.addedTo(catalog) : catalog;
    if (rules.length === 0) return snapshot;
    const view = viewBySnapshot.get(snapshot) ?? buildView(snapshot, rules);
    viewBySnapshot.set(snapshot, view);
    return view;
  }

  #addViewpoint(principal: Principal): Viewpoint {
    const isOperating = isOperator(principal);
    const key = [isOperating, ...principal.profiles].join('\n');
    const viewpoint = this.#viewpoints.get(key) ?? {
      rules: this.#rulesOf(principal),
      isOperator: isOperating,
      viewBySnapshot: new WeakMap(),
    };
    this.#viewpoints.set(key, viewpoint);
    this.#viewpointOf.set(principal, viewpoint);
    return viewpoint;
  }

  #rulesOf({ profiles }: Principal): ProfileRules[] {
    return profiles.map((name) => this.#rulesByProfile.get(name) ?? new ProfileRules(REMOVED_PROFILE, this.operations));
  }
}

/**
 * True if the principal sees the whole catalog and no reload of the settings can restrict it. Only principals with a key
 * can get profiles or scopes.
 */
function isUnrestricted(principal: Principal): boolean {
  return principal.profiles.length === 0 && principal.keyName === undefined && !isOperator(principal);
}

/** Returns the names of all profiles, including the built-in one. */
export function profileNames({ Profiles }: Pick<Settings, 'Profiles'>): string[] {
  return [...Object.keys(Profiles), READ_ONLY_PROFILE];
}

/** Adds profiles to a principal. As it sees their intersection, it sees at most what it saw before. */
export function narrowPrincipal(principal: Principal, names: readonly string[]): Principal {
  const profiles = [...new Set([...principal.profiles, ...names])].sort();
  return profiles.length === principal.profiles.length ? principal : { ...principal, profiles };
}
