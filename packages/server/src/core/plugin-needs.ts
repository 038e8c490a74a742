/** The actions that a plugin is allowed, or that it declares as its needs (docs/spec/plugins.md#confinement). */
export interface PluginNeeds {
  /** Paths of the files and folders that it reads. */
  readonly read?: readonly string[];
  /** Paths of the files and folders that it writes. */
  readonly write?: readonly string[];
  readonly network?: boolean;
  /** True if it starts other programs. */
  readonly run?: boolean;
}
