import { type ChangedList, changedLists } from '../core/changed-lists.js';
import type { Audience } from '../core/server-api.js';
import type { Resource, Snapshot } from '../core/snapshot.js';
import type { Access, Views } from './access.js';

/** Who may hear of a change in the catalog, or of what a plugin says (docs/spec/access.md#views). */
export class Audiences {
  readonly #access: Access;
  readonly #snapshot: () => Snapshot;

  constructor(access: Access, snapshot: () => Snapshot) {
    this.#access = access;
    this.#snapshot = snapshot;
  }

  /**
   * Those whose list is another one than before.
   * @param before absent: those who see a template that lists resources
   */
  ofList(list: ChangedList, before: Snapshot | undefined): Audience {
    const known = new Map<Snapshot, boolean>();
    return (principal) => {
      const after = this.#access.viewOf(principal, this.#snapshot());
      const isKnown = known.get(after);
      if (isKnown !== undefined) return isKnown;
      const isChanged = before
        ? changedLists(this.#access.viewOf(principal, before), after).includes(list)
        : after.templates.some(({ definition }) => definition.lists);
      known.set(after, isChanged);
      return isChanged;
    };
  }

  /** Those whose list is another one than under the former settings. */
  ofSettings(list: ChangedList, before: Views): Audience {
    const known = new Map<Snapshot, Map<Snapshot, boolean>>();
    return (principal) => {
      const snapshot = this.#snapshot();
      const former = before.viewOf(principal, snapshot);
      const now = this.#access.viewOf(principal, snapshot);
      const ofFormer = known.get(former) ?? new Map<Snapshot, boolean>();
      known.set(former, ofFormer);
      const isChanged = ofFormer.get(now) ?? changedLists(former, now).includes(list);
      ofFormer.set(now, isChanged);
      return isChanged;
    };
  }

  /** Those who see the resource, or the template that its URI is of. */
  ofResource(resource: Resource): Audience {
    return (principal) => {
      const { resources, templates } = this.#access.viewOf(principal, this.#snapshot());
      return resources.includes(resource) || templates.includes(resource);
    };
  }

  /** Those who see anything of the plugin. */
  ofPlugin(name: string): Audience {
    return (principal) =>
      this.#access.viewOf(principal, this.#snapshot()).plugins.some((plugin) => plugin.name === name);
  }
}
