import { type ChangedList, changedLists } from '../core/changed-lists.js';
import type { Audience } from '../core/server-api.js';
import type { Resource, Snapshot } from '../core/snapshot.js';
import type { Access, Views } from './access.js';

/** Decides who is told of a change in the catalog or of a plugin's messages (docs/spec/access.md#views). */
export class Audiences {
  readonly #access: Access;
  readonly #snapshot: () => Snapshot;

  constructor(access: Access, snapshot: () => Snapshot) {
    this.#access = access;
    this.#snapshot = snapshot;
  }

  /**
   * The principals whose list differs from their list of a former snapshot.
   * @param before undefined if the resources of templates changed: then the principals who see a template that lists
   * them
   */
  ofList(list: ChangedList, before: Snapshot | undefined): Audience {
    const isChangedByView = new Map<Snapshot, boolean>();
    return (principal) => {
      const view = this.#access.viewOf(principal, this.#snapshot());
      const known = isChangedByView.get(view);
      if (known !== undefined) return known;
      const isChanged = before
        ? changedLists(this.#access.viewOf(principal, before), view).includes(list)
        : view.templates.some(({ definition }) => definition.lists);
      isChangedByView.set(view, isChanged);
      return isChanged;
    };
  }

  /** The principals whose list differs from their list under the former settings. */
  ofSettings(list: ChangedList, formerViews: Views): Audience {
    const isChangedByViews = new Map<Snapshot, Map<Snapshot, boolean>>();
    return (principal) => {
      const snapshot = this.#snapshot();
      const formerView = formerViews.viewOf(principal, snapshot);
      const view = this.#access.viewOf(principal, snapshot);
      const isChangedByView = isChangedByViews.get(formerView) ?? new Map<Snapshot, boolean>();
      isChangedByViews.set(formerView, isChangedByView);
      const isChanged = isChangedByView.get(view) ?? changedLists(formerView, view).includes(list);
      isChangedByView.set(view, isChanged);
      return isChanged;
    };
  }

  /** The principals who see the resource or template. */
  ofResource(resource: Resource): Audience {
    return (principal) => {
      const { resources, templates } = this.#access.viewOf(principal, this.#snapshot());
      return resources.includes(resource) || templates.includes(resource);
    };
  }

  /** The principals for whose views `includes` returns true. @param includes called once for each view */
  ofViews(includes: (view: Snapshot) => boolean): Audience {
    const isIncludedByView = new Map<Snapshot, boolean>();
    return (principal) => {
      const view = this.#access.viewOf(principal, this.#snapshot());
      const isIncluded = isIncludedByView.get(view) ?? includes(view);
      isIncludedByView.set(view, isIncluded);
      return isIncluded;
    };
  }

  /** The principals who see anything of the plugin. */
  ofPlugin(name: string): Audience {
    return (principal) =>
      this.#access.viewOf(principal, this.#snapshot()).plugins.some((plugin) => plugin.name === name);
  }
}
